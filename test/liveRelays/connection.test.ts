import { describe, expect, test } from 'bun:test';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import { freePort } from '../support/executable.ts';
import { at, engineFixture, errorOf, textsOf } from '../support/engineFixture.ts';
import { waitUntil } from '../support/waitUntil.ts';

const fixture = engineFixture();
/** All timeouts are twenty times shorter. */
const hurried: Scheduler = (ms, run) => timerScheduler(ms / 20, run);

/** A client’s status for a Redis that it cannot connect to. */
async function problemAt(url: string): Promise<string> {
  const client = fixture.client(url, { schedule: hurried });
  await waitUntil('a problem', () => client.fired.length > 0);
  expect(client.fired).toEqual([`down: ${client.problem()}`]);
  return client.problem() ?? '';
}

describe('an unreachable Redis', () => {
  test('is not running', async () => {
    const port = await freePort();
    expect(await problemAt(`redis://:hunter2@127.0.0.1:${port}`)).toBe(
      `Redis is not running at redis://127.0.0.1:${port}.`,
    );
  });

  test('requires a password', async () => {
    const server = await fixture.redis({ password: 'p@ss/w:rd%' });
    const bare = `127.0.0.1:${server.port}`;
    expect(await problemAt(`redis://${bare}`)).toContain('requires a password');
    expect(await problemAt(`redis://:hunter2@${bare}`)).toContain('rejects the user and password');
    expect(await problemAt(`redis://joe:hunter2@${bare}`)).toContain('rejects the user and password');
    const client = await fixture.connected(server.url);
    expect(client.fired).toEqual(['up']);
  });
});

describe('a Redis', () => {
  test('that stops answering without closing the connection is disconnected, and found again', async () => {
    const server = await fixture.redis();
    const client = await fixture.connected(server.url, { schedule: hurried });
    await client.publish(at(1, 1));
    const reading = client.read({ run: 1, number: 1 }, 50_000);
    reading.catch(() => undefined);
    server.pause();
    try {
      expect(await errorOf(client.publish(at(1, 2)))).toMatchObject({
        reason: 'down',
        message: `Redis at redis://127.0.0.1:${server.port} does not answer.`,
      });
      expect(await errorOf(reading)).toMatchObject({ name: 'EngineError', reason: 'down' });
      expect(client.isUp()).toBe(false);
    } finally {
      server.resume();
    }
    await waitUntil('Redis to return', () => client.isUp());
    // An unanswered command may have been executed.
    expect(textsOf(await client.read(null, 1000))[0]).toBe('1-1');
    expect(client.fired.map((line) => line.split(':')[0])).toEqual(['up', 'down', 'up']);
  });

  test('that is full refuses messages and continues afterwards', async () => {
    const server = await fixture.redis();
    const client = await fixture.connected(server.url);
    await server.cli('CONFIG', 'SET', 'maxmemory', '1');
    expect(await errorOf(client.publish(at(1, 1)))).toMatchObject({
      name: 'EngineError',
      reason: 'full',
      message: 'Redis is full. Raise its `maxmemory`.',
    });
    expect(client.isUp()).toBe(true);
    await server.cli('CONFIG', 'SET', 'maxmemory', '0');
    await client.publish(at(1, 1));
  });
});
