import { describe, expect, test } from 'bun:test';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callerAddress } from '#platform/http/connections.ts';
import { createAddressRanges } from '#lib/addresses.ts';
import { tempFolders } from '../support/tempFolder.ts';
import type { TestServer } from '../support/testServer.ts';
import { testServers } from '../support/testServers.ts';

const folder = tempFolders();
const { start } = testServers();

const post = (server: TestServer, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
/** The error message; '' if there was none. */
const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    (error: unknown) => (error instanceof Error ? error.message || error.name : String(error)),
  );
const read = (response: Response) => response.json() as Promise<Record<string, unknown>>;

describe('a start', () => {
  test('creates what it needs, answers the health check and logs its address', async () => {
    const data = join(folder(), 'deep', 'data');
    const server = await start(data);
    const health = await read(await fetch(`${server.url}/healthz`));
    expect(health).toEqual({
      ok: true,
      pid: 4711,
      startedAt: expect.any(Number),
      uptimeSec: expect.any(Number),
      version: '0.0.0',
      commit: 'test',
    });
    expect(server.announced[0]).toBe(`Bellbird listens on ${server.url}.`);
    expect(server.announced.join('\n')).toContain(`${server.url}/#/register?setup=`);
    expect(statSync(join(data, 'jwt-secret')).mode & 0o777).toBe(0o600);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(server.lines.filter((line) => line.level === 'error')).toEqual([]);
  });

  test('is refused while another server uses the data folder, which is not disturbed', async () => {
    const data = folder();
    const first = await start(data);
    expect(await failureOf(start(data))).toMatch(/Another Bellbird is already running with the data folder/);
    expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
  });

  test('reports a port in use and releases the data folder', async () => {
    const first = await start(folder());
    const data = folder();
    const { port } = new URL(first.url);
    expect(await failureOf(start(data, { BELLBIRD_PORT: port }))).toBe(
      `Port ${port} is in use by another program. Stop it, or set BELLBIRD_PORT to another port.`,
    );
    await start(data);
  });
});

describe('a restart', () => {
  test('keeps accounts, sessions and the administrator', async () => {
    const data = folder();
    const before = await start(data);
    const form = { username: 'Anna', password: 'secret', setupToken: before.setupToken() };
    const { accessToken, accessLevel } = await read(await post(before, '/api/register', form));
    expect(accessLevel).toBe(4);
    const headers = { authorization: String(accessToken) };
    expect((await post(before, '/api/settings/quote-site', { site: 'asx' }, headers)).status).toBe(200);
    await before.stop();

    const after = await start(data);
    expect(after.announced.join()).not.toContain('setup=');
    const settings = await read(await fetch(`${after.url}/api/settings`, { headers }));
    expect(settings).toMatchObject({ username: 'Anna', quoteSite: 'asx' });
    expect((await post(after, '/api/login', { identifier: 'ANNA', password: 'secret' })).status).toBe(200);
  });

  test('prints a new set-up link while there is no administrator', async () => {
    const data = folder();
    const before = await start(data);
    await before.stop();
    const after = await start(data);
    expect(after.setupToken()).not.toBe('');
    const old = await post(after, '/api/register', {
      username: 'Anna',
      password: 'secret',
      setupToken: before.setupToken(),
    });
    expect(old.status).toBe(403);
  });
});

test('a stop ends open streams and frees the port; a second one does nothing', async () => {
  const server = await start(folder());
  const stream = await fetch(`${server.url}/api/data/stream`, {
    headers: { 'accept-encoding': 'identity' },
  });
  const reader = stream.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await server.stop();
  await server.stop();
  const rest = (async () => {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read());
  })();
  // The connection decides whether the stream ends or breaks; it must not stay open.
  await rest.catch(() => {});
  expect(await failureOf(fetch(`${server.url}/healthz`))).not.toBe('');
});

describe('requests', () => {
  test('serve pages from the assets, files from the public folder, and a sentence for everything else', async () => {
    const data = folder();
    mkdirSync(join(data, 'public'));
    writeFileSync(join(data, 'public', 'note.txt'), 'a note');
    const server = await start(data);
    const text = async (path: string) => (await fetch(`${server.url}${path}`)).text();
    expect(await text('/page')).toBe('a page');
    expect(await text('/local/note.txt')).toBe('a note');
    for (const [path, status] of [
      ['/nothing', 404],
      ['/local/..%2fjwt-secret', 404],
      ['/api/nothing', 404],
      ['/api', 404],
      ['/', 503],
    ] as const) {
      const response = await fetch(`${server.url}${path}`);
      expect([path, response.status]).toEqual([path, status]);
      expect(await read(response)).toEqual({ error: expect.stringMatching(/^[A-Z].*\.$/) });
    }
  });

  test('over 4 KB without an account are refused with a sentence, whether or not the length is declared', async () => {
    const server = await start(folder());
    const big = JSON.stringify({ identifier: 'x'.repeat(4 * 1024), password: 'y' });
    const chunked = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(big));
        controller.close();
      },
    });
    for (const body of [big, chunked]) {
      const response = await fetch(`${server.url}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect(response.status).toBe(413);
      expect(await read(response)).toEqual({ error: expect.stringContaining('larger than 4 KB') });
    }
  });

  test('are logged without their query', async () => {
    const server = await start(folder());
    await fetch(`${server.url}/api/test/status?token=a-secret-in-the-query`);
    // The line is written after the answer was sent.
    while (!server.lines.some((line) => line.message === 'Request')) await Bun.sleep(2);
    const logged = JSON.stringify(server.lines);
    expect(logged).toContain('/api/test/status');
    expect(logged).not.toContain('a-secret-in-the-query');
  });

  test('do not let other sites read the answers', async () => {
    const server = await start(folder());
    const response = await fetch(`${server.url}/api/test/status`, {
      headers: { origin: 'https://evil.example' },
    });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});

describe('the caller’s address', () => {
  test('is the last forwarded one behind a proxy on this machine', () => {
    expect(callerAddress('127.0.0.1', '198.51.100.9, 203.0.113.5')).toBe('203.0.113.5');
    expect(callerAddress('::ffff:127.0.0.1', '203.0.113.5')).toBe('203.0.113.5');
    expect(callerAddress('::1', null)).toBe('::1');
  });
  test('ignores the header from any other address', () =>
    expect(callerAddress('198.51.100.9', '203.0.113.5')).toBe('198.51.100.9'));

  describe('behind proxies on other hosts', () => {
    const isTrusted = createAddressRanges(['10.0.0.0/8', '2001:db8:ffff::/48', '127.0.0.1']);
    const cases: [string, string, string | null, string][] = [
      ['the header of a trusted proxy', '10.0.0.5', '203.0.113.5', '203.0.113.5'],
      ['the last address that is not a proxy', '10.0.0.5', '1.1.1.1, 203.0.113.5, 10.0.0.7', '203.0.113.5'],
      ['an IPv6 proxy and caller', '2001:db8:ffff::1', '2001:DB8::9', '2001:db8::9'],
      ['IPv4-mapped IPv6 on both sides', '::ffff:10.0.0.5', '::ffff:203.0.113.5', '203.0.113.5'],
      ['a port', '10.0.0.5', '203.0.113.5:50312', '203.0.113.5'],
      ['the farthest if all are proxies', '10.0.0.5', '10.0.0.9, 10.0.0.7', '10.0.0.9'],
      ['addresses invented by the caller are ignored', '10.0.0.5', 'nonsense, 203.0.113.5', '203.0.113.5'],
      ['an invalid entry', '10.0.0.5', '203.0.113.5, unknown', '10.0.0.5'],
      ['the same behind a second proxy', '10.0.0.5', '203.0.113.5, , 10.0.0.7', '10.0.0.7'],
      ['an empty header', '10.0.0.5', '', '10.0.0.5'],
      ['no header', '10.0.0.5', null, '10.0.0.5'],
      ['a stranger who names a proxy', '203.0.113.9', '10.0.0.5', '203.0.113.9'],
    ];
    for (const [name, peer, header, caller] of cases) {
      test(name, () => expect(callerAddress(peer, header, isTrusted)).toBe(caller));
    }

    test('is found within a limit in a header with thousands of proxies', () => {
      const header = `203.0.113.5, ${'10.0.0.7, '.repeat(5000)}10.0.0.7`;
      expect(callerAddress('10.0.0.5', header, isTrusted)).toBe('10.0.0.7');
    });
  });

  test('follows the settings', async () => {
    const wrong = { identifier: 'anna', password: 'wrong one' };
    const tries = async (env: Record<string, string>) => {
      const server = await start(folder(), env);
      const statuses: number[] = [];
      for (let from = 0; from < 12; from += 1) {
        const headers = { 'x-forwarded-for': `203.0.113.${from}` };
        statuses.push((await post(server, '/api/login', wrong, headers)).status);
      }
      return statuses.at(-1);
    };
    expect(await tries({})).toBe(401);
    expect(await tries({ BELLBIRD_TRUSTED_PROXIES: 'none' })).toBe(429);
  });
});

const support = join(import.meta.dir, '..', 'support');

/** Starts a server in a separate process. @returns the relay files it loaded */
async function loadedWith(env: Record<string, string>): Promise<string[]> {
  const program = `
    const { startTestServer } = await import(${JSON.stringify(join(support, 'testServer.ts'))});
    const server = await startTestServer(${JSON.stringify(folder())}, ${JSON.stringify(env)});
    await fetch(server.url + '/api/relays/sessions', { method: 'POST' });
    await server.stop();
    const files = Object.keys(require.cache).filter((path) => path.includes('/src/relays/'));
    console.log(JSON.stringify(files));
    process.exit(0);`;
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'inherit' });
  return JSON.parse(await new Response(child.stdout).text()) as string[];
}

test('relay code is not loaded without its settings', async () => {
  expect(await loadedWith({})).toEqual([]);
  const env = {
    BELLBIRD_ENGINE_URL: 'redis://127.0.0.1:1',
    BELLBIRD_RELAY_SECRET: 'a secret of thirty-two characters',
  };
  const loaded = await loadedWith(env);
  expect(loaded.some((path) => path.endsWith('/relays/primary/primary.ts'))).toBe(true);
  expect(loaded.filter((path) => path.includes('/relays/relay/'))).toEqual([]);
});
