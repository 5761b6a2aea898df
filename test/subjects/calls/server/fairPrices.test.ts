import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { board, end, list, shown, submit, trade } from '#support/callsApp.ts';
import { createTestApp, type TestApp } from '#support/testApp.ts';
import { createCallsBench, type CallsBench } from '#support/callsBench.ts';
import type { Submitter } from '#subjects/calls/server/parts.ts';
import { createRandom } from '#lib/random.ts';
import type { OwnCall } from '#subjects/calls/rules/types.ts';

/**
 * What a trader sees of a call of his own: how the true price moved since he posted it, in how many steps, and how far it
 * lies above the one that the server shows.
 */
type View = { move: number; age: number; ahead: number; isHalted: boolean; random(): number };
/** What he does about it. */
type Act = 'close' | 'close with nonsense' | 'cancel' | 'hold';

type Strategy = {
  name: string;
  callType: 'bought' | 'buy';
  /** The claimed entry, as a fraction of the price that the server shows. */
  claim: number;
  /** Whether he posts on a stock; `ahead` is how far the true price lies above the one that the server shows. */
  posts(view: { isHalted: boolean; ahead: number; random(): number }): boolean;
  decide(view: View): Act;
};

const often = ({ random }: { random(): number }): boolean => random() < 0.08;

/** A strategy whose thresholds and habits are drawn. */
function drawn(random: () => number): Strategy {
  const acts: Act[] = ['close', 'cancel', 'hold'];
  const pick = (): Act => acts[Math.floor(random() * 3)] ?? 'hold';
  const [up, down, late, patience] = [random() * 0.06, -random() * 0.06, pick(), 5 + random() * 120];
  const [ifUp, ifDown, ifHalted, habit] = [pick(), pick(), pick(), random()];
  return {
    name: 'drawn',
    callType: random() < 0.7 ? 'bought' : 'buy',
    claim: 0.9 + random() * 0.2,
    posts: (view) => often(view) && (habit < 0.5 || view.isHalted || view.ahead > 0.01),
    decide: ({ move, age, isHalted }) => {
      if (isHalted) return ifHalted;
      if (move > up) return ifUp;
      if (move < down) return ifDown;
      return age > patience ? late : 'hold';
    },
  };
}

/** Buys at the price that is shown, whenever it likes, unless more is said. */
const strategy = (name: string, decide: Strategy['decide'], more: Partial<Strategy> = {}): Strategy => ({
  name,
  callType: 'bought',
  claim: 1,
  posts: often,
  decide,
  ...more,
});

/** Those that won on the leaderboard once, and some whose rules are drawn again for every market. */
const strategies = (random: () => number): Strategy[] => [
  strategy('cancels when down, closes when up', ({ move, age }) =>
    age < 6 ? 'hold' : move > 0 ? 'close' : 'cancel',
  ),
  strategy('closes winners, leaves losers open', ({ move }) => (move > 0.01 ? 'close' : 'hold')),
  strategy('posts when the price elsewhere is ahead', ({ age }) => (age > 60 ? 'close' : 'hold'), {
    posts: ({ ahead }) => ahead > 0.04,
  }),
  strategy('closes when the price elsewhere is behind', ({ ahead, age }) =>
    ahead < -0.04 && age > 45 ? 'close' : 'hold',
  ),
  strategy(
    'takes back at once what falls',
    ({ move, age }) => (age < 40 && move < 0 ? 'cancel' : age > 60 ? 'close' : 'hold'),
    { claim: 0.5 },
  ),
  strategy('closes in a halt what is up', ({ move, isHalted, age }) =>
    isHalted ? (move > 0 ? 'close' : 'cancel') : age > 80 ? 'close' : 'hold',
  ),
  strategy(
    'waits for a fill and cancels it when it goes on falling',
    ({ move, age }) => (move < -0.02 ? 'cancel' : move > 0.01 ? 'close' : age > 80 ? 'cancel' : 'hold'),
    { callType: 'buy', claim: 0.99 },
  ),
  strategy('sends to review what is down', ({ move, age }) =>
    age < 6 ? 'hold' : move > 0 ? 'close' : 'close with nonsense',
  ),
  drawn(random),
  drawn(random),
];

type MarketStock = { code: string; price: number; shown: number; haltedFor: number; volume: number };
type Quoted = { at: number; stock: MarketStock; last: number; isHalted: boolean };

const STEP_MS = 30_000;
const PAUSE_MS = 1000;
/** The server takes no more of a user in a day. */
const MAX_CALLS = 20;
/** No position of a private trader gives this, so the call goes to review. */
const MOST_POCKETED = 10_000_000;
const CODES = ['AAA', 'BBB', 'CCC', 'DDD'];
const tick = (price: number): number => Math.round(price * 1000) / 1000;

/** One step of a fair random walk, with gaps, and with halts after which it opens somewhere else. @returns what trades */
function walk(stock: MarketStock, random: () => number): boolean {
  const move = (size: number): void => {
    stock.price = tick(stock.price * (random() < 0.5 ? 1 + size : 1 - size));
  };
  if (stock.haltedFor > 0) {
    stock.haltedFor -= 1;
    if (stock.haltedFor > 0) return false;
    move(0.25);
    return true;
  }
  if (random() < 0.004) {
    stock.haltedFor = 5 + Math.floor(random() * 20);
    return false;
  }
  if (random() < 0.5) return false;
  move(random() < 0.01 ? 0.15 : 0.008);
  return true;
}

type Trader = {
  user: Submitter;
  posted: number;
  strategy: Strategy;
  open: Map<string, { call: OwnCall; seen: number; age: number }>;
};

function act(bench: CallsBench, trader: Trader, stock: MarketStock, random: () => number): void {
  const isHalted = stock.haltedFor > 0;
  const ahead = stock.price / stock.shown - 1;
  const held = trader.open.get(stock.code);
  if (held) {
    held.age += 1;
    const move = stock.price / held.seen - 1;
    const decision = trader.strategy.decide({ move, age: held.age, ahead, isHalted, random });
    if (decision === 'hold') return;
    bench.calls.end(
      trader.user,
      held.call.publicId,
      decision === 'cancel'
        ? { kind: 'cancel', pocketedValue: null }
        : { kind: 'close', pocketedValue: decision === 'close' ? 0 : MOST_POCKETED },
    );
    trader.open.delete(stock.code);
    return;
  }
  if (trader.posted === MAX_CALLS || !trader.strategy.posts({ isHalted, ahead, random })) return;
  const entryPrice = tick(stock.shown * trader.strategy.claim);
  const call = bench.calls.submit(trader.user, {
    symbol: stock.code,
    callType: trader.strategy.callType,
    entryPrice,
    targetPrice: entryPrice * 2,
    stopLossType: 'NONE',
    stopLoss: null,
  });
  trader.posted += 1;
  trader.open.set(stock.code, { call, seen: stock.price, age: 0 });
}

/** The result of one trader, as the leaderboard has it, percent. */
type Outcome = { name: string; verified: number | null };

function outcomeOf(bench: CallsBench, { user, strategy }: Trader): Outcome {
  const answer = JSON.parse(new TextDecoder().decode(bench.calls.leaderboard('public').json)) as {
    leaderboard: { submitter: { display: string }; metrics: { averageVerified: number | null } }[];
  };
  const entry = answer.leaderboard.find(({ submitter }) => submitter.display === user.username);
  return { name: strategy.name, verified: entry?.metrics.averageVerified ?? null };
}

/**
 * A fair market of some hours, in which traders who know its present but not its future post, wait, cancel and close.
 *
 * @param delayMinutes how late the server sees the quotes that the traders see at once
 * @param steps of half a minute
 */
function tradeBlindly(seed: number, delayMinutes: number, steps: number): Outcome[] {
  const random = createRandom(seed);
  const bench = createCallsBench({ delayMinutes });
  const stocks = CODES.map(
    (code): MarketStock => ({ code, price: 10, shown: 10, haltedFor: 0, volume: 1000 }),
  );
  const queue: Quoted[] = [];
  const begin = bench.now;
  for (const { code } of stocks) {
    bench.quote({ code, status: 'Open', last: 10, volume: 1000, quoteTime: begin - delayMinutes * 60_000 });
  }
  bench.tick();
  const traders = strategies(random).map(
    (strategy, index): Trader => ({
      strategy,
      posted: 0,
      user: bench.addUser(`trader${index}`),
      open: new Map(),
    }),
  );
  // At the end the last quotes arrive too.
  const drain = Math.ceil((delayMinutes * 60_000) / STEP_MS) + 1;
  for (let step = 0; step < steps + drain; step += 1) {
    bench.now += STEP_MS - PAUSE_MS;
    for (const stock of stocks) {
      const wasHalted = stock.haltedFor > 0;
      const isTraded = step < steps && walk(stock, random);
      const isHalted = stock.haltedFor > 0;
      if (isTraded || isHalted !== wasHalted)
        queue.push({ at: bench.now, stock, last: stock.price, isHalted });
    }
    while (queue[0] && queue[0].at + delayMinutes * 60_000 <= bench.now) {
      const quoted = queue.shift();
      if (!quoted) break;
      const { stock, last, isHalted, at } = quoted;
      if (!isHalted) stock.volume += 100;
      const trading = isHalted ? {} : { last, volume: stock.volume };
      stock.shown = isHalted ? stock.shown : last;
      bench.quote({ code: stock.code, status: isHalted ? 'Halted' : 'Open', ...trading, quoteTime: at });
    }
    bench.tick();
    // The traders act between this step's trades and the next one's.
    bench.now += PAUSE_MS;
    if (step >= steps) continue;
    for (const trader of traders) for (const stock of stocks) act(bench, trader, stock, random);
  }
  bench.now += STEP_MS;
  const outcomes = traders.map((trader) => outcomeOf(bench, trader));
  bench.db.$client.close();
  return outcomes;
}

const MINUTE = 60_000;
const ofFree = async (app: TestApp) =>
  (await board(app)).leaderboard.find((entry) => entry.submitter.display === 'free')?.metrics;

/** An application in which BHP and CBA trade at 40, on a feed that is late by this many minutes. */
function open(delayMinutes = 0): TestApp {
  const opened = createTestApp({ source: { delayMinutes: () => delayMinutes } });
  list(opened);
  return opened;
}

let app: TestApp;
beforeEach(() => {
  app = open();
});
afterEach(() => app.close());

describe('the price that counts is the first trade after the action', () => {
  test('a loser that is left open counts at the last price, and for nothing once it is rejected', async () => {
    const loser = await submit(app, 'free', { stopLossType: 'NONE', stopLoss: null });
    const winner = await submit(app, 'free', { symbol: 'CBA' });
    for (const code of ['BHP', 'CBA']) trade(app, code, 40);
    trade(app, 'BHP', 30);
    trade(app, 'CBA', 44);
    await end(app, winner, 'close');
    trade(app, 'CBA', 44);
    expect(await ofFree(app)).toMatchObject({ verified: 2, wins: 1, averageVerified: -7.5 });
    expect((await shown(app, loser)).verified).toBeNull();
    const body = { adminStatus: 'rejected' };
    await app.request('POST', `/api/admin/calls/${loser}/admin-status`, { as: 'admin', body });
    expect(await ofFree(app)).toMatchObject({ verified: 1, wins: 1 });
  });

  test('a reached stop ends the result there, whatever trades later', async () => {
    const publicId = await submit(app);
    trade(app, 'BHP', 40);
    trade(app, 'BHP', 37);
    const stopped = { percent: -7.5, entryPrice: 40, exitPrice: 37, bestPercent: 0, worstPercent: -7.5 };
    expect(await shown(app, publicId)).toMatchObject({
      status: 'open',
      verified: stopped,
      awaitingTrade: null,
      stopReached: { price: 37 },
    });
    trade(app, 'BHP', 48);
    expect(await shown(app, publicId)).toMatchObject({ verified: stopped, targetReached: null });
    expect(await ofFree(app)).toMatchObject({ open: 1, verified: 1, wins: 0, averageVerified: -7.5 });
  });

  test('on a feed 20 minutes late, a price seen elsewhere gains nothing', async () => {
    app.close();
    app = open(20);
    // Elsewhere the price is 52 already; here it will be in twenty minutes.
    const publicId = await submit(app);
    const quoteAt = (last: number, quoteTime: number): void => {
      app.source.give([{ code: 'BHP', last, quoteTime, volume: 200 + last }]);
      app.tick.run();
    };
    const posted = app.clock.now();
    app.clock.advance(10 * MINUTE);
    quoteAt(46, posted - 10 * MINUTE);
    expect(await shown(app, publicId)).toMatchObject({ awaitingTrade: 'entry', entryTrade: null });
    app.clock.advance(10 * MINUTE + 1000);
    quoteAt(52, posted + 1000);
    expect(await shown(app, publicId)).toMatchObject({
      awaitingTrade: null,
      entryTrade: { at: new Date(posted + 1000).toISOString(), price: 52 },
      targetReached: { price: 52 },
    });
    await end(app, publicId, 'close');
    const closed = app.clock.now();
    app.clock.advance(20 * MINUTE);
    quoteAt(51, closed - 1000);
    expect(await shown(app, publicId)).toMatchObject({ awaitingTrade: 'exit', verified: null });
    app.clock.advance(2000);
    quoteAt(53, closed + 1000);
    expect(await shown(app, publicId)).toMatchObject({
      awaitingTrade: null,
      verified: { entryPrice: 52, exitPrice: 52, percent: 0, worstPercent: -23.0769 },
    });
  });

  test('posted during a halt that reopens 40 % higher: nothing is gained by that', async () => {
    app.source.give([{ code: 'BHP', status: 'Halted' }]);
    app.tick.run();
    const publicId = await submit(app);
    app.clock.advance(60 * MINUTE);
    app.source.give([{ code: 'BHP', last: 50, volume: 101 }]);
    app.tick.run();
    expect((await shown(app, publicId)).awaitingTrade).toBe('entry');
    app.source.give([{ code: 'BHP', status: 'Open', last: 56, volume: 300 }]);
    app.tick.run();
    await end(app, publicId, 'close');
    trade(app, 'BHP', 57);
    expect((await shown(app, publicId)).verified).toMatchObject({
      entryPrice: 56,
      exitPrice: 56,
      percent: 0,
    });
  });
});

test('a call that is taken back before a trade is printed has no result', async () => {
  const early = await submit(app);
  await end(app, early, 'cancel');
  expect((await shown(app, early)).awaitingTrade).toBe('exit');
  trade(app, 'BHP', 36);
  expect(await shown(app, early)).toMatchObject({ awaitingTrade: null, verified: null });
  expect(await ofFree(app)).toMatchObject({ cancelled: 1, verified: 0 });
});

test('of several trades in one batch and tick the first one counts, although the tick shows the last', async () => {
  const publicId = await submit(app);
  for (const last of [40.5, 43, 41]) {
    app.clock.advance(10);
    app.source.give([{ code: 'BHP', last, volume: 100 + last }]);
  }
  app.tick.run();
  expect((await shown(app, publicId)).entryTrade?.price).toBe(40.5);
});

test('calls of another source have a table of their own, and its prices do not move them', async () => {
  const before = createTestApp({ source: { name: 'made-up' } });
  list(before);
  const publicId = await submit(before);
  trade(before, 'BHP', 40);
  trade(before, 'BHP', 41);
  before.parts.calls.stop();

  const after = createTestApp({ db: before.db, clock: before.clock, source: { name: 'real' } });
  list(after);
  trade(after, 'BHP', 46);
  const answer = await board(after);
  expect(answer).toMatchObject({
    source: 'real',
    leaderboard: [],
    otherLeaderboards: [{ source: 'made-up', leaderboard: [{ metrics: { open: 1, averageVerified: 2.5 } }] }],
    calls: [{ publicId, source: 'made-up', targetReached: null, awaitingTrade: null }],
  });
  const other = await submit(after, 'premium');
  expect((await shown(after, other)).source).toBe('real');
  expect((await board(after)).leaderboard).toHaveLength(1);
  after.close();
  before.close();
});

describe('a bad print', () => {
  const ingestKey = 'a key of the tests';

  test('that comes and goes in one batch of a bridge reaches nothing', async () => {
    app.close();
    app = createTestApp({ env: { BELLBIRD_FEED: 'ingest', BELLBIRD_INGEST_KEY: ingestKey } });
    list(app);
    const publicId = await submit(app);
    app.clock.advance(1000);
    const rawBody = [40, 80, 40.5]
      .map((last, index) => JSON.stringify({ code: 'BHP', last, volume: 200 + index }))
      .join('\n');
    const headers = { authorization: ingestKey, 'content-type': 'application/x-ndjson' };
    const answer = await app.request('POST', '/api/ingest/market', { rawBody, headers });
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
    app.tick.run();
    expect(await shown(app, publicId)).toMatchObject({ targetReached: null, entryTrade: { price: 40 } });
  });

  test('is still in doubt after a kill', () => {
    const bench = createCallsBench();
    const call = { symbol: 'BHP', callType: 'bought' as const, entryPrice: 1, targetPrice: 1.5 };
    bench.calls.submit(bench.user, { ...call, stopLossType: 'NONE', stopLoss: null });
    bench.trade('BHP', 1.1, 2);
    bench.restart();
    bench.trade('BHP', 1.1);
    bench.restart();
    bench.trade('BHP', 1.2);
    expect(bench.calls.mine(bench.user)[0]).toMatchObject({ targetReached: null, highestSinceFill: 1.2 });
  });
});

/** This many standard errors above zero a mean may lie by chance: one in seven hundred does. */
const BOUND = 3;
const SEEDS = Array.from({ length: 10 }, (_, index) => 101 + index * 7919);
/** Of a market: in this many every strategy has used up its calls, or nearly. */
const STEPS = 150;

/** The mean over the markets, in its own standard errors. */
function scoreOf(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const variance = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (known.length - 1);
  return mean / Math.sqrt(variance / known.length);
}

/** By strategy; on a feed that is never late nobody sees a price elsewhere, and that strategy posts nothing. */
const byName = (outcomes: readonly Outcome[]) =>
  [...Map.groupBy(outcomes, ({ name }) => name)].filter(([, own]) =>
    own.some(({ verified }) => verified !== null),
  );

/** On a fair random walk nobody who does not know the future can have a mean result above zero. */
describe.each([0, 20])('on a feed %d minutes late', (delayMinutes) => {
  const outcomes = SEEDS.flatMap((seed) => tradeBlindly(seed, delayMinutes, STEPS));
  test.each(byName(outcomes))('"%s" gains nothing', (_, own) => {
    const scores = own.map(({ verified }) => verified);
    expect(scores.filter((score) => score !== null).length).toBeGreaterThan(SEEDS.length / 2);
    expect(scoreOf(scores)).toBeLessThan(BOUND);
  });
});
