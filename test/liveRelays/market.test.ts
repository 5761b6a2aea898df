import { describe, expect, test } from 'bun:test';
import { applyDelta, readStocks } from '../../src/market/rules/applyDelta.ts';
import type { Stock } from '../../src/market/rules/stock.ts';
import type { Delta, Snapshot } from '../../src/market/rules/stream.ts';
import { toBytes } from '../../src/platform/sse/event.ts';
import { pack } from '../../src/platform/sse/message.ts';
import type { Engine, Placed } from '../../src/relays/engine/types.ts';
import { connectionsOf, serveHand } from '../support/handPages.ts';
import { createHandPrimary, type HandPrimary, type HandPrimaryOptions } from '../support/handPrimary.ts';
import { relayStage, type TestRelay } from '../support/relayStage.ts';
import type { StreamClient } from '../support/streamClient.ts';
import { waitUntil } from '../support/waitUntil.ts';

const stage = relayStage();

/** An engine with a primary that has told a few things. */
async function begun(options?: HandPrimaryOptions) {
  const { url } = await stage.engines.redis();
  const primary = createHandPrimary(await stage.engines.connected(url), options);
  await primary.keep();
  primary.tick({ BHP: { last: 50 }, CBA: { last: 150 } });
  primary.tick({ BHP: { last: 51 } });
  await primary.sent();
  return { url, primary };
}

/** The stocks that a page knows by what it was given. */
function stocksOf({ events }: StreamClient): ReadonlyMap<string, Stock> {
  let stocks: ReadonlyMap<string, Stock> = new Map();
  for (const { event, data } of events) {
    if (event === 'snapshot') stocks = readStocks((data as Snapshot).stocks);
    if (event === 'delta_update') stocks = applyDelta(stocks, data as Delta);
  }
  return stocks;
}

/** Waits until a relay serves a primary that says something all the time. */
async function untilServing(relay: TestRelay, primary: HandPrimary): Promise<void> {
  const saying = setInterval(() => primary.tick(), 50);
  const isServing = (): boolean => {
    const { ok, relay: of } = relay.health();
    return ok && of.position?.run === primary.position.run;
  };
  try {
    await waitUntil('the relay to serve again', isServing);
  } finally {
    clearInterval(saying);
  }
}

const lastId = (client: StreamClient): string | null => client.events.findLast(({ id }) => id)?.id ?? null;

/** The ids of events that the primary numbers; the parts of an opening have others. */
const idsOf = ({ events }: StreamClient): string[] =>
  events.flatMap(({ event, id }) => (event === 'delta_update' && id?.includes('.') === false ? [id] : []));

const ended = (client: StreamClient): boolean => client.events.at(-1)?.event === 'closing';

describe('a page on a relay', () => {
  test('gets byte for byte what a page on the primary gets', async () => {
    const { url, primary } = await begun();
    const relay = await stage.serving({ url }, () => primary.tick());
    await primary.sent();
    const own = serveHand(primary, stage.later);
    for (const encoding of ['gzip', 'identity']) {
      await waitUntil('the relay', () => relay.health().relay.position?.number === primary.position.number);
      const headers = { 'accept-encoding': encoding, 'last-event-id': `e1-${primary.channel.seq()}` };
      const pages = [relay.open(undefined, headers), own.open(headers)];
      await connectionsOf(pages);
      const from = primary.channel.seq();
      for (let step = 0; step < 8; step += 1) primary.tick({ BHP: { last: 60 + step, volume: step * 1000 } });
      const newest = `e1-${from + 8}`;
      for (const page of pages) await page.until((client) => lastId(client) === newest);
      const [relayed, direct] = pages.map((page) => page.body());
      expect(relayed?.equals(direct ?? Buffer.alloc(0))).toBeTrue();
      for (const page of pages) page.leave();
    }
  });

  test('knows what the primary knows, whenever it joins', async () => {
    const { url, primary } = await begun();
    const relay = await stage.serving({ url }, () => primary.tick());
    const pages: StreamClient[] = [];
    for (let step = 0; step < 30; step += 1) {
      primary.tick({ BHP: { last: step }, [`A${step}`]: { last: 1 } });
      pages.push(relay.open(step % 2 === 0 ? '/api/data/stream?parts=1&scanner=gapScanner' : undefined));
      await Bun.sleep(step % 7);
    }
    const newest = `e1-${primary.channel.seq()}`;
    const all = readStocks(primary.state().stocks);
    for (const page of pages) {
      await page.until((client) => lastId(client) === newest && stocksOf(client).size === all.size);
      expect([...stocksOf(page)].toSorted()).toEqual([...all].toSorted());
    }
  });

  test('goes on at another relay, and at the primary, where it was: no gap, nothing twice', async () => {
    const { url, primary } = await begun();
    const first = await stage.serving({ url }, () => primary.tick());
    const second = await stage.serving({ url }, () => primary.tick());
    const own = serveHand(primary, stage.later);
    const page = first.open();
    await page.until((client) => lastId(client) !== null);
    primary.tick({ BHP: { last: 70 } });
    await page.until((client) => lastId(client) === `e1-${primary.channel.seq()}`);
    const left = primary.channel.seq();
    page.leave();
    primary.tick({ BHP: { last: 71 } });
    primary.tick({ BHP: { last: 72 } });
    await primary.sent();
    const headers = { 'accept-encoding': 'gzip', 'last-event-id': `e1-${left}` };
    for (const again of [second.open(undefined, headers), own.open(headers)]) {
      await again.until((client) => idsOf(client).length === 2);
      expect(idsOf(again)).toEqual([`e1-${left + 1}`, `e1-${left + 2}`]);
      again.leave();
    }
  });

  test('ends when nothing is heard of the primary, and goes on where it was once it is', async () => {
    const { url, primary } = await begun();
    let skipped = 0;
    const clock = { now: () => Date.now(), monotonic: () => performance.now() + skipped };
    const relay = await stage.serving({ url, clock }, () => primary.tick());
    const page = relay.open();
    await page.until((client) => lastId(client) === `e1-${primary.channel.seq()}`);
    const left = primary.channel.seq();
    skipped = 4000;
    await page.until((client) => client.ended() || client.finished());
    const refused = await fetch(`${relay.url}/api/data/stream`);
    expect(refused.status).toBe(503);
    expect(await refused.text()).toContain('hears nothing of the main server');
    primary.tick({ BHP: { last: 73 } });
    await waitUntil('the relay to hear it', () => relay.health().ok);
    const again = relay.open(undefined, { 'accept-encoding': 'gzip', 'last-event-id': `e1-${left}` });
    await again.until((client) => idsOf(client).length > 0);
    expect(idsOf(again)).toEqual([`e1-${left + 1}`]);
  });

  test('is told the market’s time of the primary by a relay whose clock is minutes off', async () => {
    const { url, primary } = await begun();
    const clock = { now: () => Date.now() + 7 * 60_000, monotonic: () => performance.now() };
    const relay = await stage.serving({ url, clock }, () => primary.tick({}, 0));
    const page = relay.open();
    await page.until(({ events }) => events.some(({ event }) => event === 'snapshot'));
    const [meta] = page.events.flatMap(({ event, data }) =>
      event === 'snapshot' ? [(data as Snapshot).meta] : [],
    );
    const told = primary.state().meta;
    expect(meta?.clockOffsetMs).toBe(told.clockOffsetMs);
    // Not by the relay's clock: by what went by since.
    expect(Math.abs((meta?.marketTime ?? 0) - told.marketTime)).toBeLessThan(60_000);
  });

  test('is refused with a sentence where the primary speaks another protocol', async () => {
    const { url, primary } = await begun({ protocol: 99 });
    const relay = await stage.start({ url });
    const error =
      'This relay and the main server are of versions that do not understand each other. Tell the administrator.';
    let said = '';
    while (!said.includes(error)) {
      primary.tick();
      const answer = await fetch(`${relay.url}/api/data/stream`);
      expect(answer.status).toBe(503);
      said = await answer.text();
      await Bun.sleep(20);
    }
    expect(relay.lines.filter(({ message }) => message === error)).toHaveLength(1);
  });

  test('is refused while nothing is there', async () => {
    const { url } = await stage.engines.redis();
    const relay = await stage.start({ url });
    const answer = await fetch(`${relay.url}/api/data/stream`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '3']);
    expect(await answer.json()).toEqual({
      error: 'This relay hears nothing of the main server at the moment. Try again shortly.',
    });
    expect((await fetch(`${relay.url}/healthz`)).status).toBe(503);
  });
});

describe('a relay whose frames are not whole', () => {
  async function spoilt(spoil: (primary: HandPrimary, url: string) => unknown) {
    const { url, primary } = await begun();
    const relay = await stage.serving({ url }, () => primary.tick());
    const page = relay.open();
    await page.until((client) => lastId(client) !== null);
    await spoil(primary, url);
    return { url, primary, relay, page };
  }

  /** What a page was given goes on without a gap, and nothing comes twice. */
  function expectWhole(page: StreamClient): void {
    const ids = idsOf(page).map((id) => Number(id.split('-')[1]));
    expect(ids).toEqual(ids.map((_, at) => (ids[0] ?? 0) + at));
  }

  test('ends its streams when one is missing, and begins anew from the next snapshot', async () => {
    const { primary, relay, page } = await spoilt((hand) => {
      hand.skip();
      hand.tick({ BHP: { last: 99 } });
    });
    await page.until(ended);
    expectWhole(page);
    expect(stocksOf(page).get('BHP')?.last).not.toBe(99);
    expect((await fetch(`${relay.url}/api/data/stream`)).status).toBe(503);
    await primary.keep();
    await untilServing(relay, primary);
    const again = relay.open();
    await again.until((client) => stocksOf(client).get('BHP')?.last === 99);
  });

  test('takes a frame that comes again once, and begins anew when they come in another order', async () => {
    const { url, primary } = await begun();
    let spoil: (placed: Placed[]) => Placed[] = (placed) => placed;
    const through = (engine: Engine): Engine => ({
      ...engine,
      read: async (after, waitMs) => spoil(await engine.read(after, waitMs)),
    });
    const relay = await stage.serving({ url, through }, () => primary.tick());
    const page = relay.open();
    await page.until((client) => lastId(client) !== null);
    const seen: Placed[] = [];
    spoil = (placed) => {
      seen.push(...placed);
      return [...seen, ...placed];
    };
    for (let step = 0; step < 5; step += 1) {
      primary.tick({ BHP: { last: 200 + step } });
      await page.until((client) => stocksOf(client).get('BHP')?.last === 200 + step);
    }
    expectWhole(page);
    expect(ended(page)).toBeFalse();
    spoil = (placed) => placed.toReversed();
    while (!ended(page)) {
      for (let step = 0; step < 5; step += 1) primary.tick({ BHP: { last: 300 + step } });
      await Bun.sleep(20);
    }
    expectWhole(page);
    spoil = (placed) => placed;
    await primary.keep();
    await untilServing(relay, primary);
    const again = relay.open();
    await again.until((client) => stocksOf(client).get('BHP')?.last === 304);
  });

  test('takes nothing that somebody else sealed', async () => {
    const { primary, page, url } = await spoilt(() => undefined);
    const secret = 'another secret of thirty-two chars';
    const stranger = await stage.engines.connected(url, { secret });
    const { run, number } = primary.position;
    const block = pack(toBytes(`id: e1-${primary.channel.seq() + 1}\nevent: snapshot\ndata: {}\n\n`));
    await primary.sent();
    await stranger.publish({
      position: { run, number: number + 1 },
      frame: { kind: 'market', epoch: 'e1', seq: primary.channel.seq() + 1, place: 1, reach: 0, block },
    });
    // The primary finds its next place taken, and begins a new run.
    primary.nextRun();
    await primary.keep();
    primary.tick({ BHP: { last: 98 } });
    await page.until((client) => stocksOf(client).get('BHP')?.last === 98 || ended(client));
    expectWhole(page);
    expect(stocksOf(page).size).toBe(2);
  });

  test('goes on over a new run of the same stream in which nothing is missing', async () => {
    const { page } = await spoilt((hand) => {
      hand.nextRun();
      hand.tick({ BHP: { last: 97 } });
    });
    await page.until((client) => stocksOf(client).get('BHP')?.last === 97);
    expectWhole(page);
    expect(ended(page)).toBeFalse();
  });

  test('ends them over a new run in which an event is missing', async () => {
    const { page } = await spoilt((hand) => {
      hand.nextRun();
      hand.lose(() => hand.tick({ BHP: { last: 96 } }));
      hand.tick({ BHP: { last: 95 } });
    });
    await page.until(ended);
    expectWhole(page);
    expect(stocksOf(page).get('BHP')?.last).not.toBe(95);
  });

  test('ends them when the primary is started again', async () => {
    const { page } = await spoilt(async (_, url) => {
      const next = createHandPrimary(await stage.engines.connected(url), { epoch: 'e2', run: 5 });
      await next.keep();
      next.tick({ BHP: { last: 1 } });
    });
    await page.until(ended);
    expect(stocksOf(page).get('BHP')?.last).not.toBe(1);
  });

  test('ends them when the primary says that it stops, and opens none until it is back', async () => {
    const { page, relay, url } = await spoilt((hand) => hand.publish({ kind: 'closing' }));
    await page.until(ended);
    expect((await fetch(`${relay.url}/api/data/stream`)).status).toBe(503);
    const next = createHandPrimary(await stage.engines.connected(url), { epoch: 'e2', run: 5 });
    await next.keep();
    await untilServing(relay, next);
    const again = relay.open();
    await again.until((client) => lastId(client)?.startsWith('e2-') === true);
  });

  test('begins anew behind an engine that lost everything', async () => {
    const server = await stage.engines.redis();
    const before = createHandPrimary(await stage.engines.connected(server.url), { run: 9 });
    await before.keep();
    const relay = await stage.serving({ url: server.url }, () => before.tick({ BHP: { last: 1 } }));
    await server.restart();
    // Its clock was set back.
    const after = createHandPrimary(await stage.engines.connected(server.url), { epoch: 'e2', run: 3 });
    await after.keep();
    await untilServing(relay, after);
    const page = relay.open();
    await page.until((client) => lastId(client)?.startsWith('e2-') === true);
  });
});
