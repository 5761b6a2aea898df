import type { HaltSpan } from './halts.ts';
import { type Schedule, slotFrom } from './phases.ts';
import { unit } from './random.ts';
import type { DayRecord } from './record.ts';

/** A price, in price steps, that a slot of the day must end with. */
export type Waypoint = { slot: number; step: number };

/** Slots of the day in which the listing is halted, `until` exclusive; both 0 when it is not. */
export type HaltedSlots = { from: number; until: number };

export function haltedSlots(schedule: Schedule, span: HaltSpan | null): HaltedSlots {
  if (!span || span.until <= schedule.open) return { from: 0, until: 0 };
  return { from: slotFrom(schedule, span.from), until: slotFrom(schedule, span.until) };
}

/** The last slot in which the listing can trade; -1 when it is halted from the start to the end. */
export const lastTradingSlot = (schedule: Schedule, halted: HaltedSlots): number =>
  halted.from < halted.until && halted.until >= schedule.slots ? halted.from - 1 : schedule.slots - 1;

const between = (low: number, high: number, at: number): number =>
  low + Math.floor(Math.max(0, high - low) * at);

/** The slots preferred for the day's high and low: on both sides of the news when there is a jump. */
function extremes(record: DayRecord, jumpSlot: number, last: number, seed: number): Waypoint[] {
  const { highStep, lowStep, jump } = record;
  const a = unit(seed, 1);
  const b = unit(seed, 2);
  const inOrder = (rising: boolean, early: number, late: number): Waypoint[] => [
    { slot: early, step: rising ? lowStep : highStep },
    { slot: late, step: rising ? highStep : lowStep },
  ];
  if (jump && jump.after !== jump.before)
    return inOrder(jump.after > jump.before, between(1, jumpSlot, a), between(jumpSlot + 1, last, b));
  const rising = unit(seed, 3) < (record.closeStep >= record.openStep ? 0.72 : 0.28);
  return inOrder(rising, between(1, last, Math.min(a, b)), between(1, last, Math.max(a, b)));
}

/** The slot nearest to the preferred one that has no waypoint yet and in which the listing trades. */
function freeSlot(
  preferred: number,
  last: number,
  halted: HaltedSlots,
  used: ReadonlyMap<number, number>,
): number {
  const free = (slot: number): boolean =>
    slot >= 0 && slot <= last && !used.has(slot) && (slot < halted.from || slot >= halted.until);
  for (let away = 0; away <= last; away += 1) {
    if (free(preferred - away)) return preferred - away;
    if (free(preferred + away)) return preferred + away;
  }
  throw new Error('A simulated trading day has too few minutes for its own prices.');
}

/**
 * The prices that must trade on a day, at most one per slot, in the order of the day: first and last price, the prices
 * before and after the news, high and low.
 * @param seed of the day's path
 */
export function waypointsOf(
  schedule: Schedule,
  record: DayRecord,
  halted: HaltedSlots,
  seed: number,
): Waypoint[] {
  const last = lastTradingSlot(schedule, halted);
  const used = new Map<number, number>([[0, record.openStep]]);
  const put = (preferred: number, step: number): number => {
    const slot = freeSlot(preferred, last, halted, used);
    used.set(slot, step);
    return slot;
  };
  put(last, record.endStep);
  let jumpSlot = 0;
  if (record.jump) {
    const paused = halted.from < halted.until && halted.until < schedule.slots;
    const news = paused ? halted.until : slotFrom(schedule, record.jump.second);
    jumpSlot = put(Math.min(last - 2, Math.max(5, news)), record.jump.after);
    put(paused ? halted.from - 1 : jumpSlot - 1, record.jump.before);
  }
  for (const point of extremes(record, jumpSlot, last, seed)) put(point.slot, point.step);
  return [...used].map(([slot, step]) => ({ slot, step })).sort((a, b) => a.slot - b.slot);
}
