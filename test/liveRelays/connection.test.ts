import { describe, expect, test } from 'bun:test';
import type { Scheduler } from '../../src/lib/scheduler.ts';
import { timerScheduler } from '../../src/lib/scheduler.ts';
import { createEngine } from '../../src/relays/engine/engine.ts';
import { readEngineAddress } from '../../src/relays/engine/address.ts';
import { createLog } from '../../src/lib/log.ts';
import { freePort } from '../support/executable.ts';
import { at, engineStage, errorOf, problemOf, SECRET, textsOf } from '../support/engineStage.ts';
import { waitUntil } from '../support/waitUntil.ts';

const stage = engineStage();
/** Everything is tried, and given up, twenty times as soon. */
const hurried: Scheduler = (ms, run) => timerScheduler(ms / 20, run);

/** What a client tells of an engine that it can't connect to. */
async function problemAt(url: string): Promise<string> {
  const client = stage.client(url, { schedule: hurried });
  await waitUntil('a problem', () => client.told.length > 0);
  expect(client.told).toEqual([`down: ${client.problem()}`]);
  return client.problem() ?? '';
}

describe('addresses', () => {
  test.each([
    ['redis://127.0.0.1', 'redis://127.0.0.1', 6379],
    ['redis://joe:pw@engine.example:7000/2', 'redis://engine.example:7000/2', 7000],
    ['rediss://:p%40w@[::1]:7001', 'rediss://[::1]:7001', 7001],
  ])('%s', (text, shown, port) => {
    expect(readEngineAddress(text)).toMatchObject({ url: text, shown, port });
  });

  test.each(['', 'redis', 'http://127.0.0.1', 'redis://', 'redis://a/b', 'redis://a?b=c', 'valkey://a'])(
    'not: %s',
    (text) => expect(readEngineAddress(text)).toBeNull(),
  );

  test('no engine is made for what is none, and its password is not said', () => {
    const options = { secret: SECRET, clock: performanceClock, log: createLog(() => undefined) };
    expect(() => createEngine({ url: 'http://:hunter2@x', ...options })).toThrow('of the form redis://');
  });
});

const performanceClock = { monotonic: () => performance.now() };

describe('an engine that can not be connected to', () => {
  test('is not running', async () => {
    const port = await freePort();
    expect(await problemAt(`redis://:hunter2@127.0.0.1:${port}`)).toBe(
      `Nothing answers at redis://127.0.0.1:${port}: the message engine is not running there.`,
    );
  });

  test('asks for a password', async () => {
    const server = await stage.redis({ password: 'p@ss/w:rd%' });
    const bare = `127.0.0.1:${server.port}`;
    expect(await problemAt(`redis://${bare}`)).toContain('asks for a password');
    expect(await problemAt(`redis://:hunter2@${bare}`)).toContain('does not accept the user and password');
    expect(await problemAt(`redis://joe:hunter2@${bare}`)).toContain('does not accept the user and password');
    const client = await stage.connected(server.url);
    expect(client.told).toEqual(['up']);
  });

  test('does not answer, or in another language', async () => {
    const mute = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } });
    const web = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('hello') });
    try {
      expect(await problemAt(`redis://127.0.0.1:${mute.port}`)).toContain('does not answer');
      expect(await problemAt(`redis://127.0.0.1:${web.port}`)).toContain(
        'The connection to the message engine',
      );
    } finally {
      mute.stop(true);
      await web.stop(true);
    }
  });

  test('ends each connection: none is left behind, however often it is tried', async () => {
    const seen = { begun: 0, ended: 0 };
    const socket = {
      data: () => undefined,
      open: (one: { end(): void }) => {
        seen.begun += 1;
        one.end();
      },
      close: () => void (seen.ended += 1),
    };
    const rude = Bun.listen({ hostname: '127.0.0.1', port: 0, socket });
    const client = stage.client(`redis://127.0.0.1:${rude.port}`, { schedule: hurried });
    await waitUntil('some attempts', () => seen.begun >= 10);
    await client.stop();
    await waitUntil('the ends', () => seen.ended === seen.begun);
    rude.stop(true);
    expect(client.told).toHaveLength(1);
  });

  test('is up as soon as it is there', async () => {
    const server = await stage.redis();
    await server.kill();
    const client = stage.client(server.url, { schedule: hurried });
    await waitUntil('an attempt', () => client.told.length > 0);
    await server.restart();
    await waitUntil('the engine', () => client.isUp());
    expect(client.told.at(-1)).toBe('up');
  });
});

describe('an engine that', () => {
  test('stops answering without ending the connection is given up, and found again', async () => {
    const server = await stage.redis();
    const client = await stage.connected(server.url, { schedule: hurried });
    await client.publish(at(1, 1));
    const reading = client.read({ run: 1, number: 1 }, 50_000);
    reading.catch(() => undefined);
    server.pause();
    try {
      expect(await errorOf(client.publish(at(1, 2)))).toMatchObject({
        reason: 'down',
        message: `The message engine at redis://127.0.0.1:${server.port} does not answer.`,
      });
      expect(await errorOf(reading)).toMatchObject({ name: 'EngineError', reason: 'down' });
      expect(client.isUp()).toBe(false);
    } finally {
      server.resume();
    }
    await waitUntil('the engine again', () => client.isUp());
    // What was not answered may have been done all the same.
    expect(textsOf(await client.read(null, 1000))[0]).toBe('1-1');
    expect(client.told.map((line) => line.split(':')[0])).toEqual(['up', 'down', 'up']);
  });

  test('stops answering is found to be gone also when nobody asks it', async () => {
    const server = await stage.redis();
    const client = await stage.connected(server.url, { schedule: hurried });
    server.pause();
    await waitUntil('the loss', () => !client.isUp());
    server.resume();
  });

  test('is full refuses what is published and goes on afterwards', async () => {
    const server = await stage.redis();
    const client = await stage.connected(server.url);
    await server.cli('CONFIG', 'SET', 'maxmemory', '1');
    expect(await errorOf(client.publish(at(1, 1)))).toMatchObject({
      name: 'EngineError',
      reason: 'full',
      message: 'The message engine is full: give it more memory (maxmemory).',
    });
    expect(client.isUp()).toBe(true);
    await server.cli('CONFIG', 'SET', 'maxmemory', '0');
    await client.publish(at(1, 1));
  });

  test('is a read-only copy says so', async () => {
    const server = await stage.redis();
    const client = await stage.connected(server.url);
    await server.cli('REPLICAOF', '127.0.0.1', String(await freePort()));
    expect(await problemOf(client.publish(at(1, 1)))).toMatch('is a read-only copy of another');
  });

  test('would throw away what it keeps is warned of once', async () => {
    const settings = { maxmemory: '100mb', 'maxmemory-policy': 'allkeys-lru' };
    const server = await stage.redis({ settings });
    const client = await stage.connected(server.url);
    await waitUntil('the warning', () => client.lines.length > 0);
    await server.restart();
    await waitUntil('the engine again', () => client.told.length === 3);
    await client.newest();
    expect(client.lines).toEqual([
      expect.objectContaining({ level: 'warn', message: expect.stringContaining('maxmemory-policy') }),
    ]);
  });

  test('lets its user do no more than needed serves all the same', async () => {
    const server = await stage.redis();
    const commands = ['xadd', 'xread', 'xinfo', 'set', 'get', 'mget', 'del', 'scan', 'eval', 'ping', 'hello'];
    const rights = commands.map((command) => `+${command}`);
    await server.cli('ACL', 'SETUSER', 'bell', 'on', '>pw', '~bellbird:*', '-@all', ...rights);
    const client = await stage.connected(`redis://bell:pw@127.0.0.1:${server.port}`);
    await client.publish(at(1, 1));
    expect(textsOf(await client.read(null, 1000))).toEqual(['1-1']);
    expect(await client.newest()).toEqual({ run: 1, number: 1 });
    const lease = { instance: 'a', name: 'A', since: 1 };
    expect(await client.holdLease(lease)).toBeNull();
    expect(await client.holdLease(lease)).toBeNull();
    await client.releaseLease('a');
    expect(await client.reports()).toEqual([]);
    expect(await client.snapshot()).toBeNull();
    await server.cli('ACL', 'SETUSER', 'bell', '-xadd');
    expect(await problemOf(client.publish(at(1, 2)))).toMatch(
      'The user of BELLBIRD_ENGINE_URL may not do this',
    );
    expect(client.lines.filter(({ level }) => level !== 'debug')).toEqual([]);
  });
});

describe('a client', () => {
  test('that was not started, or is stopped, refuses everything with a sentence', async () => {
    const server = await stage.redis();
    const client = await stage.connected(server.url);
    const log = createLog(() => undefined);
    const idle = createEngine({ url: server.url, secret: SECRET, clock: performanceClock, log });
    expect(await problemOf(idle.newest())).toMatch('was not begun');
    const reading = client.read(null, 50_000);
    const closed = 'The connection to the message engine is closed.';
    const [problem] = await Promise.all([problemOf(reading), client.stop()]);
    expect(problem).toBe(closed);
    expect(await problemOf(client.newest())).toMatch(closed);
    expect(client.problem()).toBe(closed);
    client.start();
    await client.stop();
    expect(client.told).toEqual(['up']);
    await idle.stop();
  });

  test('says what fails in a listener and tells the others', async () => {
    const server = await stage.redis();
    const client = stage.client(server.url);
    const told: string[] = [];
    client.listen({
      up: () => {
        throw new Error('no');
      },
    });
    client.listen({ up: () => told.push('up') });
    await waitUntil('the engine', () => client.isUp());
    expect(told).toEqual(['up']);
    expect(client.lines.map(({ level }) => level)).toEqual(['error']);
  });
});
