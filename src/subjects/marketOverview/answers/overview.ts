import { count, list, number, or, orNull, readBy, text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { readNumber } from '#lib/read.ts';
import { CURVE_POINTS } from '../rules/valueCurve.ts';

/** `GET /api/data/price-ranges`: columns; a stock has the same index in each. */
export const priceRangesAnswer = object({
  /** The ranges end before this session's Sydney date, YYYY-MM-DD. */
  date: or(text, ''),
  /** The first day of the ranges, YYYY-MM-DD; null without stored days. */
  since: orNull(text),
  codes: list(text),
  /** AUD. */
  highs: list(number),
  lows: list(number),
});

const curve = readBy(list(orNull(number)), (value): (number | null)[] =>
  Array.isArray(value) ? value.slice(0, CURVE_POINTS).map(readNumber) : [],
);

export const usualValueAnswer = object({
  /** The current session's Sydney date, YYYY-MM-DD. */
  date: or(text, ''),
  /** Known earlier sessions, at most 20. */
  sessions: or(count, 0),
  shares: curve,
  funds: curve,
});
