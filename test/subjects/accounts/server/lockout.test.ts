import { describe, expect, test } from 'bun:test';
import { openMemoryDb } from '../../../support/memoryDb.ts';
import { loginAddresses } from '../../../../src/platform/db/schema.ts';
import type { Passwords } from '../../../../src/subjects/accounts/server/passwords.ts';
import { createFakeClock, createTestApp, PASSWORD, type TestApp } from '../../../support/testApp.ts';

const HOME = '198.51.100.20';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Compares texts: what it costs is not what these tests are about. */
const plainPasswords: Passwords = {
  hash: async (password) => `hash of ${password}`,
  verify: async (password, hash) => hash === `hash of ${password}`,
};
const testApp = (options: Parameters<typeof createTestApp>[0] = {}): TestApp =>
  createTestApp({ ...options, runtime: { passwords: plainPasswords, ...options.runtime } });

const login = (app: TestApp, identifier: string, from: string, password = PASSWORD) =>
  app.request('POST', '/api/login', { body: { identifier, password }, from });
const right = async (app: TestApp, identifier: string, from: string) =>
  (await login(app, identifier, from)).status;
const wrong = async (app: TestApp, identifier: string, from: string) =>
  (await login(app, identifier, from, 'wrong one')).status;

/** One wrong password a second from each address, for so long. */
async function attack(app: TestApp, identifier: string, addresses: readonly string[], seconds: number) {
  for (let second = 0; second < seconds; second += 1) {
    for (const from of addresses) await wrong(app, identifier, from);
    app.clock.advance(1000);
  }
}
const manyAddresses = (count: number) => Array.from({ length: count }, (_, index) => `203.0.113.${index}`);

describe('nobody keeps another person out', () => {
  test('with one wrong password a second from one address', async () => {
    const app = testApp();
    await app.addUser('anna');
    await attack(app, 'anna', ['203.0.113.1'], 400);
    expect(await right(app, 'anna', '203.0.113.1')).toBe(429);
    expect(await right(app, 'anna', HOME)).toBe(200);
    app.close();
  });

  test('from many addresses, where the person logged in before', async () => {
    const app = testApp();
    await app.addUser('anna');
    expect(await right(app, 'anna', HOME)).toBe(200);
    await attack(app, 'anna', manyAddresses(40), 30);
    expect(await right(app, 'anna', '192.0.2.99')).toBe(429);
    expect(await right(app, 'anna', HOME)).toBe(200);
    app.clock.advance(15 * MINUTE);
    expect(await right(app, 'anna', '192.0.2.99')).toBe(200);
    app.close();
  });
});

describe('guessing stays costly', () => {
  test('where the person logged in before, too', async () => {
    const app = testApp();
    await app.addUser('anna');
    await right(app, 'anna', HOME);
    const statuses: number[] = [];
    for (let index = 0; index < 12; index += 1) statuses.push(await wrong(app, 'anna', HOME));
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    app.clock.advance(5 * MINUTE);
    expect(await right(app, 'anna', HOME)).toBe(200);
    app.close();
  });

  test('username and email of one account are one name', async () => {
    const app = testApp();
    await app.addUser('anna', { email: 'anna@example.com' });
    for (let index = 0; index < 10; index += 1) {
      expect(await wrong(app, index % 2 ? 'ANNA@example.com' : 'Anna', HOME)).toBe(401);
    }
    expect(await wrong(app, 'anna', HOME)).toBe(429);
    expect(await wrong(app, 'anna@example.com', HOME)).toBe(429);
    app.close();
  });

  test('all addresses of an IPv6 network of 64 bits are one', async () => {
    const app = testApp();
    await app.addUser('anna');
    const statuses: number[] = [];
    for (let index = 0; index < 11; index += 1)
      statuses.push(await wrong(app, 'anna', `2001:db8:1:2::${index}`));
    expect(statuses.at(-1)).toBe(429);
    expect(await wrong(app, 'anna', '2001:db8:1:3::1')).toBe(401);
    app.close();
  });

  test('what the server could not look at counts neither way', async () => {
    let isBroken = true;
    const verify: Passwords['verify'] = async (...args) => {
      if (isBroken) throw new Error('out of memory');
      return plainPasswords.verify(...args);
    };
    const app = testApp({ runtime: { passwords: { ...plainPasswords, verify } } });
    await app.addUser('anna');
    for (let index = 0; index < 80; index += 1) expect(await right(app, 'anna', HOME)).toBe(500);
    isBroken = false;
    expect(await right(app, 'anna', HOME)).toBe(200);
    app.close();
  });

  test('a name that nobody has is answered word for word like one that somebody has', async () => {
    const app = testApp();
    await app.addUser('anna');
    const answersTo = async (name: string, offset: number) => {
      const answers: unknown[] = [];
      for (let index = 0; index < 120; index += 1) {
        const from = index < 12 ? `192.0.${offset}.1` : `192.0.${offset}.${index}`;
        const { status, json, headers } = await login(app, name, from, 'wrong one');
        answers.push([status, json, headers.get('retry-after')]);
      }
      return answers;
    };
    const [somebody, nobody] = [await answersTo('anna', 2), await answersTo('nobody', 3)];
    expect(nobody).toEqual(somebody);
    expect(somebody.map((answer) => (answer as number[])[0])).toContain(429);
    app.close();
  });
});

describe('addresses that an account logged in from', () => {
  /** Whether a flood keeps the person out there. */
  const isKnown = async (app: TestApp, from = HOME) => {
    await attack(app, 'anna', manyAddresses(40), 4);
    return (await right(app, 'anna', from)) === 200;
  };

  test('are remembered over a restart, not with another secret, and are not readable', async () => {
    const db = openMemoryDb();
    const clock = createFakeClock();
    const first = testApp({ db, clock });
    await first.addUser('anna');
    await right(first, 'anna', HOME);
    expect(await isKnown(testApp({ db, clock }))).toBe(true);
    const jwtSecret = 'another secret of the tests, long enough';
    expect(await isKnown(testApp({ db, clock, runtime: { jwtSecret } }))).toBe(false);
    expect(JSON.stringify(db.select().from(loginAddresses).all())).not.toContain('198.51');
    first.close();
  });

  test('are known to the account that logged in, to no other', async () => {
    const app = testApp();
    await app.addUser('anna');
    await app.addUser('bert');
    await right(app, 'bert', HOME);
    expect(await isKnown(app)).toBe(false);
    app.close();
  });

  test('are forgotten after ninety days, and the oldest of more than twenty', async () => {
    const app = testApp();
    await app.addUser('anna');
    await right(app, 'anna', HOME);
    app.clock.advance(90 * DAY - MINUTE);
    expect(await isKnown(app)).toBe(true);
    app.clock.advance(90 * DAY);
    expect(await isKnown(app)).toBe(false);

    await app.request('POST', '/api/login', { body: { identifier: 'anna', password: PASSWORD }, from: HOME });
    app.clock.advance(15 * MINUTE);
    for (let index = 0; index < 25; index += 1) {
      expect(await right(app, 'anna', `192.0.2.${index}`)).toBe(200);
      app.clock.advance(1000);
    }
    expect(app.db.select().from(loginAddresses).all()).toHaveLength(20);
    expect(await isKnown(app, '192.0.2.0')).toBe(false);
    expect(await isKnown(app, '192.0.2.24')).toBe(true);
    app.close();
  });
});
