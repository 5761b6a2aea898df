import { expect, test } from 'bun:test';
import { hasId, relayFixture } from '../support/relayFixture.ts';
import type { RedisServer } from '../support/redisServer.ts';
import { waitUntil } from '../support/waitUntil.ts';

const fixture = relayFixture();

async function begun(redis?: RedisServer) {
  const made = await fixture.begun({}, redis);
  made.primary.tick({ BHP: { last: 50 } });
  await made.primary.sent();
  return made;
}

test('a relay that starts before Redis serves as soon as Redis is available', async () => {
  const server = await fixture.engines.redis();
  await server.kill();
  const relay = await fixture.start({ url: server.url });
  expect(await relay.status()).toBe(503);
  expect((await fetch(`${relay.url}/page`)).status).toBe(200);
  await waitUntil('the relay to receive the news', () => relay.health().relay.engine.problem !== null);
  expect(relay.health().relay.engine).toMatchObject({ up: false });
  await server.restart();
  const { primary } = await begun(server);
  fixture.talk(primary);
  await waitUntil('the relay to serve', () => relay.health().ok);
  await relay.open().until(hasId);
});

test('a starting relay does not trust stored data: it asks, and serves on the primary’s answer', async () => {
  const { url, engine, primary } = await begun();
  const relay = await fixture.start({ url });
  while (!(await engine.wasAsked())) await Bun.sleep(10);
  await waitUntil('the relay to have read everything', () => relay.health().relay.position !== null);
  expect((await fetch(`${relay.url}/api/data/stream`)).status).toBe(503);
  expect(relay.health()).toMatchObject({ ok: false, relay: { heardMs: null } });
  primary.publish({ kind: 'presence' });
  await waitUntil('the relay to serve', () => relay.health().ok);
  const page = relay.open();
  await page.until(({ events }) => events.some(({ event }) => event === 'snapshot'));
  // The answer itself is not for pages.
  primary.tick({ BHP: { last: 51 } });
  await page.until(({ events }) => events.at(-1)?.id === `e1-${primary.channel.seq()}`);
  expect(page.events.map(({ event }) => event)).toEqual(['snapshot', 'delta_update']);
});
