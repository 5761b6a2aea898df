import { MINUTE_MS, HOUR_MS } from '#lib/units.ts';
import { emptyStock, type Stock } from '#market/rules/stock.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { dateOf, dayOfKey, minuteOfKey } from '#market/rules/localTime.ts';
import type { BarRow } from '#market/bars/rows.ts';
import { isPartial } from '#market/bars/rules/quoteBars.ts';
import { derive } from '#market/derive.ts';
import type { Replay } from '#market/indicators/replay.ts';

/**
 * The prices of a bar in order: open, the extreme farther from the close, the other extreme, close. Only the order of
 * the extremes is a guess.
 */
function pathOf({ open, high, low, close }: BarRow): number[] {
  const path = close >= open ? [open, low, high, close] : [open, high, low, close];
  return path.filter((price, index) => index === 0 || price !== path[index - 1]);
}

/** A bar after the first `taken` prices of its path. Its volume is added at the end. */
function partOf(row: BarRow, path: readonly number[], taken: number): BarRow {
  if (taken === path.length) return row;
  const { key, open } = row;
  const close = path[taken - 1] ?? open;
  let high = open;
  let low = open;
  for (let index = 1; index < taken; index += 1) {
    high = Math.max(high, path[index] ?? open);
    low = Math.min(low, path[index] ?? open);
  }
  return { key, open, high, low, close, volume: 0 };
}

/** A day that is not complete; `value` is the traded value according to its bars, AUD. */
type Day = BarRow & { value: number };

const typicalPrice = ({ high, low, close }: BarRow): number => (high + low + close) / 3;

/** Adds a bar to a day. @param key day number @param open the day's opening price, which minute bars may lack */
function addTo(day: Day | null, row: BarRow, key: number, open: number): Day {
  const { high, low, close, volume } = row;
  const value = volume * typicalPrice(row);
  return {
    key,
    open: day?.open ?? open,
    high: Math.max(high, day?.high ?? open),
    low: Math.min(low, day?.low ?? open),
    close,
    volume: volume + (day?.volume ?? 0),
    value: value + (day?.value ?? 0),
  };
}

/** A stock's finished bars, oldest first; keys are day numbers and minute keys. */
export type KnownBars = {
  code: string;
  days: readonly BarRow[];
  minutes: readonly BarRow[];
};

/** Receives the stock at a moment within a bar; the object is reused. @param at epoch ms @param day its day number */
export type MomentListener = (stock: Stock, at: number, day: number) => void;

type ReplayedFrom = {
  replay: Replay;
  /** First day to test, a day number. Earlier bars are only used to compute values. */
  from: number;
};

/** Time from the first to the last moment of a bar. */
const WITHIN_MINUTE_MS = 59_000;
const WITHIN_DAY_MS = 6 * HOUR_MS;
/** Rows per step. With 20 conditions a step computes some 2,000 updates. */
const ROWS_A_STEP = 50;

const newStock = (code: string): Stock => ({ ...emptyStock(code), status: 'Open' });

/** @param close the previous close, AUD; null if unknown */
function putDay(stock: Stock, day: Day, close: number | null): void {
  stock.open = day.open;
  stock.high = day.high;
  stock.low = day.low;
  stock.last = day.close;
  stock.volume = day.volume;
  stock.value = day.value;
  stock.vwap = day.volume > 0 ? day.value / day.volume : null;
  stock.close = close;
  derive(stock, { last: null }, true);
}

/** Time of a moment. Moments are spread evenly over a bar; a single one is at its end. */
const timeOf = (start: number, span: number, index: number, count: number): number =>
  Math.round(start + (count > 1 ? (index * span) / (count - 1) : span));

/** Returns midnight of a trading day, epoch ms, cached for consecutive calls. */
function createMidnights(): (day: number) => number {
  let known = Number.NaN;
  let midnight = 0;
  return (day) => {
    if (day !== known) {
      known = day;
      midnight = fromSydney(dateOf(day), 12, 0) - 12 * HOUR_MS;
    }
    return midnight;
  };
}

/** Computes values from rows that are not tested, in steps. */
function* passBy(
  rows: readonly BarRow[],
  replay: Replay,
  finish: (row: BarRow) => void,
): Generator<undefined, void> {
  for (const [index, row] of rows.entries()) {
    finish(row);
    if (index % ROWS_A_STEP !== ROWS_A_STEP - 1) continue;
    replay.settle();
    yield;
  }
}

/**
 * Daily bars next to tested minutes. Each is used after its minutes.
 * @param close of the day before them, AUD; null if unknown
 */
function createDays(days: readonly BarRow[], replay: Replay, close: number | null) {
  let next = 0;
  let previousClose = close;
  return {
    /** Uses the days before this day number. @param running the last day, built from its minutes */
    begin(day: number, running: Day | null): void {
      for (let row = days[next]; row && row.key < day; row = days[next]) {
        replay.finishDay(row);
        previousClose = row.close;
        next += 1;
      }
      // A day without a daily bar is built from its minutes.
      if (!running || days[next - 1]?.key === running.key) return;
      replay.finishDay(running);
      previousClose = running.close;
    },
    previousClose: () => previousClose,
    openOf: (day: number): number | null => (days[next]?.key === day ? (days[next]?.open ?? null) : null),
  };
}

/** Replays minute bars. @param onMoment called up to four times per bar */
export function* throughMinutes(
  { code, days, minutes }: KnownBars,
  { replay, from }: ReplayedFrom,
  onMoment: MomentListener,
): Generator<undefined, void> {
  const stock = newStock(code);
  const midnightOf = createMidnights();
  const earlierDays = days.filter(({ key }) => key < from);
  const earlier = minutes.filter(({ key }) => dayOfKey(key) < from);
  yield* passBy(earlierDays, replay, replay.finishDay);
  yield* passBy(earlier, replay, replay.finishMinute);
  const daily = createDays(days.slice(earlierDays.length), replay, earlierDays.at(-1)?.close ?? null);
  let running: Day | null = null;
  for (const row of minutes.slice(earlier.length)) {
    const day = dayOfKey(row.key);
    if (running?.key !== day) {
      daily.begin(day, running);
      running = null;
    }
    const start = midnightOf(day) + minuteOfKey(row.key) * MINUTE_MS;
    const open = daily.openOf(day) ?? row.open;
    const path = pathOf(row);
    let shown: Day | null = null;
    for (let index = 0; index < path.length; index += 1) {
      const part = partOf(row, path, index + 1);
      shown = addTo(running, part, day, open);
      replay.show(part, shown);
      replay.write(stock);
      putDay(stock, shown, daily.previousClose());
      onMoment(stock, timeOf(start, WITHIN_MINUTE_MS, index, path.length), day);
    }
    replay.finishMinute(row);
    running = shown;
    yield;
  }
}

/** Replays daily bars. @param onMoment called up to four times per bar */
export function* throughDays(
  { code, days }: Pick<KnownBars, 'code' | 'days'>,
  { replay, from }: ReplayedFrom,
  onMoment: MomentListener,
): Generator<undefined, void> {
  const stock = newStock(code);
  const midnightOf = createMidnights();
  const earlier = days.filter(({ key }) => key < from);
  yield* passBy(earlier, replay, replay.finishDay);
  let close = earlier.at(-1)?.close ?? null;
  for (const row of days.slice(earlier.length)) {
    // Without its opening price, the path of a day is unknown.
    const path = isPartial(row) ? [] : pathOf(row);
    const start = midnightOf(row.key) + 10 * HOUR_MS;
    for (let index = 0; index < path.length; index += 1) {
      const shown = addTo(null, partOf(row, path, index + 1), row.key, row.open);
      replay.show(null, shown);
      replay.write(stock);
      putDay(stock, shown, close);
      onMoment(stock, timeOf(start, WITHIN_DAY_MS, index, path.length), row.key);
    }
    replay.finishDay(row);
    close = row.close;
    yield;
  }
}
