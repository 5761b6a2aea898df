import { createRandom } from '#lib/random.ts';
import {
  groupByDay,
  type RankedResult,
  rankSubmitters,
  type Tally,
} from '#subjects/calls/rules/leaderboardRank.ts';

type Random = () => number;

/** Submitters with the same habit, and the results of one of them over this many days. `market` is the same for all of a board. */
type Habit = {
  name: string;
  accounts: number;
  results(days: number, random: Random, market: Random): RankedResult[];
};

const DAY_MS = 86_400_000;
/** 10:00 in Sydney on 2 November 2026. */
const BEGIN = Date.UTC(2026, 10, 1, 23);
/** Standard deviation of one call, percent. */
const SPREAD = 7;

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const result = (day: number, percent: number, more: Partial<RankedResult> = {}): RankedResult => ({
  percent: Math.max(-100, percent),
  isShort: false,
  market: 0,
  symbol: `S${day}`,
  from: BEGIN + day * DAY_MS,
  until: BEGIN + day * DAY_MS + 3_600_000,
  ...more,
});

const daily = (days: number, percent: (day: number) => number): RankedResult[] =>
  Array.from({ length: days }, (_, day) => result(day, percent(day)));

/** One call per day with this mean result, percent. */
const steady =
  (mean: number, spread = SPREAD): Habit['results'] =>
  (days, random) =>
    daily(days, () => mean + spread * normal(random));

/** The same spread from two outcomes: gains in a share of the calls, losses in the others. */
const skewed =
  (mean: number, wins: number): Habit['results'] =>
  (days, random) => {
    const gap = (0.98 * SPREAD) / Math.sqrt(wins * (1 - wins));
    return daily(days, () => {
      const outcome = random() < wins ? gap * (1 - wins) : -gap * wins;
      return mean + outcome + 0.2 * SPREAD * normal(random);
    });
  };

/** One call every three days. */
const seldom =
  (mean: number): Habit['results'] =>
  (days, random) =>
    daily(days, () => mean + SPREAD * normal(random)).filter((_, day) => day % 3 === 0);

/** Three correlated calls per day. */
const busy =
  (mean: number): Habit['results'] =>
  (days, random) =>
    Array.from({ length: days }, (_, day) => {
      const common = normal(random);
      const one = () => mean + SPREAD * (Math.sqrt(0.3) * common + Math.sqrt(0.7) * normal(random));
      return [0, 1, 2].map((call) => result(day, one(), { symbol: `S${day}-${call}` }));
    }).flat();

/** Small gains on most days and an occasional loss that cancels them. */
const farm =
  (gain: number, loss: number): Habit['results'] =>
  (days, random) =>
    daily(days, () => (random() < gain / (gain + loss) ? -loss : gain * (0.8 + 0.4 * random())));

/** Posts until luck has raised the mean enough. @param enough in standard errors */
const stopsAhead =
  (enough: number): Habit['results'] =>
  (days, random) => {
    const all = daily(days, () => SPREAD * normal(random));
    let sum = 0;
    const end = all.findIndex(({ percent }, index) => {
      sum += percent;
      return index >= 9 && sum > enough * SPREAD * Math.sqrt(index + 1);
    });
    return end < 0 ? all : all.slice(0, end + 1);
  };

const irregular =
  (mean: number): Habit['results'] =>
  (days, random) =>
    daily(days, () => 0).flatMap((one, day) =>
      Array.from({ length: 1 + Math.floor(5 * random()) }, (_, call) => ({
        ...one,
        percent: mean + SPREAD * normal(random),
        symbol: `S${day}-${call}`,
      })),
    );

/** One call per day; after a loss nineteen more with no result, so that the mean of the day is small. */
const dilutes: Habit['results'] = (days, random) =>
  daily(days, () => SPREAD * normal(random)).flatMap((one, day) => [
    one,
    ...Array.from({ length: one.percent < 0 ? 19 : 0 }, (_, call) => ({
      ...one,
      percent: 0.5 * normal(random),
      symbol: `S${day}-${call}`,
    })),
  ]);

/** One call per day; the day after a loss twenty correlated ones, to make up for it. */
const doubles: Habit['results'] = (days, random) => {
  let before = 0;
  return daily(days, () => SPREAD * normal(random)).flatMap((one, day) => {
    const calls = before < 0 ? 20 : 1;
    before = one.percent;
    return Array.from({ length: calls }, (_, call) => ({ ...one, symbol: `S${day}-${call}` }));
  });
};

/** Twenty calls on every fifth day, all of which follow that day’s market. */
const piledUp: Habit['results'] = (days, random) =>
  daily(days, () => SPREAD * normal(random))
    .filter((_, day) => day % 5 === 0)
    .flatMap((one, index) =>
      Array.from({ length: 20 }, (_, call) => ({
        ...one,
        percent: one.percent + normal(random),
        symbol: `S${index}-${call}`,
      })),
    );

/** A market that rises by half a percent per day. */
const risingMarket = (days: number, random: Random): number[] =>
  Array.from({ length: days }, () => 0.5 + 0.8 * normal(random));

/** Calls without skill that are held for a week while the market rises. */
const rides: Habit['results'] = (days, random, common) => {
  const market = risingMarket(days + 5, common);
  return Array.from({ length: days }, (_, day) => {
    const move = market.slice(day, day + 5).reduce((sum, one) => sum + one, 0);
    const until = BEGIN + (day + 5) * DAY_MS;
    return result(day, move + SPREAD * normal(random), { market: move, until });
  });
};

/** Two accounts that bet against each other: one gains what the other loses. */
const opposite: Habit['results'] = (days, random, common) => {
  const side = random() < 0.5 ? 1 : -1;
  return daily(days, () => side * SPREAD * normal(common));
};

/** 200 honest submitters; the leading number is their gain per call, percent. */
export const HONEST: readonly Habit[] = [
  { name: '0', accounts: 60, results: steady(0) },
  { name: '1', accounts: 40, results: steady(1) },
  { name: '2', accounts: 20, results: steady(2) },
  { name: '3', accounts: 20, results: steady(3) },
  { name: '2, few large gains', accounts: 10, results: skewed(2, 0.3) },
  { name: '3, few large gains', accounts: 10, results: skewed(3, 0.3) },
  { name: '2, few large losses', accounts: 10, results: skewed(2, 0.75) },
  { name: '3, few large losses', accounts: 10, results: skewed(3, 0.75) },
  { name: '2.5, every third day', accounts: 10, results: seldom(2.5) },
  { name: '2.5, three calls a day', accounts: 5, results: busy(2.5) },
  { name: '2.5, one to five calls a day', accounts: 5, results: irregular(2.5) },
];

/** Attempts to reach the top without skill. Each gains nothing on average against the market. */
export const TRICKS: readonly Habit[] = [
  { name: 'tiny targets, rare losses of 49 %', accounts: 10, results: farm(1, 49) },
  { name: 'small targets, losses of 20 %', accounts: 10, results: farm(2, 20) },
  { name: 'half a percent, rare losses of 60 %', accounts: 10, results: farm(0.5, 60) },
  { name: 'penny stocks, spread of 25 %', accounts: 10, results: steady(0, 25) },
  {
    name: 'lotteries, 600 % once in 25 calls',
    accounts: 10,
    results: (days, random) => daily(days, () => (random() < 0.04 ? 400 + 400 * random() : -50 * random())),
  },
  { name: 'twenty calls on one day', accounts: 22, results: piledUp },
  { name: 'dilutes losing days', accounts: 22, results: dilutes },
  { name: 'twenty calls after each loss', accounts: 22, results: doubles },
  { name: 'rides a rising market', accounts: 22, results: rides },
];

/** Accounts of which only the luckiest are shown. No rule can tell such luck from skill: few may get a rank, and hardly one a high one. */
export const PUPPETS: readonly Habit[] = [
  { name: 'best of 22 puppets', accounts: 22, results: steady(0) },
  { name: '22 puppets that stop while ahead', accounts: 22, results: stopsAhead(2.2) },
  { name: 'best of 100 puppets', accounts: 100, results: steady(0) },
  { name: '100 puppets that stop while ahead', accounts: 100, results: stopsAhead(2.2) },
  { name: 'pairs that bet against each other', accounts: 22, results: opposite },
  {
    name: 'sacrificed losers with 22 puppets',
    accounts: 44,
    results: (days, random) => steady(random() < 0.5 ? -15 : 0)(days, random, random),
  },
];

const NO_COUNTS = { pending: 0, open: 0, closed: 0, cancelled: 0, pocketed: 0, pocketedCount: 0 };

/** A submitter with only results. */
export const tallyOf = (display: string, results: readonly RankedResult[]): Tally => ({
  display,
  ...NO_COUNTS,
  days: groupByDay(results),
  running: [],
});

type Outcome = { ranked: number; provisional: number; inFirstTenth: number; accounts: number };

/** The results of the submitters with each habit on ten boards after this many days, combined. */
export function outcomesOf(habits: readonly Habit[], days: number): Map<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  for (let seed = 1; seed < 1000; seed += 101) {
    const random = createRandom(seed);
    const tallies = habits.flatMap(({ name, accounts, results }) =>
      Array.from({ length: accounts }, () => tallyOf(name, results(days, random, createRandom(-seed)))),
    );
    const board = rankSubmitters(tallies);
    for (const [index, { submitter, metrics }] of board.entries()) {
      const one = outcomes.get(submitter.display) ?? {
        ranked: 0,
        provisional: 0,
        inFirstTenth: 0,
        accounts: 0,
      };
      one.accounts += 1;
      if (metrics.rank !== null) one.ranked += 1;
      if (metrics.rank !== null && index < Math.floor(board.length / 10)) one.inFirstTenth += 1;
      if (metrics.provisionalRank !== null) one.provisional += 1;
      outcomes.set(submitter.display, one);
    }
  }
  return outcomes;
}
