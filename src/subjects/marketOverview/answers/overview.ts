import { choice, count, epochMs, list, number, or, orNull, readBy, text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { described } from '#lib/contract/requests.ts';
import { readNumber } from '#lib/read.ts';
import { OVERNIGHT_IDS } from '#market/rules/overnight.ts';
import { CURVE_POINTS } from '../rules/valueCurve.ts';

/** Answer of `GET /api/data/price-ranges` as columns; a stock has the same index in each. */
export const priceRangesAnswer = object({
  /** Sydney date of the session before which the ranges end, YYYY-MM-DD. */
  date: or(text, ''),
  /** First day of the ranges, YYYY-MM-DD; null if no days are stored. */
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
  /** Number of known earlier sessions, at most 20. */
  sessions: or(count, 0),
  shares: curve,
  funds: curve,
});

export const overnightFigure = object(
  {
    id: choice(OVERNIGHT_IDS),
    last: orNull(number),
    change: described(number, 'Percent since the previous close of that market.'),
    time: orNull(epochMs),
  },
  ['id', 'change'],
);

export const overnightAnswer = object({ figures: list(overnightFigure) });
