import { afterEach, describe, expect, test } from 'bun:test';
import { createConnections } from '../../../src/platform/http/connections.ts';
import { type Handlers, listen, type Listening } from '../../../src/platform/http/listen.ts';
import { createLog, type LogLine } from '../../../src/lib/log.ts';

const open: Listening[] = [];
afterEach(async () => {
  for (const listening of open.splice(0)) await listening.stop();
});

function start(handlers: Partial<Handlers>): { url: string; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const log = createLog((line) => lines.push(line));
  const listening = listen(
    { host: '127.0.0.1', port: 0, hsts: false, log },
    {
      health: () => ({ ok: true }),
      admit: async () => null,
      inTurn: (_, look) => look(),
      api: () => Response.json({ ok: true }),
      refused: () => undefined,
      localFiles: async () => undefined,
      assets: { respond: () => undefined },
      connections: createConnections(),
      ...handlers,
    },
  );
  open.push(listening);
  return { url: listening.url, lines };
}

test('a page that comes through a proxy with Basic authentication learns of it', async () => {
  const { url } = start({ assets: { respond: async () => new Response('page') } });
  const cookieOf = async (headers: Record<string, string>) =>
    (await fetch(url, { headers })).headers.get('set-cookie');
  expect(await cookieOf({ authorization: 'Basic dXNlcjp3b3Jk' })).toStartWith('basic-auth=1; Path=/;');
  expect(await cookieOf({ authorization: 'abc.def' })).toBeNull();
  expect(await cookieOf({})).toBeNull();
});

describe('a failure outside of every route', () => {
  const failing: [string, string, Partial<Handlers>][] = [
    [
      'the pages',
      '/',
      {
        assets: {
          respond: () => {
            throw new Error('an inner secret');
          },
        },
      },
    ],
    [
      'the API as a whole',
      '/api/settings',
      {
        api: () => {
          throw new Error('an inner secret');
        },
      },
    ],
    ['local files', '/local/a', { localFiles: () => Promise.reject(new Error('an inner secret')) }],
  ];
  for (const [name, path, handlers] of failing) {
    test(`of ${name} is answered in general words and logged with its cause`, async () => {
      const { url, lines } = start(handlers);
      const response = await fetch(`${url}${path}`);
      expect(response.status).toBe(500);
      expect(await response.json()).toEqual({ error: 'Something went wrong on the server. Try again.' });
      expect(lines.map(({ level, message }) => [level, message])).toEqual([
        ['error', 'A request failed before any route'],
      ]);
      expect(lines[0]?.properties['error']).toMatchObject({ message: 'an inner secret' });
    });
  }
});

describe('the length of an address', () => {
  test('of the API is limited before anything reads it; a query is not part of it', async () => {
    const seen: string[] = [];
    const { url } = start({
      api: (request) => {
        seen.push(new URL(request.url).pathname);
        return Response.json({ ok: true });
      },
    });
    const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status;
    const longest = `/api/${'a'.repeat(195)}`;
    expect(await statusOf(longest)).toBe(200);
    expect(await statusOf(`${longest}?token=${'t'.repeat(500)}`)).toBe(200);
    expect(await statusOf(`${longest}a`)).toBe(414);
    expect(await statusOf(`/api/${'a-'.repeat(7000)}`)).toBe(414);
    expect(seen).toEqual([longest, longest]);
  });
});

test('a health check is answered beside the application, which compiles itself with its first request', async () => {
  const asked: string[] = [];
  const api = (request: Request): Response => {
    asked.push(request.method);
    return new Response(null, { status: 404 });
  };
  const { url } = start({ health: () => ({ ok: true, version: '1.2.3' }), api });
  const answer = await fetch(`${url}/healthz?at=1`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-type')).toStartWith('application/json');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await answer.json()).toEqual({ ok: true, version: '1.2.3' });
  expect(asked).toEqual([]);
  expect((await fetch(`${url}/healthz`, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${url}/healthz/x`)).status).toBe(404);
  expect(asked).toEqual(['POST']);
});

test('what is refused before the application sees it is told to whoever writes requests down', async () => {
  const refused: [string, number][] = [];
  const { url } = start({
    refused: ({ url: address }, status) =>
      void refused.push([new URL(address).pathname.slice(0, 12), status]),
  });
  const send = (path: string, body: string, type = 'application/json') =>
    fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': type }, body }).then((answer) =>
      answer.text(),
    );
  await send('/api/login', '{}');
  await send('/api/login', 'name=a', 'text/plain');
  await send('/api/calls', `"${'x'.repeat(70_000)}"`);
  await send('/api/calls', '['.repeat(100));
  await send(`/api/${'x'.repeat(300)}`, '{}');
  expect(refused).toEqual([
    ['/api/login', 415],
    ['/api/calls', 413],
    ['/api/calls', 400],
    ['/api/xxxxxxx', 414],
  ]);
});
