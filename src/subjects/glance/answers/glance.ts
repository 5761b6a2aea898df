import { count, list, number, or, orNull, readBy, text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { readNumber } from '#lib/read.ts';
import { CURVE_POINTS } from '../rules/valueCurve.ts';

/** `GET /api/data/price-ranges`: columns; a stock has one place in each. */
export const priceRangesAnswer = object({
  /** The session's Sydney date that the ranges end before, YYYY-MM-DD. */
  date: or(text, ''),
  /** The first day that counts, YYYY-MM-DD; null where no day is kept. */
  since: orNull(text),
  codes: list(text),
  /** AUD. */
  highs: list(number),
  lows: list(number),
});

const curve = readBy(list(orNull(number)), (value): (number | null)[] =>
  Array.isArray(value) ? value.slice(0, CURVE_POINTS).map(readNumber) : [],
);

/** `GET /api/data/usual-value`. */
export const usualValueAnswer = object({
  /** The session's Sydney date that it is compared with, YYYY-MM-DD. */
  date: or(text, ''),
  /** How many earlier sessions are known, 20 at most. */
  sessions: or(count, 0),
  shares: curve,
  funds: curve,
});
