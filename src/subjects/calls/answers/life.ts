import { choice, epochMs, list, number, or, orNull, trimmed, where, words } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { adjustment, barColumns, timeSpan } from '#market/bars/rules/barFields.ts';
import { CHART_TIMEFRAMES } from '#market/bars/rules/bars.ts';
import { call } from './call.ts';

/**
 * The prices of a call's stock from its posting to its end, or to now, on the source that it was made on. Times are epoch
 * ms by the clock of that market.
 */
export const callPath = where(
  object({
    tf: or(choice(CHART_TIMEFRAMES), '1'),
    bars: barColumns,
    /** Stretches of it that are not known. */
    unknown: list(timeSpan),
    /** Since when prices are known, where that is later than the posting; else null. */
    knownSince: orNull(epochMs),
    /** Splits and consolidations since the posting: the bars are adjusted for them, the call's own prices are not. */
    adjustments: list(adjustment),
  }),
  ({ bars }) => bars.time.length > 0,
);

/** Where a trailing stop stood: as the tracker moved it, or worked out from the bars where that was not recorded. */
export const stopPath = where(
  object({ from: or(choice(['tracker', 'bars']), 'tracker'), time: list(number), price: list(number) }),
  ({ time, price }) => time.length > 0 && time.length === price.length,
);

/** `reason` is told to its owner and to administrators; null for others, and where there is none. */
export const callReview = object({ status: choice(['review', 'rejected']), reason: orNull(trimmed) }, [
  'status',
]);

/** `GET /api/calls/:publicId`. */
export const lifeAnswer = object(
  {
    call,
    path: orNull(callPath),
    /** A sentence saying why there is no path; null where there is one. */
    whyNoPath: orNull(words),
    /** Null without a trailing stop that was filled. */
    stop: orNull(stopPath),
    /** That it waits for an administrator, or was rejected; null for any other. */
    review: orNull(callReview),
  },
  ['call'],
);
