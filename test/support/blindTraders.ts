import type { Submitter } from '../../src/subjects/calls/server/parts.ts';
import { createRandom } from '../../src/lib/random.ts';
import type { OwnCall } from '../../src/subjects/calls/rules/types.ts';
import { type CallsBench, createCallsBench } from './callsBench.ts';

/**
 * What a trader sees of a call of his own: how the true price moved since he posted it, in how many steps, and how far it
 * lies above the one that the server shows.
 */
type View = { move: number; age: number; ahead: number; isHalted: boolean; random(): number };
/** What he does about it. */
type Act = 'close' | 'close with nonsense' | 'cancel' | 'hold';

export type Strategy = {
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

/** Those that won on the leaderboard once, and some whose rules are drawn again for every market. */
export const strategies = (random: () => number): Strategy[] => [
  {
    name: 'cancels when down, closes when up',
    callType: 'bought',
    claim: 1,
    posts: often,
    decide: ({ move, age }) => (age < 6 ? 'hold' : move > 0 ? 'close' : 'cancel'),
  },
  {
    name: 'closes winners, leaves losers open',
    callType: 'bought',
    claim: 1,
    posts: often,
    decide: ({ move }) => (move > 0.01 ? 'close' : 'hold'),
  },
  {
    name: 'posts when the price elsewhere is ahead',
    callType: 'bought',
    claim: 1,
    posts: ({ ahead }) => ahead > 0.04,
    decide: ({ age }) => (age > 60 ? 'close' : 'hold'),
  },
  {
    name: 'closes when the price elsewhere is behind',
    callType: 'bought',
    claim: 1,
    posts: often,
    decide: ({ ahead, age }) => (ahead < -0.04 && age > 45 ? 'close' : 'hold'),
  },
  {
    name: 'takes back at once what falls',
    callType: 'bought',
    claim: 0.5,
    posts: often,
    decide: ({ move, age }) => (age < 40 && move < 0 ? 'cancel' : age > 60 ? 'close' : 'hold'),
  },
  {
    name: 'closes in a halt what is up',
    callType: 'bought',
    claim: 1,
    posts: often,
    decide: ({ move, isHalted, age }) =>
      isHalted ? (move > 0 ? 'close' : 'cancel') : age > 80 ? 'close' : 'hold',
  },
  {
    name: 'waits for a fill and cancels it when it goes on falling',
    callType: 'buy',
    claim: 0.99,
    posts: often,
    decide: ({ move, age }) =>
      move < -0.02 ? 'cancel' : move > 0.01 ? 'close' : age > 80 ? 'cancel' : 'hold',
  },
  {
    name: 'sends to review what is down',
    callType: 'bought',
    claim: 1,
    posts: often,
    decide: ({ move, age }) => (age < 6 ? 'hold' : move > 0 ? 'close' : 'close with nonsense'),
  },
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
    if (decision === 'close')
      bench.calls.end(trader.user, held.call.publicId, { kind: 'close', pocketedValue: 0 });
    else if (decision === 'close with nonsense')
      bench.calls.end(trader.user, held.call.publicId, { kind: 'close', pocketedValue: MOST_POCKETED });
    else bench.calls.end(trader.user, held.call.publicId, { kind: 'cancel', pocketedValue: null });
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
export type Outcome = { name: string; verified: number | null };

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
export function tradeBlindly(seed: number, delayMinutes: number, steps: number): Outcome[] {
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
