import type { BarRow } from './rows.ts';
import { zlib } from '../../lib/zlib.ts';

/** Minute bars of many stocks, by code. */
export type Segment = Map<string, BarRow[]>;

/** A segment as bytes: deflated JSON, rows as [key, open, high, low, close, volume] by code. */
export function packSegment(segment: Segment): Uint8Array {
  const plain: Record<string, number[][]> = {};
  for (const [code, rows] of segment) {
    plain[code] = rows.map(({ key, open, high, low, close, volume }) => [
      key,
      open,
      high,
      low,
      close,
      volume,
    ]);
  }
  return zlib().deflateRawSync(JSON.stringify(plain), { level: 1 });
}

const isRow = (value: unknown): value is [number, number, number, number, number, number] =>
  Array.isArray(value) && value.length === 6 && value.every((one) => Number.isFinite(one));

/** The inverse of `packSegment`; null for bytes that are no segment. */
export function unpackSegment(bytes: Uint8Array): Segment | null {
  let plain: unknown;
  try {
    plain = JSON.parse(zlib().inflateRawSync(bytes).toString('utf8'));
  } catch {
    return null;
  }
  if (typeof plain !== 'object' || plain === null) return null;
  const segment: Segment = new Map();
  for (const [code, rows] of Object.entries(plain)) {
    if (!Array.isArray(rows) || !rows.every(isRow)) return null;
    segment.set(
      code,
      rows.map(([key, open, high, low, close, volume]) => ({ key, open, high, low, close, volume })),
    );
  }
  return segment;
}
