import { describe, expect, test } from 'bun:test';
import { PROTOCOL } from '#src/relays/redis/relayMessage.ts';
import type { RelayReport } from '#src/relays/redis/types.ts';
import { at, engineFixture, errorOf, problemOf, textsOf } from '../support/engineFixture.ts';

const fixture = engineFixture();

describe('messages in Redis', () => {
  test('are never doubled: a second primary with a smaller or equal position is refused', async () => {
    const { url } = await fixture.redis();
    const first = await fixture.connected(url);
    const second = await fixture.connected(url);
    await first.publish(at(7, 1));
    for (const [run, number] of [
      [7, 1],
      [6, 9],
    ] as const) {
      expect(await errorOf(second.publish(at(run, number, 'other')))).toMatchObject({
        name: 'EngineError',
        reason: 'order',
        message: 'Redis already has a message at this position or a later one.',
      });
    }
    await second.publish(at(8, 1));
    expect(textsOf(await first.read(null, 0))).toEqual(['7-1', '8-1']);
  });

  test('are dropped when they are old', async () => {
    const { url } = await fixture.redis();
    const primary = await fixture.connected(url, { keptFrames: 10 });
    const frame = (number: number) => at(1, number, 'x'.repeat(5000));
    await Promise.all(Array.from({ length: 100 }, (_, index) => primary.publish(frame(index + 1))));
    const placed = await primary.read(null, 0);
    expect(placed.length).toBeGreaterThanOrEqual(10);
    expect(placed.length).toBeLessThan(30);
    expect(placed.at(-1)?.position).toEqual({ run: 1, number: 100 });
  });
});

const one = { instance: 'one', name: 'host one', since: 1 };
const two = { instance: 'two', name: 'host two', since: 2 };

describe('the lock', () => {
  test('is held by one instance until it releases it', async () => {
    const server = await fixture.redis();
    const first = await fixture.connected(server.url);
    const second = await fixture.connected(server.url);
    expect(await first.holdLock(one)).toBeNull();
    expect(await second.holdLock(two)).toEqual(one);
    // As after a restart: another process on the same data folder.
    const again = { ...one, since: 5 };
    expect(await second.holdLock(again)).toBeNull();
    expect(await first.holdLock(two)).toEqual(again);
    await second.releaseLock('two');
    expect(await second.holdLock(two)).toEqual(again);
    await second.releaseLock('one');
    expect(await second.holdLock(two)).toBeNull();
    expect(await first.holdLock(one)).toEqual(two);
    await first.releaseLock('nobody');
  });

  test('lasts fifteen seconds from its last renewal', async () => {
    const server = await fixture.redis();
    const client = await fixture.connected(server.url);
    await client.holdLock(one);
    const left = async (): Promise<number> => Number(await server.cli('PTTL', 'bellbird:lease'));
    expect(await left()).toBeWithin(2001, 15_001);
    await server.cli('PEXPIRE', 'bellbird:lease', '2000');
    await client.holdLock(one);
    expect(await left()).toBeWithin(2001, 15_001);
    await server.cli('PEXPIRE', 'bellbird:lease', '0');
    expect(await client.holdLock(two)).toBeNull();
  });

  test('of another secret is not taken away', async () => {
    const server = await fixture.redis();
    const stranger = await fixture.connected(server.url, { secret: 'another secret of 32 characters!' });
    expect(await stranger.holdLock(two)).toBeNull();
    const client = await fixture.connected(server.url);
    expect(await problemOf(client.holdLock(one))).toMatch('another BELLBIRD_RELAY_SECRET');
    expect(await problemOf(client.releaseLock('two'))).toMatch('another BELLBIRD_RELAY_SECRET');
    expect(await stranger.holdLock(two)).toBeNull();
  });
});

const report = (id: string, pages = 1): RelayReport => ({
  protocol: PROTOCOL,
  version: '1',
  commit: 'c',
  id,
  name: `relay ${id}`,
  startedAt: 1,
  pages,
  alertPages: 0,
  bytes: 0,
  position: null,
  addresses: {},
  alertAddresses: {},
});

describe('reports', () => {
  test('exist until they are withdrawn, among any other keys in Redis', async () => {
    const server = await fixture.redis();
    await server.cli('EVAL', "for i = 1, 5000 do redis.call('SET', 'other:' .. i, 'x') end", '0');
    const client = await fixture.connected(server.url);
    expect(await client.reports()).toEqual([]);
    for (const id of ['b', 'a', 'c']) await client.report(report(id));
    await client.report(report('b', 7));
    expect(await client.reports()).toEqual([report('a'), report('b', 7), report('c')]);
    await client.unreport('b');
    await client.unreport('b');
    expect(await client.reports()).toEqual([report('a'), report('c')]);
  });

  test('are gone after ten seconds', async () => {
    const server = await fixture.redis();
    const client = await fixture.connected(server.url);
    await client.report(report('a'));
    expect(Number(await server.cli('PTTL', 'bellbird:report:a'))).toBeWithin(1, 10_001);
    await server.cli('PEXPIRE', 'bellbird:report:a', '0');
    expect(await client.reports()).toEqual([]);
  });

  test('do not open under the name of another relay', async () => {
    const server = await fixture.redis();
    const client = await fixture.connected(server.url);
    await client.report(report('a'));
    await server.cli('RENAME', 'bellbird:report:a', 'bellbird:report:b');
    expect(await client.reports()).toEqual([]);
    expect(client.leftOut()).toBe(1);
    expect(await problemOf(client.report(report('not an id')))).toMatch('letters, digits, _ or -');
  });
});

test('a snapshot replaces the one before, also a large one', async () => {
  const server = await fixture.redis();
  const client = await fixture.connected(server.url);
  expect(await client.snapshot()).toBeNull();
  const head = { protocol: PROTOCOL, version: '1', commit: 'c', position: { run: 1, number: 2 }, epoch: 'e' };
  const rest = { seq: 3, streams: { all: 10, perAddress: 5 } };
  const packed = new Uint8Array(3_000_000).map((_, index) => (index * 7919) >> 3);
  await client.keepSnapshot({ ...head, ...rest, packed: Uint8Array.of(1) });
  await client.keepSnapshot({ ...head, ...rest, packed });
  const read = await client.snapshot();
  expect(read).toMatchObject({ ...head, ...rest });
  expect(read && Buffer.compare(read.packed, packed)).toBe(0);
});

describe('a relay that asks for an answer of the primary', () => {
  test('is one of any number that ask, and the request is gone once it was read', async () => {
    const { url } = await fixture.redis();
    const primary = await fixture.connected(url);
    const relays = await Promise.all([fixture.connected(url), fixture.connected(url)]);
    expect(await primary.wasAsked()).toBeFalse();
    for (let turn = 0; turn < 50; turn += 1) await Promise.all(relays.map((relay) => relay.askForWord()));
    expect([await primary.wasAsked(), await primary.wasAsked()]).toEqual([true, false]);
  });

  test('is heard even if its request was overwritten, and the written text is ignored', async () => {
    const { url, cli } = await fixture.redis();
    const [primary, relay] = [await fixture.connected(url), await fixture.connected(url)];
    for (let turn = 0; turn < 20; turn += 1) await cli('RPUSH', 'bellbird:question', 'x'.repeat(1_000_000));
    expect([await primary.wasAsked(), await primary.wasAsked()]).toEqual([true, false]);
    await relay.askForWord();
    expect(await primary.wasAsked()).toBeTrue();
  });
});
