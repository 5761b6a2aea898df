import { describe, expect, test } from 'bun:test';
import type { Engine } from '../../src/relays/engine/types.ts';
import { createHandPrimary } from '../support/handPrimary.ts';
import { relayStage } from '../support/relayStage.ts';
import { waitUntil } from '../support/waitUntil.ts';

const stage = relayStage();

/** An engine with a primary that has told a few things, and says nothing more by itself. */
async function begun() {
  const server = await stage.engines.redis();
  const engine = await stage.engines.connected(server.url);
  const primary = createHandPrimary(engine);
  await primary.keep();
  primary.tick({ BHP: { last: 50 } });
  await primary.sent();
  return { ...server, engine, primary };
}

async function untilAsked(engine: Pick<Engine, 'wasAsked'>): Promise<void> {
  while (!(await engine.wasAsked())) await Bun.sleep(10);
}

describe('a relay that starts', () => {
  test('takes nothing for live that is only kept: it asks, and serves on the primary’s word', async () => {
    const { url, engine, primary } = await begun();
    const relay = await stage.start({ url });
    await untilAsked(engine);
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

  test('asks again while nobody answers', async () => {
    const { url, engine } = await begun();
    const relay = await stage.start({ url });
    for (let turn = 0; turn < 3; turn += 1) await untilAsked(engine);
    expect(relay.health().ok).toBeFalse();
  });

  test('serves by what the primary tells, where the engine takes no question', async () => {
    const { url, primary, cli } = await begun();
    await cli('CONFIG', 'SET', 'maxmemory', '1');
    const relay = await stage.start({ url });
    await waitUntil('the relay to have read all', () => relay.health().relay.position !== null);
    await cli('CONFIG', 'SET', 'maxmemory', '0');
    const saying = setInterval(() => primary.tick(), 50);
    stage.later(() => {
      clearInterval(saying);
      // The engine ends next, and would refuse what is still on its way.
      return primary.sent();
    });
    await waitUntil('the relay to serve', () => relay.health().ok);
  });
});
