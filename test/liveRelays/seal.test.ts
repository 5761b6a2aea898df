import { describe, expect, test } from 'bun:test';
import { createSeal } from '#src/relays/redis/relayMessages.ts';
import { at, engineFixture, problemOf, SECRET, textsOf } from '../support/engineFixture.ts';
import type { RedisServer } from '../support/redisServer.ts';

const fixture = engineFixture();
const bytes = crypto.getRandomValues(new Uint8Array(1000));
const plain = (opened: Uint8Array | null): number[] | null => opened && [...opened];

describe('a sealed message', () => {
  const seal = createSeal(SECRET);

  test('opens where it was made for, and shows nothing', () => {
    const text = new TextEncoder().encode('a price of 12.50');
    const sealed = seal.seal('frame 1-1', text);
    expect(plain(createSeal(SECRET).open('frame 1-1', sealed))).toEqual([...text]);
    expect(atob(sealed)).not.toContain('price');
    expect(seal.seal('frame 1-1', text)).not.toBe(sealed);
    expect(plain(seal.open('a', seal.seal('a', new Uint8Array())))).toEqual([]);
  });

  test('opens nowhere else and with no other secret', () => {
    const sealed = seal.seal('frame 1-1', bytes);
    expect(seal.open('frame 1-2', sealed)).toBeNull();
    expect(seal.open('snapshot', sealed)).toBeNull();
    expect(createSeal(`${SECRET}.`).open('frame 1-1', sealed)).toBeNull();
  });

  test('does not open with any byte changed, truncated anywhere, or from other data', () => {
    const sealed = Buffer.from(seal.seal('a', bytes.subarray(0, 40)), 'base64');
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(seal.open('a', changed.toString('base64'))).toBeNull();
      expect(seal.open('a', sealed.subarray(0, index).toString('base64'))).toBeNull();
    }
    for (const garbage of ['', 'x', '€', '\0'.repeat(100), 'A'.repeat(1000)]) {
      expect(seal.open('a', garbage)).toBeNull();
    }
  });
});

const add = (server: RedisServer, id: string, ...fields: string[]) =>
  server.cli('XADD', 'bellbird:frames', id, ...fields);

describe('data that another client writes to Redis', () => {
  test('is skipped among the messages, and logged once', async () => {
    const server = await fixture.redis();
    const primary = await fixture.connected(server.url);
    const stranger = await fixture.connected(server.url, { secret: 'another secret of 32 characters!' });
    await primary.publish(at(1, 1));
    await stranger.publish(at(1, 2));
    const [[, fields]] = (await server.cli('XRANGE', 'bellbird:frames', '1-1', '1-1')) as [
      [string, string[]],
    ];
    const good = fields[1] ?? '';
    await add(server, '1-3', 'm', good);
    await add(server, '1-4', 'm', good.slice(0, 40));
    await add(server, '1-5', 'm', `${good.slice(0, 30)}${good[30] === 'A' ? 'B' : 'A'}${good.slice(31)}`);
    await add(server, '1-6', 'other', 'field', 'and', 'another');
    await add(server, '1-7', 'm', '');
    await primary.publish(at(1, 8));
    const relay = await fixture.connected(server.url);
    expect(textsOf(await relay.read(null, 1000))).toEqual(['1-1', '1-8']);
    expect(relay.leftOut()).toBe(6);
    expect(relay.lines).toEqual([
      {
        level: 'warn',
        name: 'bellbird',
        message: expect.stringContaining('was not sealed with BELLBIRD_RELAY_SECRET'),
        properties: { place: 'frame 1-2' },
      },
    ]);
  });

  test('is skipped in any amount, and the messages behind it are read', async () => {
    const server = await fixture.redis();
    const relay = await fixture.connected(server.url);
    for (let number = 1; number <= 200; number += 1) await add(server, `1-${number}`, 'm', 'garbage');
    while (relay.leftOut() < 200) expect(await relay.read(null, 5)).toEqual([]);
    expect(await relay.read(null, 5)).toEqual([]);
    expect(relay.leftOut()).toBe(200);
    const primary = await fixture.connected(server.url);
    expect(await primary.newest()).toEqual({ run: 1, number: 200 });
    await primary.publish(at(2, 1));
    expect(textsOf(await relay.read(null, 50_000))).toEqual(['2-1']);
    expect(relay.lines).toHaveLength(1);
  });

  test('is ignored under the names of snapshot, lock and reports', async () => {
    const server = await fixture.redis();
    const client = await fixture.connected(server.url);
    await server.cli('SET', 'bellbird:snapshot', 'garbage');
    await server.cli('SET', 'bellbird:report:r1', 'garbage');
    await server.cli('RPUSH', 'bellbird:report:r2', 'a', 'list');
    await server.cli('SET', 'bellbird:report:an id with spaces', 'garbage');
    await server.cli('SET', 'bellbird:lease', 'garbage');
    expect(await client.snapshot()).toBeNull();
    expect(await client.reports()).toEqual([]);
    const lease = { instance: 'a', name: 'A', since: 1 };
    // A primary with another secret may be alive; a lock that outlasts its time is taken over.
    await server.cli('PEXPIRE', 'bellbird:lease', '14000');
    expect(await problemOf(client.holdLock(lease))).toMatch('with another BELLBIRD_RELAY_SECRET');
    await server.cli('PERSIST', 'bellbird:lease');
    expect(await client.holdLock(lease)).toBeNull();
    expect(client.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });
});
