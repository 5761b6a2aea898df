import { expect, test } from 'bun:test';
import { eventText } from '../../src/platform/sse/event.ts';
import { NO_STREAMS } from '../../src/relays/engine/openStreams.ts';
import { createHandPrimary } from '../support/handPrimary.ts';
import { relayStage, type TestRelay } from '../support/relayStage.ts';

const stage = relayStage();
const MARKET = '/api/data/stream';
const ALERTS = '/api/user/alerts/stream?token=1-a';
const FULL = '203.0.113.7';
const FREE = '203.0.113.8';

/** A relay of a primary that opens any stream of alerts, and allows three of an address. */
async function begun() {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () =>
      Response.json({
        ...{ userId: 1, sessionId: 'a', audience: '1', expiresAt: 4_000_000_000_000 },
        messages: [eventText('ping', '7', { time: 1 })],
      }),
  });
  stage.later(() => server.stop(true));
  const { url } = await stage.engines.redis();
  const engine = await stage.engines.connected(url);
  const primary = createHandPrimary(engine, { streams: { all: 100, perAddress: 3 } });
  await primary.keep();
  const options = { url, primaryUrl: `http://127.0.0.1:${server.port}` };
  const saying = setInterval(() => primary.tick(), 50);
  stage.later(() => {
    clearInterval(saying);
    // The engine ends next, and would refuse what is still on its way.
    return primary.sent();
  });
  const newRelay = (): Promise<TestRelay> => stage.serving(options, () => {});
  return { engine, relay: await newRelay(), newRelay };
}

/** What a relay says to a caller who opens a stream and leaves. */
async function statusAt(relay: TestRelay, path: string, address: string): Promise<number> {
  const caller = new AbortController();
  const headers = { 'x-forwarded-for': address };
  const { status } = await fetch(relay.url + path, { headers, signal: caller.signal });
  caller.abort();
  return status;
}

/** Relays ask each other, and the primary, every other second. */
async function untilFull(relay: TestRelay, path: string): Promise<void> {
  while ((await statusAt(relay, path, FULL)) !== 429) await Bun.sleep(50);
}

test('streams that the primary has open itself count at its relays, until it stops', async () => {
  const { engine, relay } = await begun();
  const own = {
    ...NO_STREAMS,
    pages: 3,
    addresses: { [FULL]: 3 },
    alertPages: 3,
    alertAddresses: { [FULL]: 3 },
  };
  await engine.keepOwnStreams(own);
  for (const path of [MARKET, ALERTS]) {
    await untilFull(relay, path);
    expect(await statusAt(relay, path, FREE)).toBe(200);
  }
  await engine.keepOwnStreams({ ...NO_STREAMS, pages: 98, alertPages: 98 });
  for (const path of [MARKET, ALERTS])
    while ((await statusAt(relay, path, FULL)) === 429) await Bun.sleep(50);
  await engine.keepOwnStreams({ ...NO_STREAMS, pages: 100, alertPages: 100 });
  for (const path of [MARKET, ALERTS])
    while ((await statusAt(relay, path, FREE)) !== 503) await Bun.sleep(50);
  await engine.keepOwnStreams(null);
  for (const path of [MARKET, ALERTS])
    while ((await statusAt(relay, path, FULL)) === 429) await Bun.sleep(50);
});

test('streams of alerts of an address are counted over the relays', async () => {
  const { relay, newRelay } = await begun();
  const other = await newRelay();
  const from = { 'accept-encoding': 'gzip', 'x-forwarded-for': FULL };
  for (const at of [other, other, relay]) {
    await at.open(ALERTS, from).until(({ events }) => events.length > 0);
  }
  await untilFull(relay, ALERTS);
  expect(await statusAt(relay, ALERTS, FREE)).toBe(200);
  // Those of the market are others.
  expect(await statusAt(relay, MARKET, FULL)).toBe(200);
});
