import {
  anyOf,
  boolean,
  choice,
  epochMs,
  isoTime,
  list,
  nothing,
  number,
  or,
  orNull,
  text,
  trimmed,
  where,
  words,
} from '#lib/contract/fields.ts';
import { always, object, optional, ours } from '#lib/contract/objects.ts';
import { byRules, sent } from '#lib/contract/requests.ts';
import { NOT_IN_LIVE_LIST } from '#market/rules/liveSymbols.ts';
import { adjustment, barColumns, timeSpan } from '#market/bars/rules/barsAnswer.ts';
import { CHART_TIMEFRAMES } from '#market/bars/rules/bars.ts';
import { DASH } from '#texts/format.ts';
import { MARKS, STOP_LOSS_TYPES } from '../rules/types.ts';

/** Somebody's name; a dash when the server does not say it. */
export const person = always(object({ display: or(words, DASH) }));

/** What posts a call. `checkCall` checks its values, in the order and words of the specification. */
export const postedCall = object({
  symbol: sent(text, { default: '', maxLength: 40, error: NOT_IN_LIVE_LIST }, {}),
  callType: byRules(choice(['buy', 'bought'])),
  entryPrice: byRules(number),
  targetPrice: byRules(number),
  stopLossType: byRules(optional(choice(STOP_LOSS_TYPES))),
  stopLoss: byRules(optional(orNull(number))),
  rationale: byRules(optional(orNull(text))),
});

/** A level that the market traded at or through: when, and the price that was traded there. */
export const reached = object({ at: isoTime, price: number }, ['at', 'price']);

/** What the recorded prices say of an ended call, beside what its owner says. */
export const verifiedResult = object({
  /** Percent from the verified entry to the verified exit. */
  percent: number,
  /** Percent from the verified entry to the highest and the lowest price since the fill. */
  bestPercent: number,
  worstPercent: number,
  /** Days from fill to closing, one decimal. */
  daysOpen: number,
  /** The price counted from: the dearer of the claim and the first trade after the submission. */
  entryPrice: number,
  /** The price counted to: the cheaper of the last price at the end and the first trade after it. */
  exitPrice: number,
});

/** A mark's value: a trade, a price in AUD, whether prices are followed, or null for nothing recorded. */
const markValue = anyOf([nothing, number, boolean, reached], (value) =>
  typeof value === 'boolean' ? value : (reached.read(value) ?? number.read(value)),
);

/** What an administrator put right, beside what had been recorded. */
export const correction = object(
  {
    at: isoTime,
    by: person,
    reason: or(words, DASH),
    changes: list(object({ mark: choice(MARKS), before: markValue, after: markValue }, ['mark'])),
  },
  ['at'],
);

/**
 * One call as it leaves the server. Times are ISO 8601 UTC by the clock of the market that it was made on, which on a
 * simulated one is not the wall clock. `publicId` is the only id that is sent; nothing can be done without it.
 */
export const call = object(
  {
    publicId: words,
    symbol: or(words, DASH),
    /** The name of the market source that it was made on, and is followed on alone; 'unknown' when that was not kept. */
    source: ours(words),
    /** 'bought' when the position is already filled, 'buy' when it still has to fill. */
    callType: choice(['buy', 'bought']),
    status: choice(['pending', 'open', 'closed', 'cancelled']),
    entryPrice: number,
    targetPrice: number,
    stopLoss: orNull(number),
    stopLossType: choice(STOP_LOSS_TYPES),
    /** Where the stop stood when it was last written; null without one, or before the fill of a trailing one. */
    stopLevel: ours(orNull(number)),
    /** Why, in the submitter's own words: one line of plain text. */
    rationale: ours(orNull(words)),
    /** AUD, as its owner claims; in review only its owner and administrators are shown it. */
    pocketedValue: orNull(number),
    submittedAt: isoTime,
    /** When it was closed or cancelled. */
    closedAt: orNull(isoTime),
    submittedBy: person,
    /** Last price of the symbol when the call was submitted and when it ended. */
    priceAtSubmission: ours(orNull(number)),
    priceAtClose: ours(orNull(number)),
    filledAt: ours(orNull(isoTime)),
    fillPrice: ours(orNull(number)),
    /** The first trade after the submission, for `buy` the fill; and the first one after the end. */
    entryTrade: ours(orNull(reached)),
    exitTrade: ours(orNull(reached)),
    targetReached: ours(orNull(reached)),
    stopReached: ours(orNull(reached)),
    /** In review only its owner and administrators are shown a gain. */
    verified: ours(orNull(verifiedResult)),
    /** The market's own move from the entry trade to the end, or to now, percent; null if it is unknown. */
    marketPercent: ours(orNull(number)),
    /** It waits for an administrator: what its owner claims and a gain do not count until it is marked normal. */
    isInReview: ours(or(boolean, false)),
    /** Why prices are no longer followed: a sentence; null while they are. */
    trackingPaused: ours(orNull(text)),
    /** The trade that the result waits for: the first one after the submission, or after the end; null for none. */
    awaitingTrade: ours(orNull(choice(['entry', 'exit']))),
    /** Oldest first. */
    corrections: ours(list(correction)),
  },
  ['publicId'],
);

/** 'review' waits for an administrator; what of it and of 'rejected' counts: `correction.ts`. */
export const adminStatus = choice(['normal', 'review', 'rejected']);

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
