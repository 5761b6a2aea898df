import type { Trend } from '../../../market/rules/stock.ts';
import type { DailyBar } from '../../../market/rules/bar.ts';
import { dayNumber } from './world.ts';

/** How many of the last closes in a row rose, or fell. */
function runs(closes: readonly number[]): { up: number; down: number } {
  const steps = closes.slice(1).map((close, index) => Math.sign(close - (closes[index] ?? close)));
  const direction = steps.at(-1) ?? 0;
  if (direction === 0) return { up: 0, down: 0 };
  let length = 0;
  for (let index = steps.length - 1; index >= 0 && steps[index] === direction; index -= 1) length += 1;
  return direction > 0 ? { up: length, down: 0 } : { up: 0, down: length };
}

/** Day 0 (1 January 1970) was a Thursday; weeks begin on Monday. */
const weekOf = (date: string): number => Math.floor((dayNumber(date) + 3) / 7);

/**
 * How many days and weeks in a row the close rose or fell, counted back from the newest. The running week counts with
 * its latest close.
 * @param closes daily bars, oldest first
 */
export function trendOf(closes: readonly Pick<DailyBar, 'date' | 'close'>[]): Trend {
  const weekly = new Map<number, number>();
  for (const { date, close } of closes) weekly.set(weekOf(date), close);
  const days = runs(closes.map((bar) => bar.close));
  const weeks = runs([...weekly.values()]);
  return { daysUp: days.up, daysDown: days.down, weeksUp: weeks.up, weeksDown: weeks.down };
}
