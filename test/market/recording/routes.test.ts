import { afterEach, expect, test } from 'bun:test';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { openRecording } from '#market/recording/open.ts';
import { tempFolders } from '#support/tempFolder.ts';
import { createTestApp, START, type TestApp } from '#support/testApp.ts';

const newFolder = tempFolders();
const apps: TestApp[] = [];
afterEach(() => {
  for (const app of apps.splice(0)) app.close();
});

function setUp(): { app: TestApp; dataDir: string } {
  const dataDir = newFolder();
  const app = createTestApp({ config: { dataDir } });
  apps.push(app);
  return { app, dataDir };
}

type List = {
  recordings: Record<string, unknown>[];
  running: Record<string, unknown> | null;
  suggestion: string;
};
const list = async (app: TestApp) =>
  (await app.request('GET', '/api/admin/recordings', { as: 'admin' })).json as List;
const start = (app: TestApp, name: unknown) =>
  app.request('POST', '/api/admin/recordings', { as: 'admin', body: { name } });
const stop = (app: TestApp) => app.request('POST', '/api/admin/recordings/stop', { as: 'admin' });

function trade(app: TestApp, last: number, volume: number): void {
  app.clock.advance(1000);
  app.source.apply([{ code: 'BHP', last, volume, quoteTime: app.clock.now() }]);
  app.tick.run();
}

test('recordings contain what the market received from start to stop', async () => {
  const { app, dataDir } = setUp();
  trade(app, 44, 100);
  const { suggestion } = await list(app);
  expect(suggestion).toBe('2026-11-18');
  expect((await start(app, suggestion)).status).toBe(200);
  trade(app, 45, 200);
  trade(app, 46, 300);
  expect((await list(app)).running).toMatchObject({ name: suggestion, until: START + 3000 });
  expect((await stop(app)).json).toEqual({ success: true, name: suggestion });
  trade(app, 47, 400);
  const recording = openRecording(join(dataDir, 'recordings', '2026-11-18.bellbird'));
  expect(recording.head).toMatchObject({
    date: '2026-11-18',
    utcOffsetMinutes: 660,
    source: { name: 'hand' },
  });
  expect(recording.baseAt(START + 1000).stocks).toMatchObject([{ code: 'BHP', last: 44 }]);
  const events = [...recording.events(START, recording.until)];
  expect(events).toMatchObject([
    { kind: 'stocks', time: START + 2000, updates: [{ code: 'BHP', last: 45, volume: 200 }] },
    { kind: 'stocks', time: START + 3000, updates: [{ code: 'BHP', last: 46, volume: 300 }] },
  ]);
  recording.close();
  const { recordings, running, suggestion: next } = await list(app);
  expect(running).toBeNull();
  expect(next).toBe('2026-11-18-2');
  expect(recordings).toMatchObject([
    { name: suggestion, date: '2026-11-18', source: 'By hand', isCutOff: false, problem: null },
  ]);
});

test('recordings reject invalid and existing names, and a second recording at a time', async () => {
  const { app } = setUp();
  for (const name of ['', '../../etc/passwd', 'a/b', '.hidden', 'x'.repeat(61), 'con\u0000', 5])
    expect([400, 422]).toContain((await start(app, name)).status);
  expect((await stop(app)).status).toBe(409);
  expect((await start(app, 'Open')).status).toBe(200);
  expect((await start(app, 'Other')).json).toEqual({
    error: 'A recording is already in progress. Stop it first.',
  });
  expect((await app.request('DELETE', '/api/admin/recordings/Open', { as: 'admin' })).status).toBe(409);
  await stop(app);
  expect((await start(app, 'open')).json).toEqual({
    error: 'A recording named open already exists. Choose another name.',
  });
});

test('recordings are downloaded once by their address, and deleted; both are audited', async () => {
  const { app, dataDir } = setUp();
  await start(app, 'Open');
  trade(app, 45, 200);
  await stop(app);
  const asked = await app.request('POST', '/api/admin/recordings/Open/download', { as: 'admin' });
  const { url } = asked.json as { url: string };
  const answer = await app.open('GET', url);
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="Open.bellbird"');
  const file = Bun.file(join(dataDir, 'recordings', 'Open.bellbird'));
  expect(await answer.bytes()).toEqual(await file.bytes());
  expect((await app.request('GET', url)).status).toBe(404);
  expect((await app.request('DELETE', '/api/admin/recordings/Open', { as: 'admin' })).status).toBe(200);
  expect(await file.exists()).toBe(false);
  expect((await app.request('DELETE', '/api/admin/recordings/Open', { as: 'admin' })).status).toBe(404);
  const actions = app.db.$client.query('SELECT action FROM audit_entries ORDER BY id').values().flat();
  expect(actions).toEqual(['record', 'stop recording', 'download recording', 'delete recording']);
});

test('recordings a symbolic link is listed with an error, and its target is not read', async () => {
  const { app, dataDir } = setUp();
  const folder = join(dataDir, 'recordings');
  mkdirSync(folder);
  const secret = join(dataDir, 'secret');
  await Bun.write(secret, 'a secret');
  const link = join(folder, 'link.bellbird');
  symlinkSync(secret, link);
  const { recordings } = await list(app);
  expect(recordings).toMatchObject([
    { name: 'link', date: null, problem: expect.stringContaining('symbolic link') },
  ]);
  const asked = await app.request('POST', '/api/admin/recordings/link/download', { as: 'admin' });
  expect(asked.status).toBe(409);
  expect(JSON.stringify(asked.json)).toContain('symbolic link');
  const played = await app.request('POST', '/api/admin/recordings/link/play', { as: 'admin' });
  expect(played.status).toBe(409);
  expect((await app.request('DELETE', '/api/admin/recordings/link', { as: 'admin' })).status).toBe(200);
  expect(await Bun.file(secret).text()).toBe('a secret');
  expect(await Bun.file(link).exists()).toBe(false);
});
