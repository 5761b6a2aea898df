import type { BarColumns } from '../../../../../../market/bars/rules/bars.ts';
import { lastDrawn, type Slots } from '../chartSlots.ts';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** The first bar that differs: what both have the same before it need not be drawn again. */
export function changedFrom(before: BarColumns, after: BarColumns): number {
  const shared = Math.min(before.time.length, after.time.length);
  for (let index = 0; index < shared; index += 1) {
    if (COLUMNS.some((column) => before[column][index] !== after[column][index])) return index;
  }
  return shared;
}

/**
 * The first place to draw again; 0 for all of them. The drawing library takes up again only its last place: where a halt or
 * what is not known follows the last bar, that is not the bar's.
 * @param slots of the bars before
 */
export function redrawFrom(before: BarColumns, after: BarColumns, slots: Slots): number {
  const last = before.time.length - 1;
  if (changedFrom(before, after) < last || after.time[last] !== before.time[last]) return 0;
  const drawn = lastDrawn(slots);
  return slots.bar[drawn] === last ? Math.max(0, drawn) : 0;
}
