import type { FedStock } from './fedMarket.ts';

/** A price step of stocks under $2. */
const PIP = 0.005;

/** What 'Top Movers under $1' shows for a stock that is up this many pips. */
export const mover = (code: string, pips: number): FedStock => ({
  code,
  open: 0.5,
  close: 0.5,
  last: Number((0.5 + pips * PIP).toFixed(3)),
  value: 90_000,
  volume: 180_000,
});

/** The given number of movers, M000 the highest, each three pips above the next. */
export const movers = (count: number): FedStock[] =>
  Array.from({ length: count }, (_, index) => mover(codeOfMover(index), (count - index) * 3));

export const codeOfMover = (index: number): string => `M${String(index).padStart(3, '0')}`;
