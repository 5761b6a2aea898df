import { afterEach, describe, expect, test } from 'bun:test';
import { createLog, type LogLine } from '#lib/log.ts';
import { createConnections, IDLE_S } from '#platform/http/connections.ts';
import { type Handlers, listen, type Listening } from '#platform/http/listen.ts';

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
      inTurn: (_, work) => work(),
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

describe('a failure outside of every route', () => {
  const fail = (): never => {
    throw new Error('an inner secret');
  };
  const failing: [string, string, Partial<Handlers>][] = [
    ['the pages', '/', { assets: { respond: fail } }],
    ['the API as a whole', '/api/settings', { api: fail }],
  ];
  for (const [name, path, handlers] of failing) {
    test(`of ${name} gets a general answer and is logged with its cause`, async () => {
      const { url, lines } = start(handlers);
      const response = await fetch(`${url}${path}`);
      expect(response.status).toBe(500);
      expect(await response.json()).toEqual({ error: 'Something went wrong on the server. Try again.' });
      expect(lines.map(({ level, message }) => [level, message])).toEqual([
        ['error', 'A request failed before it reached a route'],
      ]);
      expect(lines[0]?.properties['error']).toMatchObject({ message: 'an inner secret' });
    });
  }
});

test('the length of an API address is limited before it is read, not counting the query', async () => {
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

describe('the idle timeout of a connection', () => {
  /** Its values, in s, before and after a route creates its answer. */
  async function timeouts(path: string, init: RequestInit = {}, isStream = false) {
    const connections = createConnections();
    const set: (number | 'answer')[] = [];
    const { url } = start({
      connections: {
        ...connections,
        note: (request, received, server) =>
          connections.note(request, received, {
            requestIP: (of) => server.requestIP(of),
            timeout: (_, seconds) => void set.push(seconds),
          }),
      },
      async api(request) {
        await Bun.sleep(0);
        if (isStream) connections.keepOpen(request);
        set.push('answer');
        return new Response();
      },
    });
    await fetch(`${url}${path}`, init);
    return set;
  }
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };

  test('is off while an answer is being created, because a client that waits is not idle', async () => {
    expect(await timeouts('/api/slow')).toEqual([0, 'answer', IDLE_S]);
    expect(await timeouts('/api/slow', json)).toEqual([0, 'answer', IDLE_S]);
  });

  test('stays off for a stream, and on while a file is read', async () => {
    expect(await timeouts('/api/stream', {}, true)).toEqual([0, 0, 'answer']);
    expect(await timeouts('/api/settings/transfer', json)).toEqual(['answer']);
  });
});
