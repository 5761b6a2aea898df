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
  /** Gaps: nothing is drawn across them. */
  unknown: readonly TimeSpan[];
  knownSince: number | null;
  /** Older bars are known besides these; left out where it does not matter. */
  hasMore?: boolean;
  /** Moving averages over the bars, each of its own kind. */
  averages?: readonly ChartAverage[];
  /** A day of which each minute has its place, traded or not, also those to come; null and left out for none. */
  day?: TimeSpan | null;
};
