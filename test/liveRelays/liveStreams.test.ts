import { expect, test } from 'bun:test';
import { createLog } from '../../src/lib/log.ts';
import { eventText } from '../../src/platform/sse/event.ts';
import { LiveStreams } from '../../src/relays/relay/liveStreams.ts';
import { PrimaryClient } from '../../src/relays/relay/primaryClient.ts';
import { engineStage, SECRET } from '../support/engineStage.ts';
import { createHandPrimary } from '../support/handPrimary.ts';
import { waitUntil } from '../support/waitUntil.ts';

const stage = engineStage();
const FAR = 4_000_000_000_000;

/** The streams of a relay whose primary allows one of an address, and opens alerts for any token but one. */
async function begun() {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { token } = (await request.json()) as { token: string };
      if (token === 'gone') return Response.json({ error: 'Log in again.' }, { status: 401 });
      const messages = [eventText('ping', '7', { time: 1 })];
      return Response.json({ userId: 1, sessionId: token, audience: '1', expiresAt: FAR, messages });
    },
  });
  const { url } = await stage.redis();
  const [engine, other] = [await stage.connected(url), await stage.connected(url)];
  const primary = createHandPrimary(other, { streams: { all: 100, perAddress: 1 } });
  await primary.keep();
  const kept: string[] = [];
  let skipped = 0;
  const streams = new LiveStreams({
    engine,
    primary: new PrimaryClient(`http://127.0.0.1:${server.port}`, SECRET),
    clock: { now: () => Date.now(), monotonic: () => performance.now() + skipped },
    log: createLog(() => undefined),
    about: { version: '0.0.0', commit: 'test' },
    ...{ id: 'r1', name: 'test' },
    keepOpen: ({ url: of }) => void kept.push(new URL(of).hash),
    cutOff: () => {},
    clientAddress: () => '203.0.113.7',
  });
  streams.start();
  const saying = setInterval(() => primary.tick(), 50);
  await waitUntil('the relay to serve', () => streams.figures().isServing);
  return {
    ...{ streams, kept, primary },
    /** The primary says nothing any more, and some time passes. */
    fallSilent: (ms: number): void => {
      clearInterval(saying);
      skipped += ms;
    },
    async end() {
      clearInterval(saying);
      await streams.stop();
      await server.stop(true);
    },
  };
}

const market = (name: string, init?: RequestInit): Request =>
  new Request(`http://relay/api/data/stream#${name}`, init);
const alerts = (name: string, token: string): Request =>
  new Request(`http://relay/api/user/alerts/stream#${name}`, { headers: { authorization: token } });

test('the connection of a stream may be silent, that of a refusal or of HEAD may not', async () => {
  const { streams, kept, end } = await begun();
  try {
    expect(streams.market(market('head', { method: 'HEAD' })).status).toBe(200);
    expect(streams.market(market('open')).status).toBe(200);
    expect(streams.market(market('full')).status).toBe(429);
    expect((await streams.alerts(alerts('refused', 'gone')))?.status).toBe(401);
    expect((await streams.alerts(alerts('alerts', 'good')))?.status).toBe(200);
    expect((await streams.alerts(alerts('too many', 'good')))?.status).toBe(429);
    expect(kept).toEqual(['#open', '#alerts']);
  } finally {
    await end();
  }
});

test('streams of alerts end as those of the market do when nothing is heard of the primary', async () => {
  const { streams, fallSilent, end } = await begun();
  try {
    const opened = [streams.market(market('open')), await streams.alerts(alerts('alerts', 'good'))];
    const texts = opened.map(async (response) => response?.text());
    await waitUntil('both to be open', () => {
      const { pages, alertPages } = streams.figures();
      return pages === 1 && alertPages === 1;
    });
    fallSilent(4000);
    const [, ofAlerts] = await Promise.all(texts);
    expect(ofAlerts).toContain('event: closing');
    expect((await streams.alerts(alerts('alerts', 'good')))?.status).toBe(503);
    expect(streams.figures()).toMatchObject({ isServing: false, pages: 0, alertPages: 0 });
  } finally {
    await end();
  }
});

test('a stream of alerts alone ends as well', async () => {
  const { streams, fallSilent, end } = await begun();
  try {
    const text = (await streams.alerts(alerts('alerts', 'good')))?.text();
    await waitUntil('it to be open', () => streams.figures().alertPages === 1);
    fallSilent(4000);
    expect(await text).toContain('event: closing');
  } finally {
    await end();
  }
});
