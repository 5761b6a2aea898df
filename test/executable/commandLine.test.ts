import { describe, expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { executable, needExecutable, post, runBellbird, startBellbird } from '../support/executable.ts';
import { tempFolders } from '../support/tempFolder.ts';

await needExecutable();
const newFolder = tempFolders();

describe('the command line', () => {
  test('--help names every command and setting', async () => {
    const { code, stdout } = await runBellbird(['--help']);
    expect(code).toBe(0);
    for (const word of [
      'serve',
      'check',
      'user add',
      'user promote',
      'user password',
      'user list',
      'service install',
      'version',
    ]) {
      expect(stdout).toContain(word);
    }
    expect(stdout).toContain('BELLBIRD_PORT');
    expect(stdout).toContain('BELLBIRD_TICK_MS');
  });

  test('version tells the release and the commit that it was built from', async () => {
    const { code, stdout } = await runBellbird(['version']);
    expect(code).toBe(0);
    expect(stdout).toContain(packageJson.version);
    expect(stdout).toMatch(/\b[0-9a-f]{40}\b|\bsource-[0-9a-f]{12}\b/);
    expect(stdout).not.toContain('development');
  });

  test('an unknown command is refused by name', async () => {
    const { code, stdout, stderr } = await runBellbird(['srve']);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('"srve"');
    expect(stderr).toContain('--help');
  });

  test('wrong settings stop the start, all of them named at once', async () => {
    const env = { BELLBIRD_PORT: 'many', BELLBIRD_FEED: 'yahoo', BELLBIRD_DATA: newFolder() };
    const { code, stderr } = await runBellbird(['serve'], { env });
    expect(code).toBe(78);
    expect(stderr).toContain('BELLBIRD_PORT');
    expect(stderr).toContain('"many"');
    expect(stderr).toContain('BELLBIRD_FEED');
  });

  test('check connects to its own server directly when a proxy is set', async () => {
    const deaf = 'http://127.0.0.1:9';
    const env = { BELLBIRD_DATA: newFolder(), HTTP_PROXY: deaf, http_proxy: deaf, NO_PROXY: 'example.com' };
    const { code, stdout, stderr } = await runBellbird(['check', '--offline'], { env });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Answers its health check');
  });

  test('health says whether the server on this machine answers', async () => {
    const bellbird = await startBellbird();
    const env = { BELLBIRD_HOST: '127.0.0.1', BELLBIRD_PORT: String(bellbird.port) };
    try {
      const well = await runBellbird(['health'], { env });
      expect([well.code, well.stderr]).toEqual([0, '']);
      expect(well.stdout).toContain(`is healthy at ${bellbird.url}/healthz.`);
    } finally {
      await bellbird.stop();
    }
    const gone = await runBellbird(['health'], { env });
    expect([gone.code, gone.stdout]).toEqual([1, '']);
    expect(gone.stderr).toStartWith(`${bellbird.url}/healthz does not answer (`);
  });

  test('health takes no other program for the server', async () => {
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('hello') });
    const env = { BELLBIRD_HOST: '127.0.0.1', BELLBIRD_PORT: String(other.port) };
    const { url } = other;
    const { code, stderr } = await runBellbird(['health'], { env });
    await other.stop(true);
    expect([code, stderr]).toEqual([1, `${url}healthz answers with 200, but not as a healthy server.\n`]);
  });

  test('accounts are added, listed, promoted and given a new password', async () => {
    const env = { BELLBIRD_DATA: newFolder() };
    const add = (name: string, stdin: string) => runBellbird(['user', 'add', name], { env, stdin });
    expect((await add('Anna', 'first-password\n')).code).toBe(0);
    const weak = await add('Bert', '12345\n');
    expect(weak.code).toBe(1);
    expect(weak.stderr).toContain('Password must be at least 6 characters');
    const again = await add('ANNA', 'other-password\n');
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('already taken');

    expect((await runBellbird(['user', 'promote', 'anna'], { env })).code).toBe(0);
    const list = await runBellbird(['user', 'list'], { env });
    expect(list.stdout).toMatch(/Anna.*admin/);
    expect(list.stdout).not.toContain('Bert');
    const change = ['user', 'password', 'Anna'];
    expect((await runBellbird(change, { env, stdin: 'second-password\n' })).code).toBe(0);
    const nobody = await runBellbird(['user', 'promote', 'nobody'], { env });
    expect(nobody.code).toBe(1);
    expect(nobody.stderr).toContain('"nobody"');

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

  /** Types into a terminal once the password is asked for. */
  const atTerminal = async (keys: string): Promise<{ code: number; shown: string }> => {
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
    child.terminal?.write(keys);
    const code = await child.exited;
    child.terminal?.close();
    return { code, shown };
  };

  test('a password typed at a terminal is not shown, and keys that edit are no part of it', async () => {
    const { code, shown } = await atTerminal('pass😀\u007f-phrase\u001b[Dx\r');
    expect(shown).toContain('Added Anna.');
    expect(code).toBe(0);
    for (const part of ['pass😀', 'phras', '*']) expect(shown).not.toContain(part);
  });

  for (const [name, key] of [
    ['Ctrl+C', '\u0003'],
    ['Ctrl+D', '\u0004'],
  ] as const) {
    test(`${name} gives up`, async () => {
      const { code, shown } = await atTerminal(`abc${key}`);
      expect(shown).toContain('Type the password when it is asked for');
      expect(code).toBe(2);
    });
  }

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
