import { list, number, or, orNull, text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';

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
