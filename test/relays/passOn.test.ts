import { describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { inChunks } from '#src/relays/relay/server.ts';
import { relayToken } from '#platform/http/keyChecks.ts';
import { SECRET } from '../support/engineFixture.ts';
import { relayFixture } from '../support/relayFixture.ts';
import { waitUntil } from '../support/waitUntil.ts';

const fixture = relayFixture();

const NOWHERE = 'redis://127.0.0.1:9';

/** A relay with a primary made by the test; its Redis does not exist. */
async function before(primary: (request: Request) => Response | Promise<Response>) {
  const server = fixture.serve(primary);
  return { relay: await fixture.start({ url: NOWHERE, primaryUrl: server.url }), server };
}

/** The same, with the paths requested from the primary, except the relay’s own requests. */
async function beforeAsked() {
  const paths: string[] = [];
  const { relay } = await before(({ url }) => {
    const { pathname } = new URL(url);
    if (pathname !== '/healthz') paths.push(pathname);
    return new Response('');
  });
  return { relay, paths };
}

describe('requests that a relay forwards', () => {
  test.each(['GET', 'HEAD', 'POST', 'DELETE'])('%s unchanged, and its answer', async (method) => {
    const body = ['GET', 'HEAD'].includes(method) ? null : JSON.stringify({ a: 'ä'.repeat(50) });
    let seen: unknown = null;
    const { relay } = await before(async (request) => {
      const { pathname, search } = new URL(request.url);
      const type = request.headers.get('content-type');
      seen = { method: request.method, path: pathname + search, body: await request.text(), type };
      return new Response('{"b":2}', {
        status: 418,
        headers: { 'x-own': 'yes', 'content-type': 'application/json' },
      });
    });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${relay.url}/api/some%20thing?x=1&y=%26`, { method, body, headers });
    expect(seen).toEqual({
      method,
      path: '/api/some%20thing?x=1&y=%26',
      body: body ?? '',
      type: headers['content-type'],
    });
    expect([answer.status, answer.headers.get('x-own')]).toEqual([418, 'yes']);
    expect(await answer.text()).toBe(method === 'HEAD' ? '' : '{"b":2}');
  });

  test('carry the caller’s address, which only a relay may set', async () => {
    let seen = new Headers();
    const { relay, server } = await before((request) => {
      seen = request.headers;
      return new Response('{}');
    });
    const headers = {
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'https',
      'x-bellbird-relay': 'mine',
      authorization: 'a token',
      connection: 'x-hop',
      'x-hop': 'of this connection',
      'proxy-authorization': 'of this connection',
    };
    await fetch(`${relay.url}/api/me`, { headers });
    expect([seen.get('x-forwarded-for'), seen.get('x-forwarded-proto')]).toEqual(['203.0.113.7', 'https']);
    expect(seen.get('x-bellbird-relay')).toBe(relayToken(SECRET));
    expect([seen.get('authorization'), seen.get('x-hop'), seen.get('proxy-authorization')]).toEqual([
      'a token',
      null,
      null,
    ]);
    expect(seen.get('host')).not.toBe(new URL(relay.url).host);
    const direct = await fixture.start({ url: NOWHERE, primaryUrl: server.url, trustedProxies: [] });
    await fetch(`${direct.url}/api/me`, { headers });
    expect([seen.get('x-forwarded-for'), seen.get('x-forwarded-proto')]).toEqual(['127.0.0.1', 'http']);
  });

  test('return answers in chunks as they arrive, and stop when the caller is gone', async () => {
    let isGone = false;
    let send: (text: string) => void = () => {};
    const { relay } = await before((request) => {
      request.signal.addEventListener('abort', () => (isGone = true));
      const body = new ReadableStream({
        start: (controller) => {
          send = (text) => controller.enqueue(new TextEncoder().encode(text));
          send('first');
        },
        cancel: () => {
          isGone = true;
        },
      });
      return new Response(body);
    });
    const caller = new AbortController();
    const answer = await fetch(`${relay.url}/api/slow`, { signal: caller.signal });
    const reader = answer.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first');
    send('second');
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('second');
    caller.abort();
    await waitUntil('the primary to see that the caller has left', () => isGone);
  });

  test('close the connection only if the primary answers before the end of a body', async () => {
    const { relay } = await before(({ url }) =>
      url.endsWith('/full') ? new Response('', { headers: { connection: 'close' } }) : new Response(''),
    );
    const connection = async (path: string): Promise<string | null> =>
      (await fetch(relay.url + path, { method: 'POST', body: '{}' })).headers.get('connection');
    expect(await connection('/api/full')).toBe('close');
    expect(await connection('/api/calls')).not.toBe('close');
  });

  test.each(['/api/relays/sessions', '/api/%72elays/sessions', '//api/relays/alert-opening', '/api/relays'])(
    'exclude addresses for relays only: %s',
    async (path) => {
      const { relay, paths } = await beforeAsked();
      const answer = await fetch(`${relay.url}${path}`, { method: 'POST', body: '{}' });
      expect([answer.status, paths]).toEqual([404, []]);
    },
  );

  test.each(['//api/data/stream', '/x/..//metrics', '/\\api/calls'])(
    'exclude an address that fetch would change: %s',
    async (path) => {
      const { relay, paths } = await beforeAsked();
      const { port, hostname } = new URL(relay.url);
      const { promise, resolve } = Promise.withResolvers<string>();
      const socket = await Bun.connect({
        hostname,
        port: Number(port),
        socket: { data: (_, data) => resolve(data.toString()) },
      });
      socket.write(`GET ${path} HTTP/1.1\r\nhost: relay\r\n\r\n`);
      expect(await promise).toStartWith('HTTP/1.1 404 ');
      socket.end();
      expect(paths).toEqual([]);
    },
  );

  test('pages come from the relay itself, others from the primary', async () => {
    const { relay } = await before(() => new Response('of the primary'));
    expect(await (await fetch(`${relay.url}/page`)).text()).toBe('own page');
    expect(await (await fetch(`${relay.url}/local/logo.png`)).text()).toBe('of the primary');
    expect(await (await fetch(`${relay.url}/healthz?primary`)).text()).toBe('of the primary');
  });
});

describe('without its primary', () => {
  test('a relay reports it, and that the request was not executed', async () => {
    const { relay, server } = await before(() => new Response(''));
    await server.stop();
    const read = await fetch(`${relay.url}/api/calls`);
    expect([read.status, read.headers.get('retry-after')]).toEqual([503, '3']);
    expect(await read.json()).toEqual({
      error: 'The main server cannot be reached at the moment. Try again shortly.',
    });
    const write = await fetch(`${relay.url}/api/calls`, { method: 'POST', body: '{}' });
    expect(write.status).toBe(503);
    expect(await write.json()).toEqual({
      error: 'The main server cannot be reached at the moment. Nothing was changed. Try again shortly.',
    });
    expect((await fetch(`${relay.url}/page`)).status).toBe(200);
  });

  test('an unanswered request may have been executed: this is reported, and it is not sent again', async () => {
    let asked = 0;
    const server = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data(socket, bytes) {
          // The relay’s own requests arrive at any time.
          if (bytes.toString().startsWith('POST ')) asked += 1;
          socket.end();
        },
      },
    });
    fixture.later(() => server.stop(true));
    const relay = await fixture.start({ url: NOWHERE, primaryUrl: `http://127.0.0.1:${server.port}` });
    const write = await fetch(`${relay.url}/api/calls`, { method: 'POST', body: '{}' });
    expect(write.status).toBe(502);
    expect(await write.json()).toEqual({
      error:
        'The connection to the main server broke off, so your change may or may not have been made. Check before you try again.',
    });
    expect(asked).toBe(1);
  });
});

/** Sends a request to a server that ends idle connections after a second, and keeps the connection open. @returns what arrived */
function asked(answer: () => Response): Promise<string> {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 1,
    fetch: (request, { timeout }) =>
      inChunks(request, answer(), {
        keepOpen: (of) => timeout.call(server, of, 0),
        limitAgain: (of) => timeout.call(server, of, 1),
      }),
  });
  fixture.later(() => server.stop(true));
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(server.port ?? 0, '127.0.0.1');
  fixture.later(() => socket.destroy());
  let came = '';
  socket.on('data', (data) => (came += data.toString()));
  socket.on('close', () => resolve(came));
  socket.write('GET / HTTP/1.1\r\nhost: relay\r\n\r\n');
  return promise;
}

test('a chunked answer may be silent for long; once it is over its connection idles out like any other', async () => {
  const body = new ReadableStream({
    async pull(controller) {
      controller.enqueue('first');
      await Bun.sleep(6000);
      controller.enqueue('last');
      controller.close();
    },
  });
  expect(await asked(() => new Response(body))).toMatch(/first[^]{1,40}last/);
});
