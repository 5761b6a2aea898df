import { afterEach, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { rolledBackUpdate } from '#admin/updates/server/service.ts';
import { updateFolder, type UpdateState, writeUpdateState } from '#platform/install/shared/updateState.ts';
import { tempFolders } from '#support/tempFolder.ts';
import { anUpdateState, createUpdateApp, type UpdateApp } from '#support/updateFixture.ts';

const folder = tempFolders();
const apps: UpdateApp[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.stop();
});

const FROM = { version: '1.0.0', commit: 'old' };
const TO = { version: '1.1.0', commit: 'new' };

/** A server that starts after an update in this state. */
function after(more: Partial<UpdateState>): UpdateApp {
  const data = join(folder(), 'data');
  mkdirSync(updateFolder(data), { recursive: true });
  writeUpdateState(data, anUpdateState({ from: FROM, to: TO, ...more }));
  const app = createUpdateApp({ executable: '/x', running: FROM, data });
  apps.push(app);
  return app;
}

const start = (app: UpdateApp): Promise<void> => app.app.parts.updates.start();
const audited = (app: UpdateApp) => app.app.parts.audit.service.list({}).entries;
const STEP = { name: 'Build', startedAt: 1, endedAt: null, outcome: 'running', detail: null } as const;

test('the result of an update is audited once, however often the server starts', async () => {
  const app = after({ phase: 'rolledBack', failure: 'The new version died.' });
  for (let times = 0; times < 3; times += 1) await start(app);
  expect(audited(app)).toMatchObject([
    { action: 'roll back', by: null, before: TO, after: FROM, reason: 'The new version died.' },
  ]);
  writeUpdateState(app.data, { ...(app.kept() as UpdateState), id: 'another' });
  await start(app);
  expect(audited(app)).toHaveLength(2);
});

test('only a version that was rolled back is marked as such, from the last update or the audit', async () => {
  const app = after({
    phase: 'rolledBack',
    failure: 'The new version died.',
    steps: [{ ...STEP, endedAt: 7 }],
  });
  const audit = app.app.parts.audit.service;
  const mark = (commit: string, state: UpdateState | null) => rolledBackUpdate(audit, state, { commit });
  expect(mark('new', app.kept())).toEqual({ at: 7, reason: 'The new version died.' });
  expect([mark('new', null), mark('other', app.kept())]).toEqual([null, null]);
  await start(app);
  expect(mark('new', null)).toEqual({ at: expect.any(Number), reason: 'The new version died.' });
  expect(mark('old', null)).toBeNull();
});
