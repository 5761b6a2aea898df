import type { createRandom } from '#lib/random.ts';
import type { Adjustment } from '#market/rules/splitAdjustment.ts';
import { priceAtStep, stepIndex } from '#market/rules/priceStep.ts';
import { closingMinute } from '#market/rules/tradingDay.ts';
import type { RecordedDay, RecordedMinute, RecordedStockDay } from './recordedSessions.ts';

type Random = ReturnType<typeof createRandom>;

/** Two half days, and a weekend on which daylight saving changes. */
const CALENDARS: readonly (readonly string[])[] = [
  ['2026-12-22', '2026-12-23', '2026-12-24', '2026-12-29', '2026-12-30', '2026-12-31'],
  ['2026-09-30', '2026-10-01', '2026-10-02', '2026-10-05', '2026-10-06'],
];

const CODES = ['AAA', 'BBB', 'CCC', 'DDD'];

const chance = (random: Random, share: number): boolean => random() < share;
const whole = (random: Random, from: number, until: number): number =>
  from + Math.floor(random() * (until - from));

/** A price some steps away, at least one step. */
const moved = (price: number, steps: number): number =>
  priceAtStep(Math.max(1, Math.round(stepIndex(price) + steps)));

type Walk = { price: number; volume: number; value: number };

function tradesOf(random: Random, walk: Walk): Pick<RecordedMinute, 'trades' | 'volume' | 'value'> {
  const prices = Array.from({ length: 4 }, () => moved(walk.price, whole(random, -2, 3)));
  const [open = 1, , , last = 1] = prices;
  walk.price = last;
  const volume = whole(random, 1, 20_000);
  walk.volume += volume;
  walk.value += Math.round(volume * last * 100) / 100;
  return {
    trades: [open, Math.max(...prices), Math.min(...prices), last],
    volume: walk.volume,
    value: Math.round(walk.value * 100) / 100,
  };
}

function* preOpenOf(random: Random, walk: Walk): Generator<RecordedMinute> {
  for (let minute = whole(random, 420, 560); minute < 599; minute += whole(random, 1, 60)) {
    const hasMatch = chance(random, 0.8);
    yield {
      minute,
      status: 'Pre Open',
      ...(hasMatch && {
        matchPrice: moved(walk.price, whole(random, -3, 4)),
        matchVolume: whole(random, 1, 1e5),
      }),
    };
  }
}

function* tradingOf(random: Random, walk: Walk, close: number): Generator<RecordedMinute> {
  let isHalted = false;
  for (let minute = whole(random, 599, 640); minute < close; minute += whole(random, 1, 40)) {
    if (chance(random, 0.04)) isHalted = true;
    else if (isHalted && chance(random, 0.3)) {
      yield { minute, status: 'Pre Open', matchPrice: walk.price, matchVolume: 100 };
      isHalted = false;
      continue;
    }
    if (isHalted) yield { minute, status: 'Halted' };
    else yield { minute, status: 'Open', ...(chance(random, 0.8) && tradesOf(random, walk)) };
  }
  if (isHalted) return;
  if (chance(random, 0.7))
    yield { minute: close + 3, status: 'CSPA', matchPrice: walk.price, matchVolume: 10 };
  if (chance(random, 0.7)) yield { minute: close + 10, status: 'CSPA', ...tradesOf(random, walk) };
  if (chance(random, 0.5)) yield { minute: close + 60, status: 'Adjust' };
}

function stockDay(
  random: Random,
  code: string,
  date: string,
  price: number,
): RecordedStockDay & { last: number } {
  const walk = { price, volume: 0, value: 0 };
  const minutes = [...preOpenOf(random, walk), ...tradingOf(random, walk, closingMinute(date) ?? 960)];
  const [first] = minutes;
  // A cap of nearly a billion, or unknown.
  if (first && chance(random, 0.7)) minutes[0] = { ...first, marketCap: whole(random, 5e8, 15e8) };
  return { code, minutes, ...(chance(random, 0.9) && { close: price }), last: walk.price };
}

type RandomSessions = { days: RecordedDay[]; adjustments(code: string): readonly Adjustment[] };

/** Sessions of a few stocks from one step to some dollars, with auctions, halts, splits, gaps and missing values. */
export function randomSessions(
  random: Random,
  dates = CALENDARS[whole(random, 0, CALENDARS.length)] ?? [],
): RandomSessions {
  const prices = new Map(
    CODES.map((code) => [
      code,
      moved([0.001, 0.015, 0.5, 3][whole(random, 0, 4)] ?? 1, whole(random, 0, 20)),
    ]),
  );
  const splits = new Map<string, Adjustment[]>();
  const days = dates.flatMap((date, at): RecordedDay[] => {
    const stocks = CODES.flatMap((code): RecordedStockDay[] => {
      if (at > 0 && chance(random, 0.06)) {
        splits.set(code, [...(splits.get(code) ?? []), { date, factor: 2, at: 0 }]);
        prices.set(code, moved(priceAtStep(stepIndex(prices.get(code) ?? 1)) * 2, 0));
      }
      if (chance(random, 0.05)) return [];
      const { last, ...day } = stockDay(random, code, date, prices.get(code) ?? 1);
      prices.set(code, last);
      return day.minutes.length === 0 ? [] : [day];
    });
    const gaps = chance(random, 0.3) ? [gapOf(random)] : [];
    const isLast = at === dates.length - 1;
    return chance(random, 0.05) ? [] : [{ date, stocks, gaps, isComplete: !isLast || chance(random, 0.5) }];
  });
  return { days, adjustments: (code) => splits.get(code) ?? [] };
}

function gapOf(random: Random): { from: number; until: number } {
  const from = whole(random, 400, 1100);
  return { from, until: from + whole(random, 1, 200) };
}
