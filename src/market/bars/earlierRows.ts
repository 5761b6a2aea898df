import { type FrameKey, minutesOf } from './rules/buckets.ts';
import { dateOf, dayOf, dayOfKey } from '../rules/localTime.ts';
import type { History } from '#sources/quotes/history.ts';
import type { StockBars } from './currentDay.ts';
import { newRow, putRow, RowArena } from './rows.ts';
import { Series } from './series.ts';

/** Days before the kept ones, by timeframe. */
const EARLIER_DAYS: Readonly<Record<string, number>> = { '60': 10, '120': 10, '240': 20, W: 504, M: 1260 };

/** How many days before the kept ones a frame is computed from, where the source's history reaches back that far. */
export const earlierDayCount = (frame: FrameKey): number => EARLIER_DAYS[frame] ?? 0;

/** Where earlier bars come from, and how instants become minute keys. */
export type Past = { history: History; keyAt: (time: number) => number };

/** Memory for the rows before the kept ones: a market's are read stock after stock, so one stock's room serves all. */
export type EarlierRoom = { days: Series; minutes: Series };

export function createEarlierRoom(): EarlierRoom {
  const arena = new RowArena();
  return { days: new Series(arena), minutes: new Series(arena) };
}

function readDays(stockBars: StockBars, { history }: Past, count: number, into: Series): void {
  into.clear();
  const first = stockBars.days.at(0)?.key;
  const missing = count - stockBars.days.length();
  if (first === undefined || missing <= 0) return;
  const row = newRow();
  history.eachDay(stockBars.code, dateOf(first - 1), missing, (bar) => {
    into.put(putRow(row, bar, dayOf(bar.date)));
  });
}

/** Reads the minutes of the days before the kept ones, one date a step. Only days with a daily bar have any. */
function* readMinutes(
  stockBars: StockBars,
  { history, keyAt }: Past,
  count: number,
  into: Series,
): Generator<undefined, void> {
  into.clear();
  const first = stockBars.minutes.at(0)?.key;
  const until = first === undefined ? stockBars.days.length() : stockBars.days.indexFrom(dayOfKey(first));
  const row = newRow();
  for (let index = Math.max(0, until - count); index < until; index += 1) {
    const day = stockBars.days.at(index);
    if (!day) continue;
    history.eachMinute(stockBars.code, dateOf(day.key), (bar) => {
      into.put(putRow(row, bar, keyAt(bar.time)));
    });
    yield;
  }
}

/**
 * Reads the rows before the kept ones that a frame is computed from, in steps; null where there are none. They stand until
 * those of another frame are read.
 */
export type EarlierRows = (stockBars: StockBars, frame: FrameKey) => Generator<undefined, Series | null>;

/**
 * A reader of earlier rows for the frames of one stock. The frames of minutes share what was read. Without a deep history
 * there are none.
 */
export function createEarlierRows(frames: readonly FrameKey[], past: Past, room: EarlierRoom): EarlierRows {
  const longest = Math.max(0, ...frames.filter((frame) => minutesOf(frame) !== null).map(earlierDayCount));
  let hasMinutes = false;
  return function* (stockBars, frame) {
    const count = earlierDayCount(frame);
    if (count === 0 || !past.history.isDeep) return null;
    if (minutesOf(frame) === null) {
      readDays(stockBars, past, count, room.days);
      return room.days;
    }
    if (!hasMinutes) yield* readMinutes(stockBars, past, longest, room.minutes);
    hasMinutes = true;
    return room.minutes;
  };
}
