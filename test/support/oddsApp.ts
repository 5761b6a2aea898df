import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sessionFiles } from '#market/sessions/files.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { oddsState } from '#subjects/odds/answers/odds.ts';
import type { RecordedDay, RecordedStockDay } from './recordedSessions.ts';
import { storeSessions } from './storedSessions.ts';
import { createTestApp, type TestApp, type TestAppOptions, type TestRequest } from './testApp.ts';

export type OddsState = Wire<typeof oddsState>;

/** Above $1.05, which the rising stock of `risingDay` meets at 10:10. */
export const ABOVE = {
  type: 'logic',
  logic: {
    op: 'AND',
    conditions: [{ lhs: { type: 'field', key: 'last' }, op: '>', rhs: { type: 'number', value: 1.05 } }],
  },
} as const;

/** A stock that rises from $1 by half a cent each minute from 10:00 until 10:40, and is traded until 16:10. */
export const risingStock = (code = 'UPP'): RecordedStockDay => ({
  code,
  close: 1,
  minutes: Array.from({ length: 370 }, (_, index) => ({
    minute: 600 + index,
    trades: 1 + 0.005 * Math.min(index, 40),
    volume: 1000 * (index + 1),
    value: 1000 * (index + 1),
  })),
});

export const risingDay = (date: string): RecordedDay => ({ date, stocks: [risingStock()] });

/** An application with its session history in a temporary folder; `remove` deletes it. */
export function createOddsApp(options: TestAppOptions & { dataDir?: string } = {}) {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'bellbird-odds-'));
  const folder = join(dataDir, 'sessions');
  const app = createTestApp({
    ...options,
    config: { ...options.config, dataDir },
    runtime: { ...options.runtime, sessionFiles: sessionFiles(folder), schedule: () => () => {} },
  });
  return {
    ...app,
    dataDir,
    store: (days: readonly RecordedDay[]): void =>
      storeSessions(app.services.sessions.folder, app.services.sessions.source, days),
    close: (): void => {
      app.parts.odds.stop();
      app.close();
    },
    remove: (): void => rmSync(dataDir, { recursive: true, force: true }),
  };
}

export type OddsApp = ReturnType<typeof createOddsApp>;

type As = NonNullable<TestRequest['as']>;

/** Starts a run. @throws unless it was accepted */
export async function startOdds(app: TestApp, as: As, body: object): Promise<OddsState> {
  const { status, json, text } = await app.request('POST', '/api/odds', { as, body });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return json as OddsState;
}

/** Reads a run's states until it is over. */
export async function finishedOdds(app: TestApp, as: As, id: string): Promise<OddsState> {
  for (;;) {
    const { status, json, text } = await app.request('GET', `/api/odds/${id}`, { as });
    if (status !== 200) throw new Error(`${status} ${text}`);
    const state = json as OddsState;
    if (state.isDone) return state;
  }
}
