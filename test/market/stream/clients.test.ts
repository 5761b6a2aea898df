import { afterEach, describe, expect, test } from 'bun:test';
import { type Delta, type Snapshot } from '../../../src/market/rules/stream.ts';
import { applyDelta, readStocks } from '../../../src/market/rules/applyDelta.ts';
import type { StreamClient } from '../../support/streamClient.ts';
import { startStreamServer, type StreamServer } from '../../support/streamServer.ts';

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

  test('before the rest of its opening came is released with it', async () => {
    server = startStreamServer({ limits: { waitingBytes: 1 << 20, fullMs: 60_000, openingMs: 50 } });
    const { client, hub, tick, lines } = server;
    tick('AAA', 1);
    const reader = client('/?parts=1');
    await reader.until(has(1));
    reader.leave();
    await eventually('the client released', () => hub.clients() === 0);
    await Bun.sleep(80);
    expect(lines.filter(({ level }) => level !== 'info')).toEqual([]);
  });

  test('in process, by cancel or by abort, is released at once', async () => {
    server = startStreamServer();
    const { hub } = server;
    const body = hub.open(new Request('http://localhost/')).body;
    expect(hub.clients()).toBe(1);
    await body?.cancel();
    expect(hub.clients()).toBe(0);
    const abort = new AbortController();
    hub.open(new Request('http://localhost/', { signal: abort.signal }));
    expect(hub.clients()).toBe(1);
    abort.abort();
    expect(hub.clients()).toBe(0);
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

  test('gets everything in its order once it reads again, when that is not more than the limit', async () => {
    server = startStreamServer({ limits: { ...limits, waitingBytes: 64 << 20 } });
    const { client, hub, market, tick } = server;
    const slow = client();
    await slow.until(has(1));
    slow.pause();
    const count = 200;
    for (let last = 1; last <= count; last += 1) {
      market.apply([{ code: 'BIG', name: noise(), last }]);
      hub.publish(market.flush());
      if (last % 50 === 0) await Bun.sleep(1);
    }
    slow.resume();
    tick('AAA', 1);
    await slow.until((it) => lastOf(it, 'AAA') === 1);
    const deltas = slow.events.filter(({ event }) => event === 'delta_update');
    const lasts = deltas.map(({ data }) => (data as Delta).stocks.upsert['BIG']?.last);
    expect(lasts.slice(0, count)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    expect(hub.inspect().summary).toMatchObject({ dropped: 0, resynchronised: 0, behind: 0 });
  });

  test('costs the others nothing', async () => {
    server = startStreamServer({ limits });
    const { client, tick, hub } = server;
    const [slow, quick] = [client(), client()];
    await slow.until(has(1));
    await quick.until(has(1));
    slow.pause();
    await fill(server);
    tick('AAA', 42);
    await quick.until((it) => lastOf(it, 'AAA') === 42);
    expect(hub.inspect().summary.behind).toBe(1);
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
