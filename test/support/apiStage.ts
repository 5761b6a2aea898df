import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInFields } from '../../src/market/indicators/rules/builtInCatalog.ts';
import type { Example } from '../../src/texts/routeContract.ts';
import type { UserRow } from '../../src/subjects/accounts/server/store.ts';
import { ok } from '../../src/lib/result.ts';
import type { ReplayState } from '../../src/market/rules/stream.ts';
import type { ReplayControls } from '../../src/sources/quotes/source.ts';
import { type CalendarApp, createCalendarApp } from './calendarApp.ts';
import { list } from './callsApp.ts';
import type { FakeModel } from './fakeModel.ts';
import { aRelease, createHandAnnouncements } from './handAnnouncements.ts';
import { START, type TestRequest } from './testApp.ts';
import { createCheckout } from './updateStage.ts';

export const INGEST_KEY = 'a key of the tests, long enough';
/** Of the relays that the examples are sent by. */
export const RELAY_SECRET = 'a secret of relays of the tests';
export const METRICS_KEY = 'another key of the tests, long enough';
export const LOG_NAME = 'bellbird.log';

/** What the example of a route takes the place of with what is really there. */
export type Real = Pick<Example, 'params' | 'query' | 'body'> & { headers?: Record<string, string> };
/** A whole server on which every example works, in folders of its own. */
export type ExampleApp = CalendarApp & {
  folders: { logs: string; backups: string };
};
export type Stage = {
  app: ExampleApp;
  /** Who will send the example; null for a guest. */
  user: UserRow | null;
  as: 'guest' | { token: string };
  /** Posts as the user who will send the example. @returns the answer's JSON */
  post(path: string, body: unknown): Promise<Record<string, unknown>>;
};
export type Setup = (stage: Stage) => Promise<Real> | Real;

/** @throws for a guest, whose example needs no account */
export function requireUser(user: UserRow | null): UserRow {
  if (user === null) throw new Error('This example is for who is logged in.');
  return user;
}

/** Sends a request of an administrator, or of somebody else. @returns the answer's JSON @throws unless it is 200 */
export async function done(
  app: ExampleApp,
  path: string,
  body: unknown,
  as: TestRequest['as'] = 'admin',
): Promise<Record<string, unknown>> {
  const { status, json, text } = await app.request('POST', path, { as, body });
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return json as Record<string, unknown>;
}

/** Makes what a list is to show. */
export const listing =
  (make: Setup): Setup =>
  async (stage) => {
    await make(stage);
    return {};
  };

/** A replay of 19 January 2026 of which only the controls are there. */
function handReplay(): ReplayControls {
  const state: ReplayState = {
    from: Date.UTC(2026, 0, 18, 20, 0),
    until: Date.UTC(2026, 0, 19, 6, 0),
    ...{ isPaused: false, speed: 1, hasEnded: false, isCutOff: false, jumps: 0 },
  };
  return {
    state: () => state,
    pause: (isPaused) => void Object.assign(state, { isPaused }),
    setSpeed: (speed) => void Object.assign(state, { speed }),
    jump: () => void (state.jumps += 1),
  };
}

/**
 * The application of the examples: listed stocks, a model, keys, test mode, a log, and an executable in a checkout with
 * nothing newer in its origin, so that looking for an update is real and nothing comes of it.
 */
export async function createExampleApp(model: FakeModel): Promise<ExampleApp> {
  const base = mkdtempSync(join(tmpdir(), 'bellbird-examples-'));
  const dataDir = join(base, 'data');
  const folders = { logs: join(dataDir, 'logs'), backups: join(dataDir, 'backups') };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
  writeFileSync(join(folders.logs, LOG_NAME), 'The server started.\n');
  const checkout = createCheckout(base);
  const noConditions = JSON.stringify({ conditions: [], unsaid: [] });
  model.script(({ messages }) => ({
    kind: 'text',
    text: messages[0]?.content.includes('"conditions"') ? noConditions : 'Nothing has gapped up today.',
  }));
  const announcements = createHandAnnouncements();
  const app = await createCalendarApp({
    env: {
      BELLBIRD_AI_URL: model.url,
      BELLBIRD_AI_MODEL: 'any',
      BELLBIRD_INGEST_KEY: INGEST_KEY,
      BELLBIRD_METRICS_KEY: METRICS_KEY,
      BELLBIRD_ENGINE_URL: 'redis://127.0.0.1:1',
      BELLBIRD_RELAY_SECRET: RELAY_SECRET,
      BELLBIRD_TELEGRAM_TOKEN: '1:token-of-the-tests',
      BELLBIRD_TEST: '1',
    },
    config: { dataDir },
    runtime: {
      metainfo: async () => ok(builtInFields()),
      about: { pid: 4711, startedAt: START, version: '1.0.0', commit: checkout.first },
      // A restart ends nothing here.
      control: { supervisor: 'parent', restart: () => {} },
      program: { executable: checkout.executable, isStandalone: true, releaseKey: null, env: process.env },
      paths: { folder: dataDir, database: join(dataDir, 'bellbird.db') },
      logs: { folder: folders.logs, file: null },
      writeBackup: (folder, name) => ({
        finished: Bun.write(join(folder, name), 'a database').then((bytes) => ({ ok: true, bytes })),
        cancel: () => {},
      }),
    },
    source: { announcements, replay: handReplay() },
  });
  app.parts.announcements.start();
  list(app);
  announcements.give([aRelease('a', { headline: 'Quarterly Report' })]);
  app.tick.run();
  return {
    ...app,
    folders,
    close() {
      app.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}
