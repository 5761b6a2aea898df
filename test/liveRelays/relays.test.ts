import { describe, expect, test } from 'bun:test';
import { eventText } from '#platform/sse/message.ts';
import { NO_STREAMS, type RelayReport } from '#src/relays/redis/types.ts';
import { hasId, relayFixture } from '../support/relayFixture.ts';
import { waitUntil } from '../support/waitUntil.ts';

const fixture = relayFixture();

const MARKET = '/api/data/stream';
const ALERTS = '/api/user/alerts/stream?token=1-a';
const FULL = '203.0.113.7';
const FREE = '203.0.113.8';

describe('relays together', () => {
  test('report themselves, and withdraw that when they leave', async () => {
    const { engine, relayOf } = await fixture.begun();
    const relay = await relayOf();
    const page = relay.open();
    await page.until(hasId);
    let reports: RelayReport[] = [];
    while (reports[0]?.pages !== 1) {
      reports = await engine.reports();
      await Bun.sleep(20);
    }
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject({ name: 'test', version: '0.0.0', commit: 'test', alertPages: 0 });
    expect(reports[0]?.bytes).toBeGreaterThan(0);
    await relay.stop();
    await page.until(({ events }) => events.at(-1)?.event === 'closing');
    expect(await engine.reports()).toEqual([]);
  });

  test('count the streams of an address together', async () => {
    const { engine, primary, relayOf } = await fixture.begun({ streams: { all: 100, perAddress: 3 } });
    const [first, second] = [await relayOf(), await relayOf()];
    const from = { 'accept-encoding': 'gzip', 'x-forwarded-for': '203.0.113.7' };
    for (const page of [first.open(undefined, from), first.open(undefined, from)]) await page.until(hasId);
    const delivered = async (): Promise<number> =>
      (await engine.reports()).reduce((sum, { addresses }) => sum + (addresses['203.0.113.7'] ?? 0), 0);
    while ((await delivered()) < 2) await Bun.sleep(20);
    // The other relay reads the reports every two seconds; until then it may open more.
    while ((await second.status(MARKET, '203.0.113.8')) === 503) await Bun.sleep(20);
    const third = second.open(undefined, from);
    await third.until(hasId);
    await waitUntil('the other relay to receive it', () => second.health().ok);
    let last = 0;
    while (last !== 429) {
      last = await second.status(MARKET, FULL);
      primary.tick();
      await Bun.sleep(50);
    }
    expect(await second.status(MARKET, '203.0.113.9')).toBe(200);
  });
});

test('a relay of another version than its primary serves the primary’s pages', async () => {
  const { url: primaryUrl } = fixture.serve(() => new Response('page of the primary'));
  const { relayOf } = await fixture.begun({ version: '9.9.9' });
  const relay = await relayOf({ primaryUrl });
  expect(await (await fetch(`${relay.url}/page`)).text()).toBe('page of the primary');
  // Streams are the same in all versions with the same protocol.
  await relay.open().until(hasId);
});

/** A relay of a primary that opens any alert stream, and allows three per address. */
async function limited() {
  const { url: primaryUrl } = fixture.serve(() =>
    Response.json({
      userId: 1,
      sessionId: 'a',
      audience: '1',
      expiresAt: 4_000_000_000_000,
      messages: [eventText('ping', '7', { time: 1 })],
    }),
  );
  const { engine, primary, relayOf } = await fixture.begun({ streams: { all: 100, perAddress: 3 } });
  fixture.talk(primary);
  return { engine, relay: await relayOf({ primaryUrl }) };
}

test('streams open on the primary count at its relays, until it stops', async () => {
  const { engine, relay } = await limited();
  const own = {
    ...NO_STREAMS,
    pages: 3,
    addresses: { [FULL]: 3 },
    alertPages: 3,
    alertAddresses: { [FULL]: 3 },
  };
  await engine.keepOwnStreams(own);
  for (const path of [MARKET, ALERTS]) {
    // Relays read each other’s and the primary’s reports every two seconds.
    while ((await relay.status(path, FULL)) !== 429) await Bun.sleep(50);
    expect(await relay.status(path, FREE)).toBe(200);
  }
  await engine.keepOwnStreams({ ...NO_STREAMS, pages: 98, alertPages: 98 });
  for (const path of [MARKET, ALERTS]) while ((await relay.status(path, FULL)) === 429) await Bun.sleep(50);
  await engine.keepOwnStreams({ ...NO_STREAMS, pages: 100, alertPages: 100 });
  for (const path of [MARKET, ALERTS]) while ((await relay.status(path, FREE)) !== 503) await Bun.sleep(50);
  await engine.keepOwnStreams(null);
  for (const path of [MARKET, ALERTS]) while ((await relay.status(path, FULL)) === 429) await Bun.sleep(50);
});
