import { describe, expect, test } from 'bun:test';
import { createRandom } from '#lib/random.ts';
import { createStoredDays } from '#market/bars/storedDays.ts';
import { priceAtStep, stepIndex } from '#market/rules/priceStep.ts';
import { factorSince } from '#market/rules/splitAdjustment.ts';
import type { Condition, Logic, Operator } from '#subjects/conditions/rules/condition.ts';
import type { OddsEntries } from '#subjects/odds/rules/result.ts';
import { DEFAULT_ODDS_SETTINGS, type OddsExit, type OddsSettings } from '#subjects/odds/rules/settings.ts';
import { field, is, number } from '../../../support/conditions.ts';
import { naiveOdds } from '../../../support/naiveOdds.ts';
import { oddsOf } from '../../../support/oddsOf.ts';
import { openMemoryDb } from '#platform/db/open.ts';
import { dailyBars } from '#platform/db/schema.ts';
import { randomSessions } from '../../../support/randomSessions.ts';
import type { RecordedDay } from '../../../support/recordedSessions.ts';
import { tradingDaysBefore } from '../../../support/storedSessions.ts';

const MARKETS = 60;

const EXITS: readonly OddsExit[] = [
  { kind: 'minutes', minutes: 5 },
  { kind: 'minutes', minutes: 60 },
  { kind: 'close' },
  { kind: 'nextOpen' },
  { kind: 'stopTarget', stop: 2, target: 5 },
  { kind: 'stopTarget', stop: 20, target: 30 },
];

type Random = ReturnType<typeof createRandom>;
const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const PLAIN: readonly Operator[] = ['>', '>=', '<', '<=', '==', '!='];
/** Fields, and levels that some minutes reach. */
const LEVELS: readonly (readonly [key: string, levels: readonly number[]])[] = [
  ['change_percent', [-5, 0, 3, 10]],
  ['last', [0.002, 0.02, 0.5, 3]],
  ['open', [0.02, 1]],
  ['high', [0.02, 1]],
  ['low', [0.02, 1]],
  ['volume', [0, 10_000, 50_000]],
  ['value', [100, 10_000]],
  ['marketCap', [1e9]],
  ['gap_percent', [-2, 0, 4]],
  ['match_price', [0.02, 1]],
  ['minutes_since_open', [0, 5, 30, 200, 372]],
];
const PAIRS: readonly (readonly [string, string])[] = [
  ['last', 'open'],
  ['last', 'high'],
  ['low', 'close'],
  ['open', 'close'],
];

function randomCondition(random: Random): Condition {
  const kind = random();
  if (kind < 0.15)
    return is(
      field('last'),
      pick(random, ['crosses_above', 'crosses_below']),
      pick(random, [field('open'), number(0.02), number(1)]),
    );
  if (kind < 0.35) {
    const [one, other] = pick(random, PAIRS);
    return is(field(one), pick(random, PLAIN), field(other));
  }
  const [key, levels] = pick(random, LEVELS);
  return is(field(key), pick(random, PLAIN), pick(random, levels));
}

function randomLogic(random: Random): Logic {
  const conditions = Array.from({ length: 1 + Math.floor(random() * 3) }, (): Logic['conditions'][number] =>
    random() < 0.2
      ? { op: 'OR', conditions: [randomCondition(random), randomCondition(random)] }
      : randomCondition(random),
  );
  return { op: 'AND', conditions };
}

const randomSettings = (random: Random): OddsSettings => ({
  ...DEFAULT_ODDS_SETTINGS,
  exit: pick(random, EXITS),
  everyEntry: random() < 0.4,
  steps: pick(random, [0, 1, 2]),
  amount: pick(random, [1000, 5000]),
});

const rowsOf = (found: OddsEntries) =>
  found.symbols.map((symbol, row) => ({
    symbol,
    date: found.dates[row] ?? '',
    minute: found.minutes[row] ?? 0,
    exitDate: found.exitDates[row] ?? '',
    exitMinute: found.exitMinutes[row] ?? 0,
    exit: found.exits[row] ?? 0,
    reason: found.reasons[row],
    result: found.results[row] ?? 0,
  }));

/** In one order, with the digits that both ways of computing share. */
const comparable = (
  rows: readonly { symbol: string; date: string; minute: number; exit: number; result: number }[],
) =>
  rows
    .map((row) => ({ ...row, exit: row.exit.toFixed(6), result: row.result.toFixed(6) }))
    .sort((a, b) => (`${a.date} ${a.symbol} ${a.minute}` < `${b.date} ${b.symbol} ${b.minute}` ? -1 : 1));

const SMA = {
  type: 'indicator',
  family: 'sma',
  params: { length: '20' },
  tf: 'D',
  key: 'sma_20',
  valueKey: 'now',
} as const;

type Closes = Map<string, Map<string, number>>;

/**
 * Traded closes by code and date: random ones before the sessions, then those of the sessions. Not stored are those
 * of a stock without splits, whose days are then made of minutes.
 */
function randomCloses(
  random: Random,
  { days, adjustments }: ReturnType<typeof randomSessions>,
  earlier: readonly string[],
): { known: Closes; stored: Closes } {
  const [known, stored]: Closes[] = [new Map(), new Map()];
  for (const code of ['AAA', 'BBB', 'CCC', 'DDD']) {
    const ofSessions = days.flatMap(({ date, stocks }) => {
      const bars = stocks.find((one) => one.code === code)?.minutes.flatMap(({ trades }) => trades ?? []);
      const last = bars?.at(-1);
      return last === undefined ? [] : ([[date, last]] as const);
    });
    const around = ofSessions[0]?.[1] ?? 1;
    const before = earlier.map(
      (date) => [date, priceAtStep(Math.max(1, stepIndex(around) + Math.floor(random() * 9) - 4))] as const,
    );
    known?.set(code, new Map([...before, ...ofSessions]));
    const isMinutes = code === 'DDD' && adjustments(code).length === 0;
    stored?.set(code, new Map(isMinutes ? before : [...before, ...ofSessions]));
  }
  return { known: known ?? new Map(), stored: stored ?? new Map() };
}

/** Everything after a moment is another market. */
function changedAfter(
  days: readonly RecordedDay[],
  at: number,
  minute: number,
  others: readonly RecordedDay[],
): RecordedDay[] {
  const otherOf = (date: string) => others.find((day) => day.date === date);
  return days.flatMap((day, index) => {
    if (index < at) return [day];
    if (index > at) return otherOf(day.date) ?? [];
    const stocks = day.stocks.map((stock) => {
      const before = stock.minutes.filter((row) => row.minute <= minute);
      const other = otherOf(day.date)?.stocks.find(({ code }) => code === stock.code);
      const volume = before.findLast((row) => row.volume !== undefined)?.volume ?? 0;
      const value = before.findLast((row) => row.value !== undefined)?.value ?? 0;
      const after = (other?.minutes ?? [])
        .filter((row) => row.minute > minute)
        .map((row) => ({
          ...row,
          ...(row.volume !== undefined && { volume: volume + row.volume }),
          ...(row.value !== undefined && { value: value + row.value }),
        }));
      return { ...stock, minutes: [...before, ...after] };
    });
    return [{ ...day, stocks }];
  });
}

describe('on random markets', () => {
  test('a naive program finds the same entries and results', () => {
    let total = 0;
    for (let seed = 0; seed < MARKETS; seed += 1) {
      const random = createRandom(seed);
      const { days, adjustments } = randomSessions(random);
      const [logic, settings] = [randomLogic(random), randomSettings(random)];
      const naive = naiveOdds(logic, settings, days, adjustments);
      const run = oddsOf({ type: 'logic', logic }, settings, days, { adjustments });
      const found = rowsOf(run.entries()).map(({ exitMinute: _, ...row }) => row);
      const shown = { seed, logic, settings };
      expect({ ...shown, entries: comparable(found) }).toEqual({
        ...shown,
        entries: comparable(naive.entries),
      } as never);
      expect({ ...shown, ...run.result().leftOut }).toEqual({ ...shown, ...naive.leftOut });
      total += found.length;
    }
    expect(total).toBeGreaterThan(MARKETS);
  }, 120_000);

  test('finds the same entries with a daily average, from the first session on', () => {
    const [first = '', ...later] = tradingDaysBefore('2026-11-18', 12);
    let onFirst = 0;
    for (let seed = 0; seed < 5; seed += 1) {
      const random = createRandom(9000 + seed);
      const { days, adjustments } = randomSessions(random, [first, ...later]);
      const closes = randomCloses(random, { days, adjustments }, tradingDaysBefore(first, 30));
      const db = openMemoryDb();
      for (const [code, rows] of closes.stored) {
        for (const [date, close] of rows)
          db.insert(dailyBars)
            .values({ source: 'a', code, date, open: close, high: close, low: close, close, volume: 1 })
            .run();
      }
      const storedDays = createStoredDays(db.$client, 'a', adjustments);
      const logic: Logic = { op: 'AND', conditions: [is(field('last'), pick(random, ['>', '<']), SMA)] };
      const average = (code: string, date: string, last: number): number | undefined => {
        const since = factorSince(adjustments(code), date);
        const before = [...(closes.known.get(code) ?? [])].filter(([day]) => day < date).slice(-19);
        const prices = before.map(([day, price]) => (price * factorSince(adjustments(code), day)) / since);
        return prices.length < 19 ? undefined : (prices.reduce((sum, one) => sum + one, 0) + last) / 20;
      };
      const settings = randomSettings(random);
      const naive = naiveOdds(logic, settings, days, adjustments, average);
      const run = oddsOf({ type: 'logic', logic }, settings, days, { adjustments, dailyBars: storedDays });
      const found = rowsOf(run.entries()).map(({ exitMinute: _, ...row }) => row);
      expect({ seed, entries: comparable(found) }).toEqual({
        seed,
        entries: comparable(naive.entries),
      } as never);
      expect(run.result().notes).toEqual([]);
      onFirst += found.filter(({ date }) => date === first).length;
      db.$client.close();
    }
    expect(onFirst).toBeGreaterThan(5);
  });

  test('no future changes an entry that has its result', () => {
    let total = 0;
    for (let seed = 0; seed < MARKETS; seed += 1) {
      const random = createRandom(1000 + seed);
      const { days, adjustments } = randomSessions(random);
      const others = randomSessions(createRandom(5000 + seed)).days;
      const [logic, settings] = [randomLogic(random), randomSettings(random)];
      const at = Math.floor(random() * days.length);
      const minute = Math.floor(600 + random() * 400);
      const changed = changedAfter(days, at, minute, others);
      const moment = `${days[at]?.date} ${String(minute).padStart(4, '0')}`;
      const before = (from: readonly RecordedDay[]) =>
        comparable(
          rowsOf(oddsOf({ type: 'logic', logic }, settings, from, { adjustments }).entries()).filter(
            (row) =>
              row.reason !== 'close' &&
              `${row.exitDate} ${String(row.exitMinute).padStart(4, '0')}` <= moment,
          ),
        );
      const past = before(days);
      expect({ seed, logic, past: before(changed) }).toEqual({ seed, logic, past });
      total += past.length;
    }
    expect(total).toBeGreaterThan(MARKETS / 4);
  }, 120_000);
});
