import { describe, expect, test } from 'bun:test';
import type { Engine } from '#src/relays/engine/types.ts';
import { hasId, relayStage } from '../support/relayStage.ts';
import type { RedisServer } from '../support/redisServer.ts';
import { waitUntil } from '../support/waitUntil.ts';

const stage = relayStage();

async function begun(redis?: RedisServer) {
  const made = await stage.begun({}, redis);
  made.primary.tick({ BHP: { last: 50 } });
  await made.primary.sent();
  return made;
}

describe('a relay', () => {
  test('that starts before the engine serves as soon as that is there', async () => {
    const server = await stage.engines.redis();
    await server.kill();
    const relay = await stage.start({ url: server.url });
    expect(await relay.status()).toBe(503);
    expect((await fetch(`${relay.url}/page`)).status).toBe(200);
    await waitUntil('it to know that', () => relay.health().relay.engine.problem !== null);
    expect(relay.health().relay.engine).toMatchObject({ up: false });
    await server.restart();
    const { primary } = await begun(server);
    stage.talk(primary);
    await waitUntil('the relay to serve', () => relay.health().ok);
    await relay.open().until(hasId);
  });

  test('whose way to the engine is slow is left behind alone: the primary and other relays wait for nothing', async () => {
    const { primary, relayOf } = await begun();
    let isSlow = false;
    let go: () => void = () => undefined;
    const slowly = (engine: Engine): Engine => ({
      ...engine,
      async read(after, waitMs) {
        if (isSlow) await new Promise<void>((resolve) => (go = resolve));
        return await engine.read(after, waitMs);
      },
    });
    const slow = await relayOf({ through: slowly });
    const quick = await relayOf();
    const [late, good] = [slow.open(), quick.open()];
    for (const page of [late, good]) await page.until(hasId);
    isSlow = true;
    // More than the engine keeps.
    for (let step = 0; step < 30; step += 1) {
      for (let more = 0; more < 100; more += 1) primary.tick({ BHP: { last: step * 100 + more } });
      await primary.sent();
      // So that on a busy machine this one is not left behind as well.
      await good.until(({ events }) => events.at(-1)?.id === `e1-${primary.channel.seq()}`);
    }
    expect(good.events.filter(({ event }) => event === 'snapshot')).toHaveLength(1);
    await primary.keep();
    isSlow = false;
    go();
    // Its pages come back to a market that is whole.
    await late.until((client) => client.finished() || client.ended());
    stage.talk(primary);
    await waitUntil('the slow one to serve again', () => slow.health().ok);
    const again = slow.open();
    await again.until(({ events }) => events.at(-1)?.id === `e1-${primary.channel.seq()}`);
  });
});

test('a relay that starts takes nothing for live that is only kept: it asks, and serves on the primary’s word', async () => {
  const { url, engine, primary } = await begun();
  const relay = await stage.start({ url });
  while (!(await engine.wasAsked())) await Bun.sleep(10);
  await waitUntil('the relay to have read all', () => relay.health().relay.position !== null);
  expect((await fetch(`${relay.url}/api/data/stream`)).status).toBe(503);
  expect(relay.health()).toMatchObject({ ok: false, relay: { heardMs: null } });
  primary.publish({ kind: 'presence' });
  await waitUntil('the relay to serve', () => relay.health().ok);
  const page = relay.open();
  await page.until(({ events }) => events.some(({ event }) => event === 'snapshot'));
  // The word itself is not for pages.
  primary.tick({ BHP: { last: 51 } });
  await page.until(({ events }) => events.at(-1)?.id === `e1-${primary.channel.seq()}`);
  expect(page.events.map(({ event }) => event)).toEqual(['snapshot', 'delta_update']);
});
