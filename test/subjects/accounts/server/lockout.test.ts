import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { loginAddresses } from '#platform/db/schema.ts';
import type { Passwords } from '#subjects/accounts/server/passwords.ts';
import { createTestApp, PASSWORD, type TestApp } from '#support/testApp.ts';

const HOME = '198.51.100.20';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Compares plain texts: these tests do not measure the cost of hashing. */
const plainPasswords: Passwords = {
  hash: async (password) => `hash of ${password}`,
  verify: async (password, hash) => hash === `hash of ${password}`,
};
const testApp = (options: Parameters<typeof createTestApp>[0] = {}): TestApp =>
  createTestApp({ ...options, runtime: { passwords: plainPasswords, ...options.runtime } });

let app: TestApp;
beforeEach(async () => {
  app = testApp();
  await app.addUser('anna');
});
afterEach(() => app.close());

const login = (from: string, identifier: string, password: string) =>
  app.request('POST', '/api/login', { body: { identifier, password }, from });
const right = async (from: string, identifier = 'anna') => (await login(from, identifier, PASSWORD)).status;
const wrong = async (from: string, identifier = 'anna') =>
  (await login(from, identifier, 'wrong one')).status;

/** Sends one wrong password per second from each address. */
async function attack(addresses: readonly string[], seconds: number) {
  for (let second = 0; second < seconds; second += 1) {
    for (const from of addresses) await wrong(from);
    app.clock.advance(1000);
  }
}
const manyAddresses = (count: number) => Array.from({ length: count }, (_, index) => `203.0.113.${index}`);

describe('an attacker cannot lock out a user', () => {
  test('by sending one wrong password per second from one address', async () => {
    await attack(['203.0.113.1'], 400);
    expect(await right('203.0.113.1')).toBe(429);
    expect(await right(HOME)).toBe(200);
  });

  test('from many addresses, if the user logs in from a known address', async () => {
    expect(await right(HOME)).toBe(200);
    await attack(manyAddresses(40), 30);
    expect(await right('192.0.2.99')).toBe(429);
    expect(await right(HOME)).toBe(200);
    app.clock.advance(15 * MINUTE);
    expect(await right('192.0.2.99')).toBe(200);
  });
});

describe('guessing is limited', () => {
  test('even at an address from which the user has logged in', async () => {
    await right(HOME);
    const statuses: number[] = [];
    for (let index = 0; index < 12; index += 1) statuses.push(await wrong(HOME));
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    app.clock.advance(5 * MINUTE);
    expect(await right(HOME)).toBe(200);
  });

  test('for username and email together, because they are one account', async () => {
    await app.addUser('bert', { email: 'anna@example.com' });
    for (let index = 0; index < 10; index += 1) {
      expect(await wrong(HOME, index % 2 ? 'ANNA@example.com' : 'BERT')).toBe(401);
    }
    expect(await wrong(HOME, 'bert')).toBe(429);
    expect(await wrong(HOME, 'anna@example.com')).toBe(429);
  });

  test('for all addresses of one IPv6 /64 network together', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 11; index += 1) statuses.push(await wrong(`2001:db8:1:2::${index}`));
    expect(statuses.at(-1)).toBe(429);
    expect(await wrong('2001:db8:1:3::1')).toBe(401);
  });

  test('without counting attempts that the server failed to check', async () => {
    let isBroken = true;
    const verify: Passwords['verify'] = async (...args) => {
      if (isBroken) throw new Error('out of memory');
      return plainPasswords.verify(...args);
    };
    app.close();
    app = testApp({ runtime: { passwords: { ...plainPasswords, verify } } });
    await app.addUser('anna');
    for (let index = 0; index < 80; index += 1) expect(await right(HOME)).toBe(500);
    isBroken = false;
    expect(await right(HOME)).toBe(200);
  });

  test('unknown and known names get identical responses', async () => {
    const answersTo = async (name: string, offset: number) => {
      const answers: unknown[] = [];
      for (let index = 0; index < 120; index += 1) {
        const from = index < 12 ? `192.0.${offset}.1` : `192.0.${offset}.${index}`;
        const { status, json, headers } = await login(from, name, 'wrong one');
        answers.push([status, json, headers.get('retry-after')]);
      }
      return answers;
    };
    const [somebody, nobody] = [await answersTo('anna', 2), await answersTo('nobody', 3)];
    expect(nobody).toEqual(somebody);
    expect(somebody.map((answer) => (answer as number[])[0])).toContain(429);
  });
});

describe('known login addresses', () => {
  /** Whether the user can still log in from there during a flood. */
  const isKnown = async (from = HOME) => {
    await attack(manyAddresses(40), 4);
    return (await right(from)) === 200;
  };

  test('survive a restart, but not a changed secret, and are stored unreadable', async () => {
    const first = app;
    const { db, clock } = first;
    await right(HOME);
    app = testApp({ db, clock });
    expect(await isKnown()).toBe(true);
    const jwtSecret = 'another secret of the tests, long enough';
    app = testApp({ db, clock, runtime: { jwtSecret } });
    expect(await isKnown()).toBe(false);
    expect(JSON.stringify(db.select().from(loginAddresses).all())).not.toContain('198.51');
    app = first;
  });

  test('are known only to the account that logged in', async () => {
    await app.addUser('bert');
    await right(HOME, 'bert');
    expect(await isKnown()).toBe(false);
  });

  test('expire after ninety days, and the oldest is dropped above twenty', async () => {
    await right(HOME);
    app.clock.advance(90 * DAY - MINUTE);
    expect(await isKnown()).toBe(true);
    app.clock.advance(90 * DAY);
    expect(await isKnown()).toBe(false);

    await right(HOME);
    app.clock.advance(15 * MINUTE);
    for (let index = 0; index < 25; index += 1) {
      expect(await right(`192.0.2.${index}`)).toBe(200);
      app.clock.advance(1000);
    }
    expect(app.db.select().from(loginAddresses).all()).toHaveLength(20);
    expect(await isKnown('192.0.2.0')).toBe(false);
    expect(await isKnown('192.0.2.24')).toBe(true);
  });
});
