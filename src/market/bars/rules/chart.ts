import { phasesOf } from '#market/rules/sessionClock.ts';
import type { Adjustment } from '#market/rules/splitAdjustment.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import type { ChartAverage } from './averages.ts';
import type { StudyLine } from './studies.ts';
import type { BarColumns, ChartTimeframe, TimeSpan } from './bars.ts';

export type ChartMark = {
  kind: 'announcement' | 'sensitive' | 'auction' | 'trigger' | 'entry' | 'exit' | 'level' | 'correction';
  time: number;
  /** AUD; without it the mark is above or below its bar. */
  price?: number;
  /** A sentence or a headline, shown at the crosshair and in the table. */
  text: string;
};

export type ChartLevel = {
  kind: 'previousClose' | 'vwap' | 'entry' | 'target' | 'stop' | 'alert' | 'exit';
  price: number;
  title: string;
};

/** A stepped price, such as a trailing stop; each price holds until the next time. Times ascend. */
export type ChartPath = { kind: 'stop' | 'vwap'; title: string; time: number[]; price: number[] };

export type ChartShade = TimeSpan & { title: string };

export type ChartExtras = {
  marks?: readonly ChartMark[];
  levels?: readonly ChartLevel[];
  paths?: readonly ChartPath[];
  shades?: readonly ChartShade[];
};

export type ChartData = ChartExtras & {
  /** The stock's code; another code has other bars, even if the times are equal. Omit for a chart of one stock. */
  code?: string;
  tf: ChartTimeframe;
  bars: BarColumns;
  partial?: readonly number[];
  unknown: readonly TimeSpan[];
  knownSince: number | null;
  hasMore?: boolean;
  adjustments?: readonly Adjustment[];
  averages?: readonly ChartAverage[];
  /** Lines in panes of their own. */
  studies?: readonly StudyLine[];
  /** A day with a place for every minute, even future ones; null for other charts. */
  day?: TimeSpan | null;
};

/** The known figures of a bar. Without its beginning, the open and usually the range are unknown. */
export function knownFigures({ bars, tf, partial = [] }: ChartData, index: number) {
  const at = (column: readonly number[]): number | null => column[index] ?? null;
  const [high, low, volume] = [at(bars.high), at(bars.low), at(bars.volume)];
  const figures = { open: at(bars.open), high, low, close: at(bars.close), volume };
  if (!partial.includes(bars.time[index] ?? Number.NaN)) return figures;
  const range = high === low ? { high: null, low: null } : {};
  return { ...figures, ...range, open: null, ...(tf !== 'D' && { volume: null }) };
}

/**
 * Continuous trading from 10:00 to the end of the closing auction, epoch ms.
 * @param date YYYY-MM-DD in Sydney
 * @returns null on a non-trading day
 */
export function wholeDayOf(date: string): TimeSpan | null {
  const until = phasesOf(date).find(({ phase }) => phase === 'cspa')?.until;
  return until === undefined ? null : { from: fromSydney(date, 10, 0), until };
}
