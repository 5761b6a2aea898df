import type { JsonRecord } from '#lib/json.ts';
import { type Column, type ColumnKind, DECIMALS } from './columns.ts';

/** A user's format of a column, saved with it; absent members follow the specification. */
export type ColumnFormat = {
  /** Digits after the point; 'price' for as many as a price has. */
  decimals?: number | 'price';
  short?: boolean;
  /** Pixels. */
  width?: number;
};

export const MAX_DECIMALS = 6;
/** px: less would hide every number, more is wider than a phone. */
export const MIN_WIDTH = 48;
export const MAX_WIDTH = 480;

export const canBeShort = (kind: ColumnKind): boolean => kind === 'money' || kind === 'volume';

const whole = (value: unknown, least: number, most: number): number | undefined =>
  typeof value === 'number' && Number.isFinite(value)
    ? Math.min(most, Math.max(least, Math.round(value)))
    : undefined;

export function readFormat(entry: JsonRecord): ColumnFormat {
  const decimals = entry['decimals'] === 'price' ? 'price' : whole(entry['decimals'], 0, MAX_DECIMALS);
  const width = whole(entry['width'], MIN_WIDTH, MAX_WIDTH);
  return {
    ...(decimals === undefined ? {} : { decimals }),
    ...(entry['short'] === true ? { short: true } : {}),
    ...(width === undefined ? {} : { width }),
  };
}

export const hasFormat = ({ decimals, short, width }: ColumnFormat): boolean =>
  decimals !== undefined || short === true || width !== undefined;

export function withFormat(column: Column, format: ColumnFormat): Column {
  if (!hasFormat(format)) return column;
  const { decimals, short, width } = format;
  return {
    ...column,
    ...(decimals === undefined || !column.numeric
      ? {}
      : { decimals: decimals === 'price' ? DECIMALS.price : decimals, isFinerUnderOne: false }),
    ...(short && canBeShort(column.kind) ? { isShort: true } : {}),
    ...(width === undefined ? {} : { width }),
  };
}
