import { describe, expect, test } from 'bun:test';
import { createLog } from '#lib/log.ts';
import type { Snapshot } from '#market/rules/stream.ts';
import { Snapshots } from '#market/stream/snapshots.ts';
import type { Client } from '#platform/sse/client.ts';
import { Delivery } from '#platform/sse/delivery.ts';
import { loneMessage, type Message, toBytes } from '#platform/sse/message.ts';
import { aStock } from '#support/aStock.ts';
import { createHandScheduler } from '#support/handScheduler.ts';

const SECOND = 1000;
const log = createLog(() => undefined);

/** A connection that accepts this many bytes, and more on demand. */
function createConnection(room: number) {
  let free = room;
  let taken = 0;
  let copied = 0;
  let wake: (() => void) | null = null;
  return {
    write(bytes: Uint8Array): number | Promise<number> {
      taken += Math.min(free, bytes.byteLength);
      const missing = bytes.byteLength - free;
      free = Math.max(0, free - bytes.byteLength);
      if (missing <= 0) return bytes.byteLength;
      copied = missing;
      const { promise, resolve } = Promise.withResolvers<number>();
      wake = () => resolve(bytes.byteLength);
      return promise;
    },
    async read(bytes: number): Promise<void> {
      const rest = Math.min(copied, bytes);
      taken += rest;
      copied -= rest;
      if (copied > 0) return;
      free += bytes - rest;
      wake?.();
      await Bun.sleep(0);
    },
    taken: () => taken,
    copied: () => copied,
    close() {},
    end: () => 0,
    flush: () => 0,
    start() {},
  };
}

function setUp() {
  const clock = createHandScheduler(0);
  const cut: Request[] = [];
  const limits = {
    waitingBytes: 100_000,
    fullMs: 60 * SECOND,
    openingMs: 0,
    flightMs: 120 * SECOND,
    stuckMs: 15 * SECOND,
    flights: { all: 3, perAddress: 2 },
  };
  const delivery = new Delivery({ clock, log, limits, cutOff: (request) => cut.push(request) });
  /** Opens a stream with a snapshot of `bytes` bytes, over a connection that accepts `room` bytes. */
  async function open(name: string, room: number, { address = name, bytes = 1_000_000 } = {}) {
    const connection = createConnection(room);
    const client: Client = {
      request: new Request(`http://localhost/${name}`),
      address,
      gzip: false,
      audience: null,
      connection,
      waiting: null,
      fullSince: null,
      opening: null,
      flight: null,
      place: null,
      run: 0,
      refresh: () => ({ messages: [], next: null }),
      release() {
        client.opening?.cancel();
        client.opening = null;
        client.flight?.end();
      },
    };
    const snapshot = loneMessage(new Uint8Array(bytes));
    delivery.soon(client, () => ({ messages: [snapshot], next: null, hold: () => () => {} }));
    await Bun.sleep(1);
    return { client, connection };
  }
  return { clock, cut, delivery, open };
}

describe('an opening that is not read', () => {
  test('is passed to the connection in chunks: only one is copied at a time', async () => {
    const { open } = setUp();
    const { client, connection } = await open('slow', 100_000);
    expect(connection.copied()).toBeLessThanOrEqual(64 * 1024);
    for (let read = 0; read < 40; read += 1) {
      await connection.read(50_000);
      expect(connection.copied()).toBeLessThanOrEqual(64 * 1024);
    }
    expect(connection.taken()).toBe(1_000_000);
    expect(client.waiting).toBeNull();
  });

  test('of one address leaves room for others; further ones wait until one leaves', async () => {
    const { open, delivery } = setUp();
    const first = await open('a1', 0, { address: 'a' });
    await open('a2', 0, { address: 'a' });
    const third = await open('a3', 5_000_000, { address: 'a' });
    expect(third.connection.taken()).toBe(0);
    const other = await open('b1', 5_000_000, { address: 'b' });
    expect(other.connection.taken()).toBe(1_000_000);
    expect(delivery.openings()).toEqual({ inFlight: 2, waitingToOpen: 1 });
    first.client.release();
    await Bun.sleep(1);
    expect(third.connection.taken()).toBe(1_000_000);
    expect(delivery.openings()).toEqual({ inFlight: 1, waitingToOpen: 0 });
  });

  test('is disconnected after 15 s without progress, or after two minutes', async () => {
    const { open, delivery, clock, cut } = setUp();
    const dead = await open('dead', 0);
    const slow = await open('slow', 0, { bytes: 4_000_000 });
    const check = () => [dead, slow].map(({ client }) => delivery.takes(client, clock.monotonic()));
    for (let passed = 0; passed < 110; passed += 10) {
      clock.advance(10 * SECOND);
      await slow.connection.read(70_000);
      check();
    }
    expect(cut.map(({ url }) => url)).toEqual(['http://localhost/dead']);
    clock.advance(10 * SECOND);
    await slow.connection.read(70_000);
    check();
    expect(cut.map(({ url }) => url)).toEqual(['http://localhost/dead', 'http://localhost/slow']);
  });
});

test('snapshots held by slow clients are limited: then an older one is sent with all later changes', async () => {
  /** Creates one change per tick, and their snapshots. */
  function setUpSnapshots(stocks = 300) {
    const clock = createHandScheduler(0);
    const name = (seq: number): string => `State ${seq} ${'x'.repeat(44_000)}`;
    let seq = 1;
    const delta = (of: number): Message => loneMessage(toBytes(`delta ${of}\n`));
    const channel = {
      seq: () => seq,
      idOf: String,
      after: (since: number) => Array.from({ length: seq - since }, (_, index) => delta(since + 1 + index)),
    };
    const codes = Array.from({ length: stocks }, (_, index) => `S${index}`);
    const read = () => ({
      stocks: codes.map((code) => aStock({ code, name: name(seq) })),
      meta: { stockCount: 0 } as Snapshot['meta'],
      fx: { data: {}, lastUpdated: null },
    });
    const snapshots = new Snapshots({ read, channel, clock });
    /** What a plain client that joins now receives and holds until it has read it. */
    async function join() {
      const begun = snapshots.whole();
      await begun.after;
      const step = begun.next?.() ?? begun;
      const text = step.messages.map((message) => new TextDecoder().decode(message.plain())).join('');
      return { text, letGo: step.hold?.() ?? (() => {}) };
    }
    return { clock, snapshots, join, tick: () => (seq += 1) };
  }

  const { clock, join, tick, snapshots } = setUpSnapshots();
  const holders: (() => void)[] = [];
  for (let round = 1; round <= 12; round += 1) {
    const { text, letGo } = await join();
    // Every answer leads to the current state.
    expect(text).toContain(round <= 2 ? `State ${round} ` : `delta ${round}\n`);
    holders.push(letGo);
    clock.advance(5 * SECOND);
    tick();
  }
  // A version has 13 MB of text, so two exceed 24 MB.
  expect(snapshots.built()).toBe(2);
  expect(snapshots.held()).toBeLessThan(40_000_000);
  for (const letGo of holders) letGo();
  expect(snapshots.held()).toBe(0);
  const { text } = await join();
  expect(snapshots.built()).toBe(3);
  expect(text).toContain('State 13');
});
