import { appendBar, noBars } from '#market/bars/rules/barColumns.ts';
import type { BarColumns, ChartTimeframe, TimeSpan } from '#market/bars/rules/bars.ts';
import { type BlindSpan, clipSpans, missingBars } from '#market/bars/rules/coverage.ts';
import type { Bar } from '#market/rules/bar.ts';
import { type CallPath, MAX_PATH_BARS } from './life.ts';

/** A bar with the beginning of its minute, or midnight UTC of its Sydney date; epoch ms. */
export type TimedBar = { time: number } & Bar;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The timeframes of minutes, the shortest first. Sydney's offset is whole hours, so hours begin where those of UTC do. */
const INTRADAY = [
  ['1', MINUTE_MS],
  ['5', 5 * MINUTE_MS],
  ['15', 15 * MINUTE_MS],
  ['60', 60 * MINUTE_MS],
] as const satisfies readonly (readonly [ChartTimeframe, number])[];

function join(bars: readonly TimedBar[], size: number): TimedBar[] {
  const joined: TimedBar[] = [];
  for (const bar of bars) {
    const time = Math.floor(bar.time / size) * size;
    const last = joined.at(-1);
    if (last?.time !== time) {
      joined.push({ ...bar, time });
      continue;
    }
    last.high = Math.max(last.high, bar.high);
    last.low = Math.min(last.low, bar.low);
    last.close = bar.close;
    last.volume += bar.volume;
  }
  return joined;
}

function columnsOf(bars: readonly TimedBar[]): BarColumns {
  const columns = noBars();
  for (const bar of bars) appendBar(columns, bar.time, bar);
  return columns;
}

const sinceOf = (first: TimedBar | undefined, posted: number, tolerance: number): number | null =>
  first === undefined || first.time - posted < tolerance ? null : first.time;

/**
 * The path made of minutes, in the shortest timeframe that needs no more than 500 bars.
 *
 * @param minutes bars of single minutes, oldest first
 * @param span from the posting to the end, epoch ms; the minutes of both belong to it
 * @param knownSince from when the source's minutes are kept, epoch ms
 * @param blind when none were seen
 * @returns null when none of them lies in the span
 */
export function minutePath(
  minutes: readonly TimedBar[],
  span: TimeSpan,
  knownSince: number,
  blind: readonly BlindSpan[] = [],
): CallPath | null {
  const inside = minutes.filter(({ time }) => time > span.from - MINUTE_MS && time <= span.until);
  if (inside.length === 0) return null;
  for (const [tf, size] of INTRADAY) {
    const bars = join(inside, size);
    if (bars.length > MAX_PATH_BARS && tf !== '60') continue;
    return {
      tf,
      bars: columnsOf(bars.slice(-MAX_PATH_BARS)),
      unknown: clipSpans(missingBars(tf, blind), { ...span, from: Math.max(span.from, knownSince) }),
      knownSince: knownSince > span.from ? knownSince : null,
      adjustments: [],
    };
  }
  return null;
}

/**
 * The path made of days, at most the last 500.
 *
 * @param days bars at midnight UTC of their Sydney date, oldest first
 * @param dates of the posting and of the end, at midnight UTC, epoch ms
 * @param blind when no prices were seen
 * @returns null when none of them lies between the dates
 */
export function dayPath(
  days: readonly TimedBar[],
  dates: TimeSpan,
  blind: readonly BlindSpan[] = [],
): CallPath | null {
  const inside = days.filter(({ time }) => time >= dates.from && time <= dates.until).slice(-MAX_PATH_BARS);
  if (inside.length === 0) return null;
  return {
    tf: 'D',
    bars: columnsOf(inside),
    unknown: clipSpans(missingBars('D', blind), { from: dates.from, until: dates.until + DAY_MS }),
    // Easter and Christmas leave up to four days without trading.
    knownSince: sinceOf(inside[0], dates.from, 5 * DAY_MS),
    adjustments: [],
  };
}
