import { afterEach, describe, expect, test } from 'bun:test';
import type { Stock } from '#market/rules/stock.ts';
import { beginningOf, byFirstShown } from '#market/stream/snapshots.ts';
import { aPreOpenStock, aStock } from '#support/aStock.ts';
import { type StreamServer, has, startStreamServer, stateOf } from '#support/streamServer.ts';
import { createTestApp } from '#support/testApp.ts';
import { waitUntil } from '#support/waitUntil.ts';

let server: StreamServer;
afterEach(() => server.stop());

/** Names that do not compress, so that few ticks fill a client. */
const noise = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(48_000))).toString('base64');

/** Sends ticks until the server notices that the client does not read; the system’s buffers fill first. */
async function fill({ market, hub }: StreamServer): Promise<void> {
  for (let count = 0; count < 4000 && hub.inspect().summary.behind === 0; count += 1) {
    market.apply([{ code: 'BIG', name: noise() }]);
    hub.publish(market.flush());
    await Bun.sleep(1);
  }
  expect(hub.inspect().summary.behind).toBeGreaterThan(0);
}

test('a client that leaves is released, even if nothing is sent', async () => {
  server = startStreamServer();
  const { client, hub } = server;
  const readers = Array.from({ length: 20 }, () => client());
  for (const reader of readers) await reader.until(has(1));
  expect(hub.clients()).toBe(20);
  for (const reader of readers.slice(0, 15)) reader.leave();
  await waitUntil('15 of 20 clients released', () => hub.clients() === 5);
});

describe('a client that does not read', () => {
  const limits = { waitingBytes: 200_000, fullMs: 60_000, openingMs: 400 };

  test('misses messages beyond the limit, and receives a fresh snapshot when it reads again', async () => {
    server = startStreamServer({ limits });
    const { client, hub, tick } = server;
    tick('AAA', 1);
    const slow = client();
    await slow.until(has(1));
    slow.pause();
    await fill(server);
    const given = hub.inspect().summary.bytes;
    for (let last = 2; last < 50; last += 1) tick('AAA', last);
    expect(hub.inspect().summary.bytes).toBe(given);
    expect(hub.inspect().summary.dropped).toBeGreaterThan(40);
    slow.resume();
    await waitUntil('a fresh snapshot', () => {
      hub.publish(null);
      tick('CCC', Math.random() + 1);
      return hub.inspect().summary.resynchronised === 1;
    });
    tick('AAA', 77);
    await slow.until((it) => it.events.filter(({ event }) => event === 'snapshot').length === 2);
    await slow.until((it) => stateOf(it).AAA === 77);
    expect(hub.inspect().summary.behind).toBe(0);
  });

  test('is disconnected if it stays full', async () => {
    server = startStreamServer({ limits });
    const { client, hub, tick, clock, lines } = server;
    const slow = client();
    await slow.until(has(1));
    slow.pause();
    await fill(server);
    clock.time += 59_000;
    tick('AAA', 1);
    expect(hub.clients()).toBe(1);
    clock.time += 2_000;
    tick('AAA', 2);
    expect(hub.inspect().summary).toMatchObject({ clients: 0, cutOff: 1 });
    expect(lines.some(({ message }) => /Disconnected a stream client/.test(message))).toBe(true);
    slow.resume();
    await waitUntil('the connection ended', () => slow.ended());
  });
});

test('shutdown ends every stream and refuses later ones with a sentence', async () => {
  server = startStreamServer();
  const { client, hub, port } = server;
  const readers = [client(), client('/', {}), client('/?parts=1')];
  for (const reader of readers) await reader.until(has(1));
  hub.close();
  expect(hub.clients()).toBe(0);
  for (const reader of readers) await waitUntil('the body’s end', () => reader.finished());
  const refused = await fetch(`http://127.0.0.1:${port}/`);
  expect(refused.status).toBe(503);
  expect(await refused.json()).toEqual({ error: 'The server is stopping. Try again shortly.' });
});

describe('streams beyond the limit', () => {
  /** A hub whose callers choose their address. */
  const start = (streams: { all: number; perAddress: number }): StreamServer =>
    (server = startStreamServer({ streams, clientAddress: ({ headers }) => headers.get('x-from') ?? '' }));
  const asked = (from: string, more: RequestInit = {}): Request =>
    new Request('http://localhost/', { ...more, headers: { 'x-from': from } });

  test('per address are refused with a sentence and a time to wait; other addresses are served', async () => {
    const { hub } = start({ all: 10, perAddress: 2 });
    for (const from of ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.2']) {
      expect(hub.open(asked(from)).status).toBe(200);
    }
    const refused = hub.open(asked('192.0.2.1'));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(await refused.json()).toEqual({
      error:
        'Too many live streams are open from your address. Close some windows, or try again in a minute.',
    });
    // The same address over IPv6; HEAD opens nothing.
    expect(hub.open(asked('::ffff:192.0.2.1')).status).toBe(429);
    expect(hub.open(asked('192.0.2.1', { method: 'HEAD' })).status).toBe(200);
  });

  test('in total are refused; callers with an unknown address count only towards the total', () => {
    const { hub } = start({ all: 3, perAddress: 1 });
    for (let index = 0; index < 3; index += 1) expect(hub.open(asked('')).status).toBe(200);
    expect(hub.open(asked('192.0.2.1')).status).toBe(503);
  });

  test('of 400 per minute are refused with the time to wait, then served again', async () => {
    const { hub, clock } = start({ all: 1000, perAddress: 200 });
    const openAndLeave = async (from: string): Promise<Response> => {
      const response = hub.open(asked(from));
      if (response.status === 200) await response.body?.cancel();
      return response;
    };
    for (let count = 0; count < 400; count += 1) {
      expect((await openAndLeave('192.0.2.1')).status).toBe(200);
      if (count === 199) clock.time += 20_000;
    }
    const refused = await openAndLeave('192.0.2.1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40']);
    expect(await refused.json()).toEqual({
      error: 'Too many live streams were opened from your address within a minute. Try again in 40 seconds.',
    });
    expect((await openAndLeave('192.0.2.2')).status).toBe(200);
    clock.time += 40_000;
    expect((await openAndLeave('192.0.2.1')).status).toBe(200);
  });

  test('are served after one was cancelled, or aborted before or after its answer', async () => {
    const { hub } = start({ all: 1, perAddress: 1 });
    await hub.open(asked('192.0.2.1')).body?.cancel();
    hub.open(asked('192.0.2.1', { signal: AbortSignal.abort() }));
    const abort = new AbortController();
    expect(hub.open(asked('192.0.2.1', { signal: abort.signal })).status).toBe(200);
    abort.abort();
    expect(hub.open(asked('192.0.2.1')).status).toBe(200);
  });
});

test('the connection of a stream is kept open, that of a refusal or HEAD is not', async () => {
  let kept = 0;
  const app = createTestApp({
    runtime: { keepOpen: () => void (kept += 1) },
    config: { streams: { all: 1, perAddress: 1 } },
  });
  await app.open('HEAD', '/api/data/stream');
  const stream = await app.open('GET', '/api/data/stream');
  expect((await app.open('GET', '/api/data/stream')).status).toBe(429);
  expect(kept).toBe(1);
  await stream.body?.cancel();
  app.close();
});

describe('the start of a stream', () => {
  const META = { flags: { ignoreStatus: false }, dateToday: '2026-11-20' };
  const many = (prefix: string, make: (index: number) => Partial<Stock>): Stock[] =>
    Array.from({ length: 90 }, (_, index) => aStock({ code: `${prefix}${100 + index}`, ...make(index) }));
  /** Top risers in no table but the custom one, because their traded value is below the default filter. */
  const unshown = many('U', () => ({ change_percent: 90, last: 0.01, value: 1 }));
  const small = many('S', (index) => ({ close: 0.5, open: 0.5, last: 0.5 + index / 100, change_percent: 1 }));
  const large = many('L', (index) => ({ marketCap: 5e9, open: 30, last: 30, change_percent: index }));
  const preOpen = many('P', (index) => ({
    ...aPreOpenStock({ indicativeChangePercent: 1 + index }),
    code: `P${100 + index}`,
  }));
  const all = [...unshown, ...small, ...large, ...preOpen];

  test('contains the first rows of each table, though others rose more', () => {
    const ordered = byFirstShown(all, META);
    const first = new Set(ordered.stocks.slice(0, ordered.first).map(({ code }) => code));
    for (const prefix of ['S', 'L', 'P']) {
      for (let index = 189; index > 159; index -= 1) expect(first).toContain(`${prefix}${index}`);
    }
    expect(first.size).toBeLessThanOrEqual(180);
    expect(ordered.stocks.map(({ code }) => code).sort()).toEqual(all.map(({ code }) => code).sort());
  });

  test('of one scanner contains the top of its table and no other', () => {
    const codes = beginningOf('intraDaySmall', all, META).map(({ code }) => code);
    expect(codes.sort()).toEqual(small.slice(30).map(({ code }) => code));
  });
});
