import type { BarColumns } from '../../../../src/domain/charts/bars.ts';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** The first bar that differs: what both have the same before it need not be drawn again. */
export function changedFrom(before: BarColumns, after: BarColumns): number {
  const shared = Math.min(before.time.length, after.time.length);
  for (let index = 0; index < shared; index += 1) {
    if (COLUMNS.some((column) => before[column][index] !== after[column][index])) return index;
  }
  return shared;
}
