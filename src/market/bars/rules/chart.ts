import { phasesOf } from '#market/rules/sessionClock.ts';
import type { Adjustment } from '#market/rules/splitAdjustment.ts';
import { fromSydney } from '#market/rules/sydneyTime.ts';
import type { ChartAverage } from './averages.ts';
import type { BarColumns, ChartTimeframe, TimeSpan } from './bars.ts';

/** A thing that happened at a moment, drawn at its bar. */
export type ChartMark = {
  kind: 'announcement' | 'sensitive' | 'auction' | 'trigger' | 'entry' | 'exit' | 'level' | 'correction';
  /** Epoch ms. */
  time: number;
  /** AUD, where it belongs to a price; absent: it stands above or below its bar. */
  price?: number;
  /** What happened, as a sentence or a headline; shown at the crosshair and in the table. */
  text: string;
};

/** A price that counts through the whole chart. */
export type ChartLevel = {
  kind: 'previousClose' | 'vwap' | 'entry' | 'target' | 'stop' | 'alert' | 'exit';
  price: number;
  /** 'P. Close', 'Entry', 'Target', 'Stop', 'Alert'. */
  title: string;
};

/** A price that changes in steps, as a trailing stop: it holds from each time to the next. Times ascend. */
export type ChartPath = { kind: 'stop' | 'vwap'; title: string; time: number[]; price: number[] };

/** A shaded stretch, as a halt. */
export type ChartShade = TimeSpan & { title: string };

/** All that a price chart draws besides the bars; every member can be left out. */
export type ChartExtras = {
  marks?: readonly ChartMark[];
  levels?: readonly ChartLevel[];
  paths?: readonly ChartPath[];
  shades?: readonly ChartShade[];
};

/** What a price chart draws. */
export type ChartData = ChartExtras & {
  tf: ChartTimeframe;
  bars: BarColumns;
  /** The times of bars of which more than the close is unknown; left out for none. */
  partial?: readonly number[];
  /** Gaps: nothing is drawn across them. */
  unknown: readonly TimeSpan[];
  knownSince: number | null;
  /** Older bars are known besides these; left out where it does not matter. */
  hasMore?: boolean;
  /** The splits and consolidations that the bars are adjusted for; left out for none. */
  adjustments?: readonly Adjustment[];
  /** Moving averages over the bars, each of its own kind. */
  averages?: readonly ChartAverage[];
  /** A day of which each minute has its place, traded or not, also those to come; null and left out for none. */
  day?: TimeSpan | null;
};

/** What is known of a bar: where its beginning was not seen, its open is not, and its range only if the source states one. */
export function knownFigures({ bars, tf, partial = [] }: ChartData, index: number) {
  const at = (column: readonly number[]): number | null => column[index] ?? null;
  const [high, low, volume] = [at(bars.high), at(bars.low), at(bars.volume)];
  const figures = { open: at(bars.open), high, low, close: at(bars.close), volume };
  if (!partial.includes(bars.time[index] ?? Number.NaN)) return figures;
  const range = high === low ? { high: null, low: null } : {};
  return { ...figures, ...range, open: null, ...(tf !== 'D' && { volume: null }) };
}

/**
 * A trading day from 10:00 until the closing auction is over, epoch ms.
 * @param date YYYY-MM-DD in Sydney
 * @returns null on a day without trading
 */
export function wholeDayOf(date: string): TimeSpan | null {
  const until = phasesOf(date).find(({ phase }) => phase === 'cspa')?.until;
  return until === undefined ? null : { from: fromSydney(date, 10, 0), until };
}
