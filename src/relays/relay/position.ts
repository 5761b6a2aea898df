import type { Position } from '../engine/frame.ts';

/** Whether a position comes after another; any does after null. */
export const isAfter = (one: Position, other: Position | null): boolean =>
  other === null || one.run > other.run || (one.run === other.run && one.number > other.number);

/** Whether nothing can be between two positions; of two runs that is not known. */
export const isNext = (one: Position, before: Position): boolean =>
  one.run === before.run && one.number === before.number + 1;
