import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withPlayedRecording } from '../../src/cli/runServer.ts';
import { loadConfig } from '../../src/config.ts';
import { dataPaths } from '../../src/dataPaths.ts';
import { choosePlayed } from '../../src/market/recording/playChoice.ts';
import { tempFolders } from '../support/tempFolder.ts';
import { createTestApp, type ROLES, type TestApp, type TestAppOptions } from '../support/testApp.ts';

const newFolder = tempFolders();
const apps: TestApp[] = [];
afterEach(() => {
  for (const app of apps.splice(0)) app.close();
});

/** An app with a recording 'Open', and a process that counts how often it is told to restart. */
async function setUp(options: TestAppOptions = {}) {
  const dataDir = newFolder();
  const control = { supervisor: 'parent' as const, restarts: 0, restart: () => void (control.restarts += 1) };
  const app = createTestApp({
    ...options,
    config: { dataDir, ...options.config },
    runtime: { control, ...options.runtime },
  });
  apps.push(app);
  app.source.give([{ code: 'BHP', last: 45, volume: 200, quoteTime: app.clock.now() }]);
  app.tick.run();
  const send = (path: string, as: (typeof ROLES)[number] = 'admin') =>
    app.request('POST', `/api/admin/recordings${path}`, { as });
  await app.request('POST', '/api/admin/recordings', { as: 'admin', body: { name: 'Open' } });
  await send('/stop');
  const kept = () =>
    existsSync(join(dataDir, 'played-recording'))
      ? readFileSync(join(dataDir, 'played-recording'), 'utf8')
      : null;
  return { app, dataDir, control, send, kept };
}

const actionsOf = (app: TestApp) =>
  app.db.$client.query('SELECT action, target FROM audit_entries ORDER BY id').values().slice(2);
const pathsOf = (dataDir: string) => dataPaths({ dataDir });

describe('a recording is played from the panel', () => {
  test('from the next start on, until that is ended; both are audited', async () => {
    const { app, send, control, kept } = await setUp();
    expect(await send('/Open/play')).toMatchObject({ status: 200, json: { success: true, name: 'Open' } });
    expect([control.restarts, kept()]).toEqual([1, 'Open']);
    expect((await send('/end-replay')).json).toEqual({ success: true, name: 'Open' });
    expect([control.restarts, kept()]).toEqual([2, null]);
    expect(actionsOf(app)).toEqual([
      ['restart', 'server'],
      ['play recording', 'Open'],
      ['restart', 'server'],
      ['end replay', 'Open'],
    ]);
    expect((await send('/end-replay')).json).toEqual({ error: 'No recording is playing.' });
  });

  test('not when it is not there, is no file’s name, is being written or is damaged: nothing changes', async () => {
    const { app, send, control, kept, dataDir } = await setUp();
    for (const name of ['Gone', '..%2Fbellbird', '%2Fetc%2Fpasswd', 'Open.bellbird'])
      expect((await send(`/${name}/play`)).json).toEqual({
        error: 'That recording is not there any more. Reload the list.',
      });
    await app.request('POST', '/api/admin/recordings', { as: 'admin', body: { name: 'Now' } });
    expect((await send('/Now/play')).json).toEqual({
      error: 'This recording is under way. Stop it first.',
    });
    await send('/stop');
    writeFileSync(join(dataDir, 'recordings', 'letter.bellbird'), 'Dear diary');
    expect(await send('/letter/play')).toMatchObject({
      json: { error: "The recording letter can't be played. The file is not a Bellbird recording." },
    });
    expect([control.restarts, kept()]).toEqual([0, null]);
  });
});

describe('the start of a server', () => {
  const tradingview = { BELLBIRD_FEED: 'tradingview' };
  const started = (dataDir: string, env: Record<string, string> = tradingview) =>
    withPlayedRecording(env, loadConfig(env), pathsOf(dataDir));

  test.each([
    ['deleted', (file: string) => Bun.file(file).delete()],
    ['damaged', (file: string) => Bun.write(file, 'Dear diary')],
    ['cut to half its first block', (file: string) => Bun.write(file, readFileSync(file).subarray(0, 80))],
  ])('has the source of the settings when the recording was %s, says so, and forgets it', async (_, harm) => {
    const { dataDir, send, kept } = await setUp();
    await send('/Open/play');
    await harm(join(dataDir, 'recordings', 'Open.bellbird'));
    const { config, warnings } = started(dataDir);
    expect(config.feed).toBe('tradingview');
    expect(config.replay).toMatchObject({ chosen: null, fromSettings: false });
    expect(warnings).toEqual([
      expect.stringContaining('The recording Open that was chosen in the Admin Panel is not played: '),
    ]);
    expect(kept()).toBeNull();
  });

  test.each(['', '../../etc/passwd', '\u0000', 'a'.repeat(10_000)])(
    'follows no name that is none: %j',
    async (text) => {
      const { dataDir, kept } = await setUp();
      choosePlayed(pathsOf(dataDir).played, text);
      expect(started(dataDir).config.feed).toBe('tradingview');
      expect(kept()).toBeNull();
    },
  );
});
