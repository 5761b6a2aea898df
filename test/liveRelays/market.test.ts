import { describe, expect, test } from 'bun:test';
import { applyDelta, type Delta, readStocks, type Snapshot } from '#market/rules/stream.ts';
import type { Stock } from '#market/rules/stock.ts';
import type { Redis, Placed } from '#src/relays/redis/types.ts';
import type { HandPrimary } from '../support/handPrimary.ts';
import { relayFixture, type TestRelay } from '../support/relayFixture.ts';
import { type StreamClient, openStreamClient } from '../support/streamClient.ts';
import { waitUntil } from '../support/waitUntil.ts';

async function connectionsOf(pages: readonly StreamClient[]): Promise<void> {
  for (const page of pages) await page.until((client) => client.body().length > 0);
  // The opening, which may be empty, follows in the next turn.
  await Bun.sleep(50);
}

const fixture = relayFixture();

/** A Redis with a primary that has published some events and opens its own stream. */
async function begun() {
  const { primary, relayOf } = await fixture.begun();
  primary.tick({ BHP: { last: 50 }, CBA: { last: 150 } });
  primary.tick({ BHP: { last: 51 } });
  await primary.sent();
  const { port } = fixture.serve(primary.open);
  const openOwn = (headers: Record<string, string>): StreamClient => openStreamClient(port, '/', headers);
  return { primary, relayOf, openOwn };
}

/** The stocks that a page knows from what it received. */
function stocksOf({ events }: StreamClient): ReadonlyMap<string, Stock> {
  let stocks: ReadonlyMap<string, Stock> = new Map();
  for (const { event, data } of events) {
    if (event === 'snapshot') stocks = readStocks((data as Snapshot).stocks);
    if (event === 'delta_update') stocks = applyDelta(stocks, data as Delta);
  }
  return stocks;
}

/** Waits until a relay serves a primary that publishes all the time. */
async function untilServing(relay: TestRelay, primary: HandPrimary): Promise<void> {
  const timer = setInterval(() => primary.tick(), 50);
  const isServing = (): boolean => {
    const { ok, relay: of } = relay.health();
    return ok && of.position?.run === primary.position.run;
  };
  try {
    await waitUntil('the relay to serve again', isServing);
  } finally {
    clearInterval(timer);
  }
}

const lastId = (client: StreamClient): string | null => client.events.findLast(({ id }) => id)?.id ?? null;

/** The ids of events that the primary numbers; the parts of an opening have others. */
const idsOf = ({ events }: StreamClient): string[] =>
  events.flatMap(({ event, id }) => (event === 'delta_update' && id?.includes('.') === false ? [id] : []));

const ended = (client: StreamClient): boolean => client.events.at(-1)?.event === 'closing';

describe('a page on a relay', () => {
  test('receives byte for byte what a page on the primary receives', async () => {
    const { primary, relayOf, openOwn } = await begun();
    const relay = await relayOf();
    await primary.sent();
    for (const encoding of ['gzip', 'identity']) {
      await waitUntil('the relay', () => relay.health().relay.position?.number === primary.position.number);
      const headers = { 'accept-encoding': encoding, 'last-event-id': `e1-${primary.channel.seq()}` };
      const pages = [relay.open(undefined, headers), openOwn(headers)];
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
    const { primary, relayOf } = await begun();
    const relay = await relayOf();
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

  test('resumes at another relay, and at the primary, without gaps or repeats', async () => {
    const { primary, relayOf, openOwn } = await begun();
    const [first, second] = [await relayOf(), await relayOf()];
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
    for (const again of [second.open(undefined, headers), openOwn(headers)]) {
      await again.until((client) => idsOf(client).length === 2);
      expect(idsOf(again)).toEqual([`e1-${left + 1}`, `e1-${left + 2}`]);
      again.leave();
    }
  });
});

describe('a relay with incomplete messages', () => {
  async function spoilt(spoil: (primary: HandPrimary) => unknown) {
    const { primary, relayOf } = await begun();
    const relay = await relayOf();
    const page = relay.open();
    await page.until((client) => lastId(client) !== null);
    spoil(primary);
    return { primary, relay, page };
  }

  function expectWhole(page: StreamClient): void {
    const ids = idsOf(page).map((id) => Number(id.split('-')[1]));
    expect(ids).toEqual(ids.map((_, at) => (ids[0] ?? 0) + at));
  }

  test('ends its streams if one is missing, and starts again from the next snapshot', async () => {
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

  test('ignores a repeated message, and starts again if the order is wrong', async () => {
    const { primary, relayOf } = await begun();
    let spoil: (placed: Placed[]) => Placed[] = (placed) => placed;
    const through = (redis: Redis): Redis => ({
      ...redis,
      read: async (after, waitMs) => spoil(await redis.read(after, waitMs)),
    });
    const relay = await relayOf({ through });
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

  test('continues across a new epoch of the same stream in which nothing is missing', async () => {
    const { page } = await spoilt((hand) => {
      hand.nextRun();
      hand.tick({ BHP: { last: 97 } });
    });
    await page.until((client) => stocksOf(client).get('BHP')?.last === 97);
    expectWhole(page);
    expect(ended(page)).toBeFalse();
  });

  test('ends them across a new epoch in which an event is missing', async () => {
    const { page } = await spoilt((hand) => {
      hand.nextRun();
      hand.lose(() => hand.tick({ BHP: { last: 96 } }));
      hand.tick({ BHP: { last: 95 } });
    });
    await page.until(ended);
    expectWhole(page);
    expect(stocksOf(page).get('BHP')?.last).not.toBe(95);
  });
});
