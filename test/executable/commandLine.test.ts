import { describe, expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { executable, needExecutable, post, runBellbird, startBellbird } from '../support/executable.ts';
import { tempFolders } from '../support/tempFolder.ts';

await needExecutable();
const newFolder = tempFolders();

describe('the command line', () => {
  test('wrong settings stop the start, all of them named at once', async () => {
    const env = { BELLBIRD_PORT: 'many', BELLBIRD_FEED: 'yahoo', BELLBIRD_DATA: newFolder() };
    const { code, stderr } = await runBellbird(['serve'], { env });
    expect(code).toBe(78);
    expect(stderr).toContain('BELLBIRD_PORT');
    expect(stderr).toContain('"many"');
    expect(stderr).toContain('BELLBIRD_FEED');
  });

  test('accounts are added, listed, promoted and given a new password', async () => {
    const env = { BELLBIRD_DATA: newFolder() };
    const add = (name: string, stdin: string) => runBellbird(['user', 'add', name], { env, stdin });
    expect((await add('Anna', 'first-password\n')).code).toBe(0);
    expect((await runBellbird(['user', 'promote', 'anna'], { env })).code).toBe(0);
    const list = await runBellbird(['user', 'list'], { env });
    expect(list.stdout).toMatch(/Anna.*admin/);
    const change = ['user', 'password', 'Anna'];
    expect((await runBellbird(change, { env, stdin: 'second-password\n' })).code).toBe(0);
    const bellbird = await startBellbird({ env, dataDir: env.BELLBIRD_DATA });
    try {
      const login = (password: string) => post(`${bellbird.url}/api/login`, { identifier: 'anna', password });
      expect((await login('first-password')).status).toBe(401);
      expect(await (await login('second-password')).json()).toMatchObject({
        authenticated: true,
        accessLevel: 4,
      });
      expect(bellbird.log()).not.toContain('#/register');
    } finally {
      await bellbird.stop();
    }
  });

  test('a password typed at a terminal is not shown, and keys that edit are no part of it', async () => {
    const decoder = new TextDecoder();
    let shown = '';
    const asked = Promise.withResolvers<void>();
    const child = Bun.spawn([executable, 'user', 'add', 'Anna'], {
      env: { PATH: process.env.PATH ?? '', TERM: 'xterm', BELLBIRD_DATA: newFolder() },
      terminal: {
        data: (_, bytes) => {
          shown += decoder.decode(bytes, { stream: true });
          // The cursor is hidden when the prompt listens.
          if (shown.includes('Password: \u001b[?25l')) asked.resolve();
        },
      },
    });
    await Promise.race([asked.promise, child.exited]);
    child.terminal?.write('pass😀\u007f-phrase\u001b[Dx\r');
    const code = await child.exited;
    child.terminal?.close();
    expect(shown).toContain('Added Anna.');
    expect(code).toBe(0);
    for (const part of ['pass😀', 'phras', '*']) expect(shown).not.toContain(part);
  });

  test('check starts once on a copy and leaves the data alone', async () => {
    const folder = newFolder();
    const fresh = await runBellbird(['check'], { env: { BELLBIRD_DATA: folder } });
    expect(fresh.all).toContain('serves the web application');
    expect(fresh.code).toBe(0);
    expect(await readdir(folder)).toEqual([]);
    await Bun.write(join(folder, 'bellbird.db'), 'this is no database');
    const broken = await runBellbird(['check'], { env: { BELLBIRD_DATA: folder } });
    expect(broken.code).toBe(1);
    expect(broken.stderr).not.toContain('    at ');
  });
});
