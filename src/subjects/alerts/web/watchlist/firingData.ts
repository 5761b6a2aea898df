import type { BarColumns, BarsAnswer, ChartTimeframe } from '../../../../market/bars/rules/bars.ts';
import type { ChartData, ChartExtras } from '../../../../market/bars/rules/chart.ts';
import type { RehearsedPeriod } from '../../rules/rehearsal.ts';

/** The bars that begin within a stretch of time, epoch ms; both ends are part of it. */
export function barsWithin(bars: BarColumns, from: number, to: number): BarColumns {
  const first = bars.time.findIndex((time) => time >= from);
  const after = bars.time.findIndex((time) => time > to);
  const [begin, end] = [first < 0 ? bars.time.length : first, after < 0 ? bars.time.length : after];
  const part = (column: number[]) => column.slice(begin, end);
  return {
    time: part(bars.time),
    open: part(bars.open),
    high: part(bars.high),
    low: part(bars.low),
    close: part(bars.close),
    volume: part(bars.volume),
  };
}

/**
 * What a chart draws of a stretch, from the answer of the server.
 * @returns null when no bars of it are known
 */
export function dataWithin(
  answer: BarsAnswer,
  from: number,
  to: number,
  extras: ChartExtras,
): ChartData | null {
  const bars = barsWithin(answer.bars, from, to);
  if (bars.time.length === 0) return null;
  const unknown = answer.unknown.filter((span) => span.until > from && span.from < to);
  return { tf: answer.tf, bars, unknown, knownSince: null, ...extras };
}

/** What a rehearsal itself tells of its period, a close after the other: for where its bars can't be had. */
export function dataOfCloses(
  { times, closes }: Pick<RehearsedPeriod, 'times' | 'closes'>,
  tf: ChartTimeframe,
  extras: ChartExtras,
): ChartData | null {
  if (times.length < 2) return null;
  const volume = closes.map(() => 0);
  const bars = { time: times, open: closes, high: closes, low: closes, close: closes, volume };
  return { tf, bars, unknown: [], knownSince: null, ...extras };
}
