import { isRecord } from '#lib/json.ts';
import { readBoolean, readNumber } from '#lib/read.ts';
import type { SizeLimits } from '#subjects/calls/rules/positionSize.ts';
import { createUserChoices } from '#web/shared/userChoices.ts';

/** What is kept for sizes of positions: the limits, AUD, and whether their part of the call form is unfolded. */
export type SizeChoices = SizeLimits & { isOpen: boolean };

/** AUD. Beyond it a number is a slip of the keys. */
export const MAX_SIZE_AMOUNT = 1_000_000_000;

function readAmount(value: unknown): number | null {
  const amount = readNumber(value);
  return amount !== null && amount >= 0 && amount <= MAX_SIZE_AMOUNT ? amount : null;
}

function accept(value: unknown): SizeChoices | null {
  if (!isRecord(value)) return null;
  return {
    risk: readAmount(value.risk),
    maxValue: readAmount(value.maxValue),
    fees: readAmount(value.fees),
    isOpen: readBoolean(value.isOpen) ?? false,
  };
}

/** Kept in this browser, each user's own; the server is told nothing of them. */
export const {
  chosen: sizeChoices,
  choose: chooseSize,
  follow: followSizeChoices,
} = createUserChoices<SizeChoices>('positionSize', {
  accept,
  defaults: { risk: null, maxValue: null, fees: null, isOpen: false },
  forGuests: false,
});
