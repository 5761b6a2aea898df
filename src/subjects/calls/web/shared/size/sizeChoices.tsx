import { isRecord } from '#lib/json.ts';
import { readBoolean, readNumber } from '#lib/read.ts';
import type { SizeLimits } from '#subjects/calls/rules/positionSize.ts';
import { createUserChoices } from '#web/shared/userChoices.ts';
import { type ReactNode, useEffect, useState } from 'react';

/** Limits in AUD, and whether their part of the form is open. */
export type SizeChoices = SizeLimits & { isOpen: boolean };

/** Upper limit, AUD. Larger numbers are typing errors. */
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

/** The user's limits, stored in this browser and never sent to the server. */
export const {
  chosen: sizeChoices,
  choose: chooseSize,
  follow: followSizeChoices,
} = createUserChoices<SizeChoices>('positionSize', {
  accept,
  defaults: { risk: null, maxValue: null, fees: null, isOpen: false },
  forGuests: false,
});

/** Announces a text after a pause, because typing and pointing change it constantly. */
const REST_MS = 600;

export function Rested({ text }: { text: string }): ReactNode {
  const [message, setMessage] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setMessage(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <span className="visually-hidden" role="status">
      {message}
    </span>
  );
}
