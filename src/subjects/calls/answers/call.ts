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
import { always, object, optional, extension } from '#lib/contract/objects.ts';
import { byRules, sent } from '#lib/contract/requests.ts';
import { NOT_IN_LIVE_LIST } from '#market/rules/liveSymbols.ts';
import { adjustment, barColumns, timeSpan } from '#market/bars/rules/barsAnswer.ts';
import { CHART_TIMEFRAMES } from '#market/bars/rules/bars.ts';
import { DASH } from '#texts/format.ts';

export const MARKS = [
  'entryTrade',
  'exitTrade',
  'targetReached',
  'stopReached',
  'priceAtClose',
  'highestSinceFill',
  'best',
  'worst',
  'isFollowed',
] as const;

export const STOP_LOSS_TYPES = ['NONE', 'HARD', 'TRAILING_ABS', 'TRAILING_PCT'] as const;

/** A person's display name; a dash if the server does not send one. */
export const person = always(object({ display: or(words, DASH) }));

/** A request that posts a call; `checkCall` checks its values. */
export const postedCall = object({
  symbol: sent(text, { default: '', maxLength: 40, error: NOT_IN_LIVE_LIST }, {}),
  callType: byRules(choice(['buy', 'bought'])),
  isShort: optional(sent(boolean, { error: '`isShort` must be true or false.' })),
  entryPrice: byRules(number),
  targetPrice: byRules(number),
  stopLossType: byRules(optional(choice(STOP_LOSS_TYPES))),
  stopLoss: byRules(optional(orNull(number))),
  rationale: byRules(optional(orNull(text))),
});

export const reached = object({ at: isoTime, price: number }, ['at', 'price']);

/** The result computed from recorded prices, shown next to the owner's claim. */
export const verifiedResult = object({
  /** Percent gained from the verified entry to the verified exit: at most 100 for a short call. */
  percent: number,
  /** Percent gained from the verified entry to the best and the worst price since the fill. */
  bestPercent: number,
  worstPercent: number,
  /** Days from fill to the end of the call, one decimal. */
  daysOpen: number,
  /** Verified entry: the worse of the claim and the first trade after the submission. */
  entryPrice: number,
  /** Verified exit: the worse of the last price at the end and the first trade after the end. */
  exitPrice: number,
});

/** A recorded mark: a trade, a price in AUD, whether prices are followed, or null if nothing was recorded. */
const markValue = anyOf([nothing, number, boolean, reached], (value) =>
  typeof value === 'boolean' ? value : (reached.read(value) ?? number.read(value)),
);

/** A mark corrected by an administrator, with the value recorded before. */
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
 * Times are ISO 8601 UTC by the clock of the call's market, which differs from the wall clock on a simulated one.
 * `publicId` is the only id; every action needs it.
 */
export const call = object(
  {
    publicId: words,
    symbol: or(words, DASH),
    /** The market source of the call, which alone updates it; 'unknown' for calls from old versions. */
    source: extension(words),
    /** 'bought' if the position is filled, 'buy' if it waits for its fill. */
    callType: choice(['buy', 'bought']),
    /** True if the call gains when the price falls. */
    isShort: extension(or(boolean, false)),
    status: choice(['pending', 'open', 'closed', 'cancelled']),
    entryPrice: number,
    targetPrice: number,
    stopLoss: orNull(number),
    stopLossType: choice(STOP_LOSS_TYPES),
    /** The last stored level of the stop; null without a stop, or for a trailing stop before the fill. */
    stopLevel: extension(orNull(number)),
    /** The submitter's reason for the call: one line of plain text. */
    rationale: extension(orNull(words)),
    /** Amount that the owner claims, AUD. While it is in review, only the owner and administrators see it. */
    pocketedValue: orNull(number),
    submittedAt: isoTime,
    closedAt: orNull(isoTime),
    submittedBy: person,
    /** The symbol's last price when the call was submitted and when it ended, AUD. */
    priceAtSubmission: extension(orNull(number)),
    priceAtClose: extension(orNull(number)),
    filledAt: extension(orNull(isoTime)),
    fillPrice: extension(orNull(number)),
    /** The first trade after the submission (for `buy` the fill), and the first one after the end. */
    entryTrade: extension(orNull(reached)),
    exitTrade: extension(orNull(reached)),
    targetReached: extension(orNull(reached)),
    stopReached: extension(orNull(reached)),
    /** While the call is in review, only the owner and administrators see a gain. */
    verified: extension(orNull(verifiedResult)),
    /** The market's own move from the entry trade to the end or until now, percent; null if unknown. */
    marketPercent: extension(orNull(number)),
    /** True while the call waits for an administrator: until then the owner's claim and a gain do not count. */
    isInReview: extension(or(boolean, false)),
    trackingPaused: extension(orNull(text)),
    /** The trade that the result waits for: the first one after the submission or after the end. */
    awaitingTrade: extension(orNull(choice(['entry', 'exit']))),
    corrections: extension(list(correction)),
  },
  ['publicId'],
);

/** Moderation status. `countingOf` decides which results of 'review' and 'rejected' calls count. */
export const adminStatus = choice(['normal', 'review', 'rejected']);

/**
 * Prices of the stock from the posting to the end or until now, on the call's source. Times are epoch ms by that
 * market's clock.
 */
export const callPath = where(
  object({
    tf: or(choice(CHART_TIMEFRAMES), '1'),
    bars: barColumns,
    /** Periods without price data. */
    unknown: list(timeSpan),
    /** Start of the known prices, if later than the posting. */
    knownSince: orNull(epochMs),
    /** Splits and consolidations since the posting: bars are adjusted, the call's own prices are not. */
    adjustments: list(adjustment),
  }),
  ({ bars }) => bars.time.length > 0,
);

/** Levels of the trailing stop, recorded by the tracker or, for older calls, computed from bars. */
export const stopPath = where(
  object({ from: or(choice(['tracker', 'bars']), 'tracker'), time: list(number), price: list(number) }),
  ({ time, price }) => time.length > 0 && time.length === price.length,
);

/** `reason` is null for users other than the owner and administrators. */
export const callReview = object({ status: choice(['review', 'rejected']), reason: orNull(trimmed) }, [
  'status',
]);

export const timelineAnswer = object(
  {
    call,
    path: orNull(callPath),
    whyNoPath: orNull(words),
    /** Null if the call has no filled trailing stop. */
    stop: orNull(stopPath),
    /** Null unless the call waits for review or was rejected. */
    review: orNull(callReview),
  },
  ['call'],
);
