import { afterEach, describe, expect, test } from 'bun:test';
import { SECRET } from '../support/engineStage.ts';
import { feed, FED } from '../support/fedMarket.ts';
import type { RedisServer } from '../support/redisServer.ts';
import { relayStage } from '../support/relayStage.ts';
import { tempFolders } from '../support/tempFolder.ts';
import { startTestServer } from '../support/testServer.ts';
import { waitUntil } from '../support/waitUntil.ts';

const stage = relayStage();
const tempFolder = tempFolders();
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** A real primary and a relay that serves, with the engine between them. */
async function begun() {
  const redis = await stage.engines.redis();
  const settings = {
    ...FED,
    BELLBIRD_ENGINE_URL: redis.url,
    BELLBIRD_RELAY_SECRET: SECRET,
    BELLBIRD_TEST: '1',
  };
  const primary = await startTestServer(tempFolder(), settings);
  undo.push(() => primary.stop());
  await feed(primary.url, { code: 'BHP', last: 50 });
  const relay = await stage.start({ url: redis.url, primaryUrl: primary.url });
  await waitUntil('the relay to serve', () => relay.health().ok);
  return { redis, primary, relay };
}

const add = (redis: RedisServer, id: string) => redis.cli('XADD', 'bellbird:frames', id, 'm', 'garbage');

/** A run far in the future, and the last one that can be. */
const LATER = '4102444800000-7';
const LAST = '18446744073709551615-18446744073709551615';

const ATTACKS: Record<string, (redis: RedisServer) => Promise<unknown>> = {
  'an entry behind the newest': (redis) => add(redis, LATER),
  'an entry at the last position': (redis) => add(redis, LAST),
  'a hundred entries behind the newest': async (redis) => {
    for (let number = 1; number <= 100; number += 1) await add(redis, `4102444800000-${number}`);
  },
  'an entry far ahead, and then nothing at all': async (redis) => {
    await add(redis, LATER);
    await Bun.sleep(1500);
    await redis.cli('DEL', 'bellbird:frames');
  },
  'something else than frames': async (redis) => {
    await redis.cli('DEL', 'bellbird:frames');
    await redis.cli('SET', 'bellbird:frames', 'garbage');
  },
  'a lease that ends in a day': (redis) => redis.cli('SET', 'bellbird:lease', 'garbage', 'EX', '86400'),
  'something else than a lease': async (redis) => {
    await redis.cli('DEL', 'bellbird:lease');
    await redis.cli('RPUSH', 'bellbird:lease', 'garbage');
  },
};

describe('a relay and its primary recover by themselves after somebody wrote', () => {
  test.each(Object.entries(ATTACKS))(
    '%s',
    async (name, attack) => {
      const { redis, primary, relay } = await begun();
      await attack(redis);
      // A lease is renewed every five seconds.
      await Bun.sleep(name.includes('lease') ? 6000 : 500);
      const price = 60 + Math.floor(Math.random() * 1000) / 1000;
      const feeding = setInterval(() => void feed(primary.url, { code: 'BHP', last: price }), 500);
      undo.push(() => clearInterval(feeding));
      const end = performance.now() + 20_000;
      let has = false;
      while (!has && performance.now() < end) {
        const page = relay.open();
        await Bun.sleep(500);
        has = JSON.stringify(page.events).includes(String(price));
        page.leave();
      }
      expect(has).toBeTrue();
      expect(relay.health().ok).toBeTrue();
    },
    60_000,
  );
});
