import { describe, expect, test } from 'bun:test';
import { addressKey } from '../../src/lib/addressKey.ts';
import { createRateLimit, waitText } from '../../src/lib/rateLimit.ts';
import { createFakeClock, createTestApp, PASSWORD, type TestApp } from '../support/testApp.ts';

describe('the window', () => {
  test('what an earlier run counted counts until its window is over', () => {
    const clock = createFakeClock();
    const limit = createRateLimit({ clock, limit: 2, windowMs: 10_000 });
    limit.note('a', 12_000);
    limit.note('a', 6_000);
    limit.note('a', 1_000);
    expect(limit.take('a')).toBe(4);
    expect(limit.take('b')).toBe(0);
    clock.advance(4_000);
    expect(limit.take('a')).toBe(0);
  });

  test('refuses past the limit and says how long to wait', () => {
    const clock = createFakeClock();
    const limit = createRateLimit({ clock, limit: 2, windowMs: 10_000 });
    expect(limit.take('a')).toBe(0);
    clock.advance(4000);
    expect([limit.take('a'), limit.take('a'), limit.take('b')]).toEqual([0, 6, 0]);
    clock.advance(5999);
    expect(limit.take('a')).toBe(1);
    clock.advance(1);
    expect([limit.take('a'), limit.take('a')]).toEqual([0, 4]);
  });

  test('what did not count is given back', () => {
    const limit = createRateLimit({ clock: createFakeClock(), limit: 1, windowMs: 1000 });
    expect(limit.take('a')).toBe(0);
    limit.giveBack('a');
    expect(limit.take('a')).toBe(0);
    limit.forget('a');
    expect(limit.take('a')).toBe(0);
  });

  test('remembers a bounded number of keys, the latest ones', () => {
    const limit = createRateLimit({ clock: createFakeClock(), limit: 1, windowMs: 1000, maxKeys: 3 });
    for (const key of ['a', 'b', 'c', 'd', 'e']) limit.take(key);
    expect(limit.size()).toBe(3);
    expect(limit.take('e')).toBe(1);
    expect(limit.take('a')).toBe(0);
  });

  test('an IPv6 address counts by its first 64 bits', () => {
    expect(addressKey('203.0.113.9')).toBe('203.0.113.9');
    expect(addressKey('unknown')).toBe('unknown');
    expect(addressKey('x'.repeat(15_000))).toHaveLength(64);
    expect(addressKey('::ffff:203.0.113.9')).toBe('203.0.113.9');
    expect(addressKey('2001:db8:1:2:aaaa::1')).toBe(addressKey('2001:0db8:1:2:bbbb:1:2:3'));
    expect(addressKey('2001:db8:1:3::1')).not.toBe(addressKey('2001:db8:1:2::1'));
    expect(addressKey('::1')).toBe('0:0:0:0');
    expect(addressKey('::ffff:7f00:1')).toBe('127.0.0.1');
    expect(addressKey('fe80::1%eth0')).toBe('fe80:0:0:0');
  });

  test('what is no address counts by itself', () => {
    for (const text of ['', 'unknown', '203.0.113.9:1234', '[2001:db8::1]:443', '_hidden']) {
      expect(addressKey(text)).toBe(text);
    }
  });

  test('a wall clock that is set neither shortens a wait nor lengthens it', () => {
    const clock = createFakeClock();
    const limit = createRateLimit({ clock, limit: 1, windowMs: 10_000 });
    limit.take('a');
    for (const year of [1970, 2100]) {
      clock.set(Date.UTC(year));
      expect(limit.take('a')).toBe(10);
    }
    clock.advance(10_000);
    expect(limit.take('a')).toBe(0);
  });

  test('many more keys than are remembered cost no more each', () => {
    const limit = createRateLimit({ clock: createFakeClock(), limit: 1, windowMs: 1000, maxKeys: 1000 });
    for (let index = 0; index < 50_000; index += 1) limit.take(`key ${index}`);
    expect(limit.size()).toBeLessThanOrEqual(1000);
    expect(limit.size()).toBeGreaterThan(800);
    expect(limit.take('key 49999')).toBe(1);
  });

  test('a key is in use while an attempt counts', () => {
    const clock = createFakeClock();
    const limit = createRateLimit({ clock, limit: 2, windowMs: 1000 });
    expect(limit.isUsed('a')).toBe(false);
    limit.take('a');
    clock.advance(999);
    expect([limit.isUsed('a'), limit.isUsed('b')]).toEqual([true, false]);
    clock.advance(1);
    expect(limit.isUsed('a')).toBe(false);
    limit.take('a');
    limit.giveBack('a');
    expect(limit.isUsed('a')).toBe(false);
  });

  test('waits are told in words', () => {
    expect([1, 59, 60, 61].map(waitText)).toEqual(['1 second', '59 seconds', '1 minute', '2 minutes']);
  });
});

describe('login and registration', () => {
  const wrong = (app: TestApp, identifier: string, from: string) =>
    app.request('POST', '/api/login', { body: { identifier, password: 'wrong one' }, from });
  const right = (app: TestApp, identifier: string, from: string) =>
    app.request('POST', '/api/login', { body: { identifier, password: PASSWORD }, from });

  test('ten wrong passwords from an address stop a name there, whatever its case, for the rest of five minutes', async () => {
    const app = createTestApp();
    await app.addUser('anna');
    for (let index = 0; index < 10; index += 1) {
      expect((await wrong(app, index % 2 ? 'ANNA' : 'anna', '192.0.2.99')).status).toBe(401);
      app.clock.advance(1000);
    }
    const answer = await right(app, 'Anna', '192.0.2.99');
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('290');
    expect(answer.json).toEqual({
      authenticated: false,
      accessToken: null,
      accessLevel: null,
      error: 'Too many login attempts. Try again in 5 minutes.',
    });
    expect((await wrong(app, 'somebody else', '192.0.2.99')).status).toBe(401);
    app.clock.advance(290_000);
    expect((await right(app, 'anna', '192.0.2.99')).status).toBe(200);
    app.close();
  });

  test('an address may not try many names, and other addresses do not suffer', async () => {
    const app = createTestApp();
    for (let index = 0; index < 50; index += 1) {
      expect((await wrong(app, `name ${index}`, '192.0.2.7')).status).toBe(401);
    }
    expect((await wrong(app, 'one more', '192.0.2.7')).status).toBe(429);
    expect((await wrong(app, 'one more', '192.0.2.8')).status).toBe(401);
    app.close();
  });

  test('logins that succeed do not count as wrong ones', async () => {
    const app = createTestApp();
    await app.addUser('anna');
    for (let index = 0; index < 60; index += 1) {
      expect((await right(app, 'anna', '192.0.2.7')).status).toBe(200);
    }
    app.close();
  });

  test('an address may not register without end', async () => {
    const app = createTestApp();
    const register = (index: number, from: string) =>
      app.request('POST', '/api/register', { body: { username: `user ${index}`, password: 'secret' }, from });
    // Names that are taken make no account, but are tries.
    for (let index = 0; index < 20; index += 1)
      expect((await register(1, '192.0.2.6')).status).toBe(index ? 409 : 200);
    for (let index = 2; index < 21; index += 1) expect((await register(index, '192.0.2.6')).status).toBe(200);
    const ofDay = await register(21, '192.0.2.6');
    expect([ofDay.status, ofDay.headers.get('retry-after')]).toEqual([429, '86400']);
    expect(ofDay.json).toMatchObject({
      error:
        'At most 20 accounts a day can be made from one address. Try again in 24 hours, or ask an administrator for an account.',
    });
    const tooOften = await register(22, '192.0.2.6');
    expect([tooOften.status, tooOften.json]).toMatchObject([
      429,
      { error: 'Too many registrations. Try again in 15 minutes.' },
    ]);
    expect((await register(42, '192.0.2.8')).status).toBe(200);
    app.clock.advance(24 * 3_600_000);
    expect((await register(43, '192.0.2.6')).status).toBe(200);
    app.close();
  });

  test('forms that are not filled in try nothing and do not count', async () => {
    const app = createTestApp();
    const from = '192.0.2.7';
    for (let index = 0; index < 60; index += 1) {
      expect((await app.request('POST', '/api/login', { body: {}, from })).status).toBe(400);
      const answer = await app.request('POST', '/api/register', { body: { password: 'secret' }, from });
      expect([answer.status, answer.json]).toMatchObject([400, { error: 'Username is required' }]);
    }
    expect((await wrong(app, 'anna', from)).status).toBe(401);
    const body = { username: 'anna', password: 'secret' };
    expect((await app.request('POST', '/api/register', { body, from })).status).toBe(200);
    app.close();
  });
});
