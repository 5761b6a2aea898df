import { afterEach, describe, expect, test } from 'bun:test';
import { applyDelta, readStocks } from '../../../src/market/rules/applyDelta.ts';
import { emptyStock } from '../../../src/market/rules/stock.ts';
import type { Delta, Snapshot } from '../../../src/market/rules/stream.ts';
import { type StreamClient, type StreamEvent, createEventReader } from '../../support/streamClient.ts';
import { isDelta, isSnapshot } from '../../support/streamEvents.ts';
import { type StreamServer, startStreamServer } from '../../support/streamServer.ts';
import { type TestApp, createTestApp } from '../../support/testApp.ts';

let server: StreamServer;
afterEach(() => server.stop());

const start = (...args: Parameters<typeof startStreamServer>): StreamServer => {
  server = startStreamServer(...args);
  return server;
};

const has = (count: number) => (client: StreamClient) => client.events.length >= count;

function snapshotAt(client: StreamClient, index: number): Snapshot {
  const data = client.events[index]?.data;
  if (!isSnapshot(data)) throw new Error(`Event ${index} is no snapshot.`);
  return data;
}

function deltaAt(client: StreamClient, index: number): Delta {
  const data = client.events[index]?.data;
  if (!isDelta(data)) throw new Error(`Event ${index} is no delta.`);
  return data;
}

/** What a browser would know after these events. */
function stateOf(client: StreamClient): Record<string, number | null> {
  let stocks: ReturnType<typeof readStocks> = new Map();
  for (const { event, data } of client.events) {
    if (event === 'snapshot') stocks = readStocks((data as Snapshot).stocks);
    if (event === 'delta_update') stocks = applyDelta(stocks, data as Delta);
  }
  return Object.fromEntries([...stocks].map(([code, stock]) => [code, stock.last]).sort());
}

describe('events', () => {
  test('a client gets the snapshot, then deltas with changed members only', async () => {
    const { tick, client } = start();
    tick('AAA', 1.1);
    const reader = client();
    await reader.until(has(1));
    tick('AAA', 1.2);
    tick('BBB', 2);
    await reader.until(has(3));
    const [snapshot, first] = reader.events;
    expect(snapshot?.event).toBe('snapshot');
    // Every member that the specification names is there, also what is not known.
    expect(snapshotAt(reader, 0).stocks.AAA).toEqual({
      ...emptyStock('AAA'),
      status: 'Open',
      close: 1,
      last: 1.1,
      change: 0.1,
      change_percent: 10,
    });
    expect(first?.event).toBe('delta_update');
    expect(deltaAt(reader, 1).stocks).toEqual({
      upsert: { AAA: { last: 1.2, change: 0.2, change_percent: 20 } },
      delete: [],
    });
    expect(deltaAt(reader, 2).meta.stockCount).toBe(2);
    expect(reader.events.map(({ id }) => id)).toEqual(['run-1', 'run-2', 'run-3']);
  });

  test('the answer has the headers of a stream, and says when to reconnect', async () => {
    const { client } = start();
    const reader = client('/', {});
    await reader.until(has(1));
    const head = reader.head().toLowerCase();
    expect(head).toContain('200 ok');
    expect(head).toContain('content-type: text/event-stream');
    expect(head).toContain('cache-control: no-store, no-transform');
    expect(head).toContain('x-accel-buffering: no');
    expect(head).not.toContain('content-encoding');
    expect(reader.body().toString()).toStartWith('retry: ');
  });

  test('a quiet tick sends nothing, a change of the feed alone does', async () => {
    const { tick, client, hub, meta } = start();
    tick('AAA', 1);
    const reader = client();
    await reader.until(has(1));
    hub.publish(null);
    hub.publish(null);
    meta.feed = { ...meta.feed, healthy: false, problem: 'The feed is silent.' };
    hub.publish(null);
    await reader.until(has(2));
    expect(reader.events.length).toBe(2);
    expect(deltaAt(reader, 1).meta.feed?.problem).toBe('The feed is silent.');
    expect(deltaAt(reader, 1).stocks).toEqual({ upsert: {}, delete: [] });
  });

  test('a change not flushed yet is left to its delta, so that a value that comes back is never missed', async () => {
    const { tick, client, market, hub } = start();
    tick('AAA', 1);
    market.apply([{ code: 'AAA', last: 5 }]);
    const reader = client();
    await reader.until(has(1));
    market.apply([{ code: 'AAA', last: 1 }]);
    hub.publish(market.flush());
    tick('BBB', 1);
    await reader.until(has(2));
    expect(stateOf(reader)).toEqual({ AAA: 1, BBB: 1 });
  });
});

describe('our own page', () => {
  test('gets the stocks most wanted first, the rest after it, and only then an id that can be resumed', async () => {
    const limits = { waitingBytes: 1 << 20, fullMs: 60_000, openingMs: 20 };
    const { client, market, hub, tick } = start({ limits });
    const codes = Array.from({ length: 1000 }, (_, index) => `S${1000 + index}`);
    market.apply(codes.map((code, index) => ({ code, last: 1 + index / 1000, close: 1 })));
    hub.publish(market.flush());
    const reader = client('/?parts=1');
    await reader.until(has(1));
    tick('S1000', 9);
    await reader.until((it) => it.events.at(-1)?.id === 'run-2');
    const rest = reader.events.slice(1);
    const wanted = Object.keys(snapshotAt(reader, 0).stocks);
    expect(wanted.sort()).toEqual(codes.slice(-150));
    expect(snapshotAt(reader, 0).meta.stockCount).toBe(1000);
    expect(rest.map(({ event }) => event)).toEqual(rest.map(() => 'delta_update'));
    const ids = reader.events.map(({ id }) => id);
    expect(ids).toEqual(['run-1.1', 'run-1.2', 'run-1', 'run-2']);
    const state = stateOf(reader);
    expect(Object.keys(state).length).toBe(1000);
    expect(state.S1000).toBe(9);
    const again = client('/', { 'accept-encoding': 'gzip', 'last-event-id': 'run-1.2' });
    await again.until(has(1));
    expect(again.events[0]?.event).toBe('snapshot');
  });
});

describe('our own page on a scanner', () => {
  const rising = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      code: `S${1000 + index}`,
      status: 'Open' as const,
      open: 0.5,
      last: 0.5 + index / 1000,
      close: 0.5,
      value: 1e6,
    }));
  const limits = { waitingBytes: 1 << 20, fullMs: 60_000, openingMs: 20 };

  test('gets what that scanner begins with first, and then all there is', async () => {
    const { client, market, hub } = start({ limits });
    market.apply([
      ...rising(300),
      ...rising(300).map((stock) => ({ ...stock, code: `L${stock.code}`, open: 5 })),
    ]);
    hub.publish(market.flush());
    const reader = client('/?parts=1&scanner=intraDaySmall');
    await reader.until((it) => it.events.at(-1)?.id === 'run-1');
    const wanted = Object.keys(snapshotAt(reader, 0).stocks).sort();
    expect(wanted).toEqual(
      rising(300)
        .slice(-60)
        .map(({ code }) => code),
    );
    expect(snapshotAt(reader, 0).meta.stockCount).toBe(600);
    expect(reader.events.map(({ id }) => id)).toEqual(['run-1.0', 'run-1.1', 'run-1']);
    expect(Object.keys(stateOf(reader))).toHaveLength(600);
  });
});

/** Somebody who listened and left: what comes next is kept, as they may come back. */
async function listened({ client, hub }: StreamServer): Promise<void> {
  const reader = client('/');
  await reader.until(has(1));
  reader.leave();
  while (hub.clients() > 0) await Bun.sleep(2);
}

describe('resuming', () => {
  test.each([
    ['the header', '/', { 'last-event-id': 'run-2' }],
    ['the query', '/?lastEventId=run-2', {}],
  ])('a recent id in %s brings the missed deltas only', async (_where, path, headers) => {
    const { tick, client } = start();
    await listened(server);
    for (const last of [1, 2, 3, 4]) tick('AAA', last);
    const reader = client(path, { 'accept-encoding': 'gzip', ...headers });
    await reader.until(has(2));
    tick('AAA', 5);
    await reader.until(has(3));
    expect(reader.events.map(({ event, id }) => [event, id])).toEqual([
      ['delta_update', 'run-3'],
      ['delta_update', 'run-4'],
      ['delta_update', 'run-5'],
    ]);
  });

  test.each(['other-2', 'run-0', 'run-99', 'run-', 'run-1e1', 'nonsense', 'run--1'])(
    'the id %s, too old or not ours, brings a snapshot',
    async (id) => {
      const { tick, client } = start({ resume: { bytes: 1 << 20, ageMs: 1000 } });
      tick('AAA', 1);
      server.clock.time += 2000;
      tick('AAA', 2);
      tick('AAA', 3);
      const reader = client(`/?lastEventId=${id}`);
      await reader.until(has(1));
      expect(reader.events[0]).toMatchObject({ event: 'snapshot', id: 'run-3' });
    },
  );

  test('nothing is kept while nobody is left who could come back, and who comes gets a snapshot', async () => {
    const { tick, client, hub, clock } = start({ resume: { bytes: 1 << 20, ageMs: 60_000 } });
    const kept = (): number => hub.inspect().summary.resumeBytes;
    tick('AAA', 1);
    expect(kept()).toBe(0);
    await listened(server);
    tick('AAA', 2);
    clock.time += 60_000;
    tick('AAA', 3);
    expect(kept()).toBeGreaterThan(0);
    clock.time += 1;
    tick('AAA', 4);
    expect(kept()).toBe(0);
    const reader = client('/?lastEventId=run-3');
    await reader.until(has(1));
    tick('AAA', 5);
    await reader.until(has(2));
    expect(reader.events.map(({ event, id }) => [event, id])).toEqual([
      ['snapshot', 'run-4'],
      ['delta_update', 'run-5'],
    ]);
    expect(stateOf(reader)).toEqual({ AAA: 5 });
  });
});

describe('the route of the stream', () => {
  let app: TestApp;
  afterEach(() => app.close());

  test('GET /api/data/stream is public and begins with a snapshot of the market', async () => {
    app = createTestApp();
    app.parts.market.service.apply([{ code: 'BHP', name: 'BHP Group', last: 42.5, close: 42 }]);
    const response = await app.open('GET', '/api/data/stream');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toStartWith('text/event-stream');
    expect(app.parts.stream.service.clients()).toBe(1);
    const events: StreamEvent[] = [];
    const read = createEventReader((event) => events.push(event));
    const reader = response.body?.getReader();
    while (events.length === 0) {
      const piece = await reader?.read();
      if (!piece || piece.done) break;
      read(new TextDecoder().decode(piece.value));
    }
    expect(events[0]?.event).toBe('snapshot');
    expect(isSnapshot(events[0]?.data)).toBe(true);
    expect(events[0]?.data).toMatchObject({
      stocks: { BHP: { last: 42.5, change: 0.5 } },
      meta: { stockCount: 1 },
    });
    await reader?.cancel();
    expect(app.parts.stream.service.clients()).toBe(0);
  });

  test('GET /api/data/stream keeps the connection of a stream open, and of no refusal', async () => {
    let kept = 0;
    const keepOpen = (): void => void (kept += 1);
    app = createTestApp({ runtime: { keepOpen }, config: { streams: { all: 1, perAddress: 1 } } });
    await app.open('HEAD', '/api/data/stream');
    expect(kept).toBe(0);
    const stream = await app.open('GET', '/api/data/stream');
    expect((await app.open('GET', '/api/data/stream')).status).toBe(429);
    expect(kept).toBe(1);
    await stream.body?.cancel();
  });
});
