import type { CellTone } from '#ui/table/types.ts';

/**
 * The direction of a value as it is shown: one that rounds to zero is flat.
 * @param decimals how many are shown
 */
export function directionTone(value: number | null, decimals: number): CellTone {
  if (value === null) return null;
  if (Math.abs(value) * 10 ** decimals < 0.5) return 'flat';
  return value > 0 ? 'up' : 'down';
}
