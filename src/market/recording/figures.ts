import type { StockUpdate } from '../rules/stock.ts';

/**
 * The recorded numbers of a stock, in order. Each is predicted from the earlier ones and the last values;
 * only wrong predictions are written.
 */
export const FIGURES = [
  'close',
  'last',
  'open',
  'high',
  'low',
  'volume',
  'value',
  'vwap',
  'relativeVolume',
  'match_price',
  'match_vol',
  'buy_surplus',
  'marketCap',
  'sensitiveAnnouncements',
] as const satisfies readonly (keyof StockUpdate)[];

export type Figure = (typeof FIGURES)[number];

const at = (figure: Figure): number => FIGURES.indexOf(figure);
export const LAST = at('last');
export const VOLUME = at('volume');
export const OPEN = at('open');
const HIGH = at('high');
const LOW = at('low');
const VALUE = at('value');
const VWAP = at('vwap');
const RELATIVE = at('relativeVolume');
export const MATCH_PRICE = at('match_price');
export const MATCH_VOLUME = at('match_vol');
export const SURPLUS = at('buy_surplus');
/** Figures predicted only from each other, so they can be read without the rest. */
export const OUTLINE = [LAST, OPEN, VOLUME, MATCH_PRICE, MATCH_VOLUME, SURPLUS] as const;

/** Numbers of many stocks; a stock's begin at an offset. Unknown ones are NaN. */
type Numbers = Float64Array;

const of = (numbers: Numbers, offset: number, figure: number): number =>
  numbers[offset + figure] ?? Number.NaN;

const SCALES = FIGURES.map((figure) =>
  ['volume', 'match_vol', 'buy_surplus', 'marketCap', 'sensitiveAnnouncements'].includes(figure) ? 1 : 1000,
);

/** The multiplier that makes a figure whole. @param near its approximate value */
export function scaleOf(figure: number, near: number): number {
  if (figure === VALUE) return near >= 1000 ? 1 : 100;
  if (figure === VWAP) return near >= 0.1 ? 10_000 : 1_000_000;
  return SCALES[figure] ?? 1;
}

const rounded = (figure: number, value: number): number => {
  const scale = scaleOf(figure, value);
  return Math.round(value * scale) / scale;
};

const orLast = (before: number, last: number, pick: (a: number, b: number) => number): number =>
  Number.isNaN(before) ? last : Number.isNaN(last) ? before : pick(before, last);

const hasTraded = (before: Numbers, offset: number, now: Numbers): boolean =>
  of(now, 0, VOLUME) - of(before, offset, VOLUME) > 0;

/**
 * The likely value of a figure. Reader and writer must agree.
 * @param before all last values, from an offset on
 * @param now the earlier figures of this update
 */
export function predict(figure: number, before: Numbers, offset: number, now: Numbers): number {
  const previous = before[offset + figure] ?? Number.NaN;
  switch (figure) {
    case OPEN:
      return Number.isNaN(previous) ? of(now, 0, LAST) : previous;
    case HIGH:
      return orLast(previous, of(now, 0, LAST), Math.max);
    case LOW:
      return orLast(previous, of(now, 0, LAST), Math.min);
    case VALUE: {
      if (!hasTraded(before, offset, now)) return previous;
      const traded = of(now, 0, VOLUME) - of(before, offset, VOLUME);
      const value = previous + traded * of(now, 0, LAST);
      return Number.isNaN(value) ? previous : rounded(VALUE, value);
    }
    case VWAP: {
      if (!hasTraded(before, offset, now)) return previous;
      const average = of(now, 0, VALUE) / of(now, 0, VOLUME);
      return Number.isFinite(average) ? rounded(VWAP, average) : previous;
    }
    case RELATIVE: {
      if (!hasTraded(before, offset, now)) return previous;
      const share = of(now, 0, VOLUME) / of(before, offset, VOLUME);
      return Number.isFinite(share * previous) ? rounded(RELATIVE, previous * share) : previous;
    }
    default:
      return previous;
  }
}

export const isSame = (a: number, b: number): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b));
