import type { BarColumns } from '#market/bars/rules/bars.ts';

export const NO_BARS: BarColumns = { time: [], open: [], high: [], low: [], close: [], volume: [] };

/** Bars that open and close at these prices, one after the other, with 100 shares each. @param start epoch ms; @param step ms */
export const barsOf = (start: number, step: number, closes: readonly number[]): BarColumns => ({
  time: closes.map((_close, index) => start + index * step),
  open: [...closes],
  high: [...closes],
  low: [...closes],
  close: [...closes],
  volume: closes.map(() => 100),
});

/** Both, one after the other. */
export const joinedBars = (first: BarColumns, second: BarColumns): BarColumns => ({
  time: [...first.time, ...second.time],
  open: [...first.open, ...second.open],
  high: [...first.high, ...second.high],
  low: [...first.low, ...second.low],
  close: [...first.close, ...second.close],
  volume: [...first.volume, ...second.volume],
});
