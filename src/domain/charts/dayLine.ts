import { minuteOfKey } from '../market/localTime.ts';
import { DAY_LINE_SLOT_MINUTES } from './bars.ts';

const OPEN_MINUTE = 600;
/** Until 16:30: the last trades of a day are those after its closing auction. */
export const DAY_LINE_SLOTS = 78;

/** The slot that a minute key belongs to; the opening auction is in the first, all after the last in that. */
export function slotOf(key: number): number {
  const slot = Math.floor((minuteOfKey(key) - OPEN_MINUTE) / DAY_LINE_SLOT_MINUTES);
  return Math.min(Math.max(slot, 0), DAY_LINE_SLOTS - 1);
}

/** Puts a close into its slot; slots between without a trade are null. */
export function putClose(closes: (number | null)[], slot: number, close: number): void {
  while (closes.length < slot) closes.push(null);
  closes[slot] = close;
}
