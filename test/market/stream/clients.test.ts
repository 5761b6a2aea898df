import { afterEach, describe, expect, test } from 'bun:test';
import { applyDelta, readStocks } from '../../../src/market/rules/applyDelta.ts';
import type { Stock } from '../../../src/market/rules/stock.ts';
import type { Delta, Snapshot } from '../../../src/market/rules/stream.ts';
import { beginningOf, byFirstShown } from '../../../src/market/stream/firstPart.ts';
import { aPreOpenStock, aStock } from '../../support/aStock.ts';
import type { StreamClient } from '../../support/streamClient.ts';
import { type StreamServer, startStreamServer } from '../../support/streamServer.ts';

let server: StreamServer;
afterEach(() => server.stop());

const has = (count: number) => (client: StreamClient) => client.events.length >= count;

async function eventually(what: string, ready: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 2000; attempt += 1) {
    if (ready()) return;
    await Bun.sleep(5);
  }
  throw new Error(`It never came about: ${what}`);
}

/** Names that do not compress, so that few ticks fill a client. */
const noise = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(48_000))).toString('base64');

/** Sends ticks until the server notices that the client does not read: first the system's own buffers fill. */
async function fill({ market, hub }: StreamServer): Promise<void> {
  for (let count = 0; count < 4000 && hub.inspect().summary.behind === 0; count += 1) {
    market.apply([{ code: 'BIG', name: noise() }]);
    hub.publish(market.flush());
    await Bun.sleep(1);
  }
  expect(hub.inspect().summary.behind).toBeGreaterThan(0);
}

describe('a client that leaves', () => {
  test('is released, also while nothing is sent', async () => {
    server = startStreamServer();
    const { client, hub } = server;
    const readers = Array.from({ length: 20 }, () => client());
    for (const reader of readers) await reader.until(has(1));
    expect(hub.clients()).toBe(20);
    for (const reader of readers.slice(0, 15)) reader.leave();
    await eventually('15 of 20 clients released', () => hub.clients() === 5);
  });
});

describe('a client that does not read', () => {
  const limits = { waitingBytes: 200_000, fullMs: 60_000, openingMs: 400 };

  test('misses messages beyond the limit, and gets a fresh snapshot when it reads again', async () => {
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
    await eventually('a fresh snapshot', () => {
      hub.publish(null);
      tick('CCC', Math.random() + 1);
      return hub.inspect().summary.resynchronised === 1;
    });
    tick('AAA', 77);
    await slow.until((it) => it.events.filter(({ event }) => event === 'snapshot').length === 2);
    await slow.until((it) => lastOf(it, 'AAA') === 77);
    expect(hub.inspect().summary.behind).toBe(0);
  });

  test('is cut off when it stays full', async () => {
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
    expect(lines.some(({ message }) => /cut off/.test(message))).toBe(true);
    slow.resume();
    await eventually('the connection ended', () => slow.ended());
  }, 20_000);
});

function lastOf(client: StreamClient, code: string): number | null | undefined {
  let stocks: ReturnType<typeof readStocks> = new Map();
  for (const { event, data } of client.events) {
    if (event === 'snapshot') stocks = readStocks((data as Snapshot).stocks);
    if (event === 'delta_update') stocks = applyDelta(stocks, data as Delta);
  }
  return stocks.get(code)?.last;
}

describe('shutdown', () => {
  test('ends every stream and refuses later ones with a sentence', async () => {
    server = startStreamServer();
    const { client, hub, port } = server;
    const readers = [client(), client('/', {}), client('/?parts=1')];
    for (const reader of readers) await reader.until(has(1));
    hub.close();
    expect(hub.clients()).toBe(0);
    for (const reader of readers) await eventually('the body’s end', () => reader.finished());
    const refused = await fetch(`http://127.0.0.1:${port}/`);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toEqual({ error: 'The server is stopping. Try again shortly.' });
  });
});

describe('limits of streams', () => {
  let server: StreamServer | null = null;
  afterEach(async () => {
    await server?.stop();
    server = null;
  });

  /** A hub whose callers name their address themselves. */
  function start(streams: { all: number; perAddress: number }): StreamServer {
    server = startStreamServer({ streams, clientAddress: (request) => request.headers.get('x-from') ?? '' });
    return server;
  }

  const asked = (from: string, more: RequestInit = {}): Request =>
    new Request('http://localhost/', { ...more, headers: { 'x-from': from } });

  const OF_ADDRESS =
    'Too many live streams are open from your address. Close some windows, or try again in a minute.';
  const OF_ALL = 'The server has as many live streams open as it serves. Try again in a minute.';

  describe('streams beyond the limit', () => {
    test('of one address are refused with a sentence and a time to wait; other addresses are served', async () => {
      const { hub } = start({ all: 10, perAddress: 2 });
      for (const from of ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.2']) {
        expect(hub.open(asked(from)).status).toBe(200);
      }
      const refused = hub.open(asked('192.0.2.1'));
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('30');
      expect(await refused.json()).toEqual({ error: OF_ADDRESS });
      expect(hub.clients()).toBe(4);
      // The same through an IPv6 socket; HEAD opens nothing.
      expect(hub.open(asked('::ffff:192.0.2.1')).status).toBe(429);
      expect(hub.open(asked('192.0.2.1', { method: 'HEAD' })).status).toBe(200);
    });

    test('of an IPv6 network count together', () => {
      const { hub } = start({ all: 10, perAddress: 1 });
      expect(hub.open(asked('2001:db8:1:2::3')).status).toBe(200);
      expect(hub.open(asked('2001:db8:1:2:9::9')).status).toBe(429);
      expect(hub.open(asked('2001:db8:1:3::3')).status).toBe(200);
    });

    test('of all are refused; callers whose address is not known count among all alone', async () => {
      const { hub } = start({ all: 3, perAddress: 1 });
      for (let index = 0; index < 3; index += 1) expect(hub.open(asked('')).status).toBe(200);
      const refused = hub.open(asked('192.0.2.1'));
      expect([refused.status, await refused.json()]).toEqual([503, { error: OF_ALL }]);
    });
  });

  describe('the place of a stream is free again', () => {
    const endings: Record<string, (hub: StreamServer['hub']) => Promise<void>> = {
      'after a cancel': async (hub) => hub.open(asked('192.0.2.1')).body?.cancel(),
      'after an abort': async (hub) => {
        const abort = new AbortController();
        hub.open(asked('192.0.2.1', { signal: abort.signal }));
        abort.abort();
      },
      'when the request was aborted before it was answered': async (hub) => {
        hub.open(asked('192.0.2.1', { signal: AbortSignal.abort() }));
      },
    };
    test.each(Object.entries(endings))('%s', async (_name, end) => {
      const { hub } = start({ all: 1, perAddress: 1 });
      for (let round = 0; round < 3; round += 1) {
        await end(hub);
        expect(hub.clients()).toBe(0);
      }
      expect(hub.open(asked('192.0.2.1')).status).toBe(200);
    });
  });
});

describe('the first part of a snapshot', () => {
  const META = { flags: { ignoreStatus: false }, dateToday: '2026-11-20' };
  const many = (count: number, prefix: string, make: (index: number) => Partial<Stock>): Stock[] =>
    Array.from({ length: count }, (_, index) => aStock({ code: `${prefix}${100 + index}`, ...make(index) }));
  const firstOf = (stocks: readonly Stock[]): Set<string> => {
    const ordered = byFirstShown(stocks, META);
    return new Set(ordered.stocks.slice(0, ordered.first).map(({ code }) => code));
  };

  /** Risers by percent that no table but the custom one shows, as their traded value is below the usual filter. */
  const unshown = many(500, 'U', () => ({ change_percent: 90, last: 0.01, value: 1 }));

  describe('what comes first', () => {
    test('holds the rows that each table begins with, though others rose more', () => {
      const small = many(40, 'S', (index) => ({ close: 0.5, last: 0.5 + index / 100, change_percent: 1 }));
      const large = many(40, 'L', (index) => ({ marketCap: 5e9, open: 30, last: 30, change_percent: index }));
      const preOpen = many(40, 'P', (index) => ({
        ...aPreOpenStock({ indicativeChangePercent: 1 + index }),
        code: `P${100 + index}`,
      }));
      const first = firstOf([...unshown, ...small, ...large, ...preOpen]);
      for (const prefix of ['S', 'L', 'P']) {
        for (let index = 139; index > 109; index -= 1) expect(first).toContain(`${prefix}${index}`);
      }
    });

    test('is filled up with those that rose most, and never more than a few screens', () => {
      expect(firstOf(unshown).size).toBe(150);
      expect(firstOf(unshown.slice(0, 20)).size).toBe(20);
      expect(firstOf([]).size).toBe(0);
      const all = many(900, 'M', (index) => ({
        marketCap: index % 2 ? 5e9 : 1e6,
        open: index % 3 ? 0.5 : 5,
        last: index,
      }));
      expect(firstOf(all).size).toBeLessThanOrEqual(180);
    });

    test('loses and doubles no stock', () => {
      const all = [...unshown, ...many(300, 'S', (index) => ({ last: index }))];
      const { stocks } = byFirstShown(all, META);
      expect(stocks.map(({ code }) => code).sort()).toEqual(all.map(({ code }) => code).sort());
    });
  });

  describe('what one scanner begins with', () => {
    const codesOf = (...given: Parameters<typeof beginningOf>) =>
      beginningOf(...given).map(({ code }) => code);

    test('is the top of its table and nothing of the others', () => {
      const small = many(90, 'S', (index) => ({ close: 0.5, open: 0.5, last: 0.5 + index / 100, change: 1 }));
      const large = many(90, 'L', (index) => ({ marketCap: 5e9, open: 30, last: 30 + index }));
      const codes = codesOf('intraDaySmall', [...unshown, ...small, ...large], META);
      expect(codes.sort()).toEqual(small.slice(30).map(({ code }) => code));
    });

    test('of the pre-market scanner is the top of both its tables', () => {
      const snapshot = {
        capturedAt: '2026-11-19T22:59:00.000Z',
        match_price: 0.5,
        match_vol: 100_000,
        match_value: 50_000,
        buy_surplus: 0,
      };
      const waiting = many(90, 'P', (index) => ({
        ...aPreOpenStock({ indicativeChangePercent: 1 + index }),
        code: `P${100 + index}`,
      }));
      const opened = many(90, 'O', (index) => ({
        preOpen: { snapshot: { ...snapshot, indicativeChangePercent: 1 + index } },
      }));
      const codes = codesOf('preMarket', [...waiting, ...opened], META);
      expect(codes.sort()).toEqual([...opened.slice(60), ...waiting.slice(60)].map(({ code }) => code));
    });
  });
});
