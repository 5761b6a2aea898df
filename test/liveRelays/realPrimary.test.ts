import { expect, test } from 'bun:test';
import { ALERT, lastAbove } from '../support/alertsApp.ts';
import { SECRET } from '../support/engineFixture.ts';
import { post } from '../support/executable.ts';
import { feed, FED } from '../support/fedMarket.ts';
import type { RedisServer } from '../support/redisServer.ts';
import { relayFixture, type TestRelay } from '../support/relayFixture.ts';
import { tempFolders } from '../support/tempFolder.ts';
import { startTestServer } from '../support/testServer.ts';
import { waitUntil } from '../support/waitUntil.ts';

const fixture = relayFixture();
const tempFolder = tempFolders();

/** The whole server as a primary, and a serving relay in front of it. */
async function begun() {
  const redis = await fixture.engines.redis();
  const { url } = redis;
  const settings = {
    ...FED,
    BELLBIRD_ENGINE_URL: url,
    BELLBIRD_RELAY_SECRET: SECRET,
    BELLBIRD_TEST: '1',
  };
  const primary = await startTestServer(tempFolder(), settings);
  fixture.later(() => primary.stop());
  await feed(primary.url, { code: 'BHP', last: 50 }, { code: 'CBA', last: 150 });
  const relay = await fixture.start({ url, primaryUrl: primary.url });
  await waitUntil('the relay to serve', () => relay.health().ok);
  return { redis, primary, relay };
}

const ask = async (relay: TestRelay, path: string, body: unknown, token?: string) =>
  (await (await post(relay.url + path, body, token)).json()) as Record<string, unknown>;

const seeded = async (relay: TestRelay, username: string): Promise<string> =>
  String((await ask(relay, '/api/test/seed', { username }))['accessToken']);

test('a user’s alerts arrive over a relay, until the user logs out anywhere', async () => {
  const { primary, relay } = await begun();
  const token = await seeded(relay, 'premium');
  const page = relay.open(`/api/user/alerts/stream?token=${token}`);
  await page.until(({ events }) => events.some(({ event }) => event === 'ping'));
  const made = await ask(relay, '/api/alerts', { ...ALERT, logic_json: lastAbove(1) }, token);
  expect(made['error']).toBeUndefined();
  for (const name of ['alert_changed', 'alert_triggered'])
    await page.until(({ events }) => events.some(({ event }) => event === name));
  expect((await post(`${primary.url}/api/logout`, {}, token)).ok).toBeTrue();
  await page.until((client) => client.finished());
  const again = await fetch(`${relay.url}/api/user/alerts/stream?token=${token}`);
  expect(again.status).toBe(401);
});

test('pages of a relay are told to reconnect when the primary stops', async () => {
  const { primary, relay } = await begun();
  const page = relay.open();
  await page.until(({ events }) => events.some(({ event }) => event === 'snapshot'));
  await primary.stop();
  await page.until(({ events }) => events.at(-1)?.event === 'closing');
  expect((await fetch(`${relay.url}/api/data/stream`)).status).toBe(503);
  expect((await fetch(`${relay.url}/api/calls/leaderboard`)).status).toBe(503);
});

test('visitors get calls from the relay for a second, signed-in users always from the primary', async () => {
  const { primary, relay } = await begun();
  const path = '/api/calls/leaderboard';
  const token = await seeded(relay, 'premium');
  const first = await fetch(relay.url + path);
  const tag = first.headers.get('etag') ?? '';
  expect(await first.json()).toMatchObject({ calls: [] });
  const call = {
    symbol: 'BHP',
    callType: 'buy',
    entryPrice: 51,
    targetPrice: 60,
    rationale: 'For the test',
  };
  const made = await ask(relay, '/api/calls', call, token);
  expect(made['error']).toBeUndefined();
  // A member sees a new call immediately.
  const own = await fetch(relay.url + path, { headers: { authorization: token } });
  expect(own.headers.get('etag')).toBeNull();
  expect(((await own.json()) as { calls: unknown[] }).calls).toHaveLength(1);
  for (;;) {
    const again = await fetch(relay.url + path, { headers: { 'if-none-match': tag } });
    if (again.status === 200) {
      expect(((await again.json()) as { calls: unknown[] }).calls).toHaveLength(1);
      break;
    }
    expect(again.status).toBe(304);
    await Bun.sleep(20);
  }
  await primary.stop();
  await Bun.sleep(1100);
  expect((await fetch(relay.url + path)).status).toBe(503);
});

test('an error of the primary has the same text over a relay', async () => {
  const { primary, relay } = await begun();
  const json = { 'content-type': 'application/json' };
  const asked: [string, RequestInit][] = [
    ['/api/login', { method: 'POST', headers: json, body: JSON.stringify({ identifier: 'x'.repeat(9000) }) }],
    ['/api/alerts', { method: 'POST', headers: json, body: JSON.stringify({ x: 'x'.repeat(3 << 20) }) }],
    ['/api/alerts', { method: 'POST', headers: json, body: '{"broken' }],
    ['/api/alerts', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'a=b' }],
    ['/api/alerts', { headers: { authorization: 'a forged token' } }],
    ['/api/admin/users', {}],
    ['/api/nothing', {}],
    [`/api/${'x'.repeat(300)}`, {}],
    ['/api/relays/sessions', { method: 'POST', headers: json, body: '{"tokens":[]}' }],
    ['/api/data/stream', { method: 'POST' }],
    ['/api/user/alerts/stream', {}],
  ];
  for (const [path, init] of asked) {
    const [own, over] = await Promise.all([fetch(primary.url + path, init), fetch(relay.url + path, init)]);
    expect([path, over.status, await over.text()]).toEqual([path, own.status, await own.text()]);
    expect(own.status).toBeGreaterThanOrEqual(400);
  }
});

const add = (redis: RedisServer, id: string) => redis.cli('XADD', 'bellbird:frames', id, 'm', 'garbage');

/** An epoch far in the future, and the last possible one. */
const LATER = '4102444800000-7';
const LAST = '18446744073709551615-18446744073709551615';

const ATTACKS: Record<string, (redis: RedisServer) => Promise<unknown>> = {
  'an entry at the last position': (redis) => add(redis, LAST),
  'an entry far ahead, and then nothing more': async (redis) => {
    await add(redis, LATER);
    await Bun.sleep(1500);
    await redis.cli('DEL', 'bellbird:frames');
  },
  'an invalid message': async (redis) => {
    await redis.cli('DEL', 'bellbird:frames');
    await redis.cli('SET', 'bellbird:frames', 'garbage');
  },
  'an invalid lock': async (redis) => {
    await redis.cli('DEL', 'bellbird:lease');
    await redis.cli('RPUSH', 'bellbird:lease', 'garbage');
  },
};

test.each(Object.entries(ATTACKS))(
  'a relay and its primary recover after another client wrote %s',
  async (name, attack) => {
    const { redis, primary, relay } = await begun();
    await attack(redis);
    // A lock is renewed every five seconds.
    if (name.includes('lease')) await Bun.sleep(6000);
    const price = 60 + Math.floor(Math.random() * 1000) / 1000;
    const feeding = setInterval(() => void feed(primary.url, { code: 'BHP', last: price }), 500);
    fixture.later(() => clearInterval(feeding));
    for (let has = false; !has; ) {
      const page = relay.open();
      await Promise.race([page.until(({ events }) => events.length > 1), Bun.sleep(500)]);
      has = JSON.stringify(page.events).includes(String(price));
      page.leave();
    }
    await waitUntil('the relay to recover', () => relay.health().ok);
  },
  120_000,
);
