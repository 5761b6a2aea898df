import { afterEach, describe, expect, test } from 'bun:test';
import { emptyStock } from '#market/rules/stock.ts';
import type { Delta, Snapshot } from '#market/rules/stream.ts';
import { type StreamClient } from '#support/streamClient.ts';
import { type StreamServer, has, startStreamServer, stateOf } from '#support/streamServer.ts';

let server: StreamServer;
afterEach(() => server.stop());

const start = (...args: Parameters<typeof startStreamServer>): StreamServer => {
  server = startStreamServer(...args);
  return server;
};

const snapshotAt = ({ events }: StreamClient, index: number) => events[index]?.data as Snapshot;
const deltaAt = ({ events }: StreamClient, index: number) => events[index]?.data as Delta;

describe('events', () => {
  test('a client receives the snapshot, then deltas with only the changed members', async () => {
    const { tick, client, market, hub, meta } = start();
    tick('AAA', 1.1);
    const reader = client();
    await reader.until(has(1));
    tick('AAA', 1.2);
    tick('BBB', 2);
    await reader.until(has(3));
    const [snapshot, first] = reader.events;
    expect(snapshot?.event).toBe('snapshot');
    const { meta: reported, fx } = snapshotAt(reader, 0);
    expect([reported, fx]).toEqual([
      { ...meta, stockCount: 1 },
      { data: {}, lastUpdated: null },
    ]);
    // Every member that the specification names is there, even if unknown.
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
    expect(deltaAt(reader, 2).fx).toEqual({ upsert: {}, delete: [], lastUpdated: null });
    market.remove(['BBB']);
    hub.publish(market.flush());
    await reader.until(has(4));
    expect(deltaAt(reader, 3).stocks).toEqual({ upsert: {}, delete: ['BBB'] });
    expect(reader.events.map(({ id }) => id)).toEqual(['run-1', 'run-2', 'run-3', 'run-4']);
  });

  test('the answer has the headers of a stream, and the reconnection delay', async () => {
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

  test('a quiet tick sends nothing, a change of the feed is sent', async () => {
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

  test('an unflushed change stays in its delta, so a value that returns is not missed', async () => {
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

test('our own page receives visible stocks first, then the rest, and only then a resumable id', async () => {
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

/** A client that listened and left: the next messages are kept in case it returns. */
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
  ])('sends only the missed deltas for a recent id in %s', async (_where, path, headers) => {
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
    'sends a snapshot for the id %s, which is too old or not ours',
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
});
