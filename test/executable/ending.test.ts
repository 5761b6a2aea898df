import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { needExecutable, post, startBellbird } from '../support/executable.ts';
import { tempFolders } from '../support/tempFolder.ts';

await needExecutable();
const newFolder = tempFolders();

describe('ending', () => {
  test('kill -9 costs no account and no session', async () => {
    const dataDir = newFolder();
    const first = await startBellbird({ dataDir });
    const account = { username: 'Survivor', password: 'still-here', platform: 'web' };
    const registered = await post(`${first.url}/api/register`, account);
    expect(registered.status).toBe(200);
    const { accessToken } = (await registered.json()) as { accessToken: string };
    await first.stop('SIGKILL');
    const second = await startBellbird({ dataDir });
    try {
      const settings = await fetch(`${second.url}/api/settings`, { headers: { authorization: accessToken } });
      expect(await settings.json()).toMatchObject({ username: 'Survivor' });
      const login = await post(`${second.url}/api/login`, {
        identifier: account.username,
        password: account.password,
      });
      expect(login.status).toBe(200);
    } finally {
      await second.stop();
    }
  });

  test('SIGTERM ends it cleanly although streams are open', async () => {
    const dataDir = newFolder();
    const bellbird = await startBellbird({ dataDir, env: { BELLBIRD_SIM_START: '10:30' } });
    const streams = await Promise.all(
      Array.from({ length: 3 }, () =>
        fetch(`${bellbird.url}/api/data/stream`, { headers: { 'accept-encoding': 'identity' } }),
      ),
    );
    const readers = streams.map((stream) => stream.body?.getReader());
    for (const reader of readers) expect((await reader?.read())?.done).toBe(false);
    expect(await bellbird.stop('SIGTERM')).toBe(0);
    expect(bellbird.log()).toContain('Stopped');
    expect(bellbird.log()).not.toContain('did not stop');
    const written = await Bun.file(join(dataDir, 'logs', 'bellbird.log')).text();
    expect(written.trim().split('\n').at(-1)).toContain('Stopped');
    expect(written).toContain('path=/api/data/stream');
    for (const reader of readers) {
      const drain = async (): Promise<void> => {
        while ((await reader?.read())?.done === false);
      };
      await drain().catch(() => undefined);
    }
    // The port and the data are free again at once.
    const again = await startBellbird({ dataDir, port: bellbird.port });
    expect(await again.stop()).toBe(0);
  });
});
