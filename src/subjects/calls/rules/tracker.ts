import type { TradedPrices } from './pricePath.ts';
import { bestOf, type Side, signOf, worstOf } from './side.ts';
import type { CallType, StopLossType } from './types.ts';

/** A call as the tracker needs it. Times are epoch ms, prices AUD per share. */
export type TrackedCall = Side & {
  callType: CallType;
  entryPrice: number;
  targetPrice: number;
  stopLossType: StopLossType;
  stopLoss: number | null;
  submittedAt: number;
  /** The symbol's last price at the submission; null if unknown. */
  priceAtSubmission: number | null;
};

/** What recorded prices say about a call so far. Times are epoch ms, prices AUD per share. Immutable. */
export type TrackState = {
  filledAt: number | null;
  /** The traded price that filled the call; the claimed entry for a position that was already filled. */
  fillPrice: number | null;
  /** The verified entry: the first trade after the submission, or the fill of a `buy`. Null until then. */
  entryTradeAt: number | null;
  entryTradePrice: number | null;
  /** Highest price since the fill, including the fill; of a short call the lowest. A trailing stop follows it. */
  highest: number | null;
  /** Best and worst price for the owner since the fill, in trades that the server saw itself. */
  best: number | null;
  worst: number | null;
  targetAt: number | null;
  targetPrice: number | null;
  stopAt: number | null;
  stopPrice: number | null;
  /** The stop's level when it was reached. */
  stopLevel: number | null;
};

/** The prices traded since the previous quote. Times are epoch ms. */
export type PriceUpdate = TradedPrices & {
  time: number;
  /** All trades came after this time; omitted if that is unknown. */
  since?: number;
};

export type TrackEvent = 'filled' | 'entry' | 'target' | 'stop';

export function startTracking(call: TrackedCall): TrackState {
  const { priceAtSubmission } = call;
  const isFilled = call.callType === 'bought';
  return {
    filledAt: isFilled ? call.submittedAt : null,
    fillPrice: isFilled ? call.entryPrice : null,
    entryTradeAt: null,
    entryTradePrice: null,
    highest: isFilled ? bestOf(call, call.entryPrice, priceAtSubmission ?? call.entryPrice) : null,
    best: isFilled ? priceAtSubmission : null,
    worst: isFilled ? priceAtSubmission : null,
    targetAt: null,
    targetPrice: null,
    stopAt: null,
    stopPrice: null,
    stopLevel: null,
  };
}

// Prices have at most six decimals; without rounding 1.2 − 0.1 is below 1.1.
const toPrice = (value: number): number => Math.round(value * 1e6) / 1e6;

/**
 * The stop's level: its own price for HARD, below the highest price since the fill for trailing stops, and for a short
 * call above the lowest.
 * @returns AUD; null without a stop, or for a trailing stop before the fill
 */
export function stopLevelOf(
  call: Side & Pick<TrackedCall, 'stopLossType' | 'stopLoss'>,
  highest: number | null,
): number | null {
  if (call.stopLossType === 'NONE' || call.stopLoss === null) return null;
  if (call.stopLossType === 'HARD') return call.stopLoss;
  if (highest === null) return null;
  return call.stopLossType === 'TRAILING_ABS'
    ? toPrice(highest - signOf(call) * call.stopLoss)
    : toPrice(highest * (1 - (signOf(call) * call.stopLoss) / 100));
}

function withPrice(call: TrackedCall, state: TrackState, price: number, time: number): TrackState {
  // Times this sign, the prices of a short call compare like those of a long one.
  const sign = signOf(call);
  const value = sign * price;
  if (state.filledAt === null) {
    // A limit order queues at its price; only a trade beyond it proves that it was filled.
    if (value >= sign * call.entryPrice) return state;
    const fill = { filledAt: time, fillPrice: price, entryTradeAt: time, entryTradePrice: price };
    return withPrice(call, { ...state, ...fill, highest: price }, price, time);
  }
  // A reached stop sold the position, so later trades do not count.
  if (state.stopAt !== null) return state;
  const isBest = state.best === null || value > sign * state.best;
  const isWorst = state.worst === null || value < sign * state.worst;
  const highest = state.highest === null || value > sign * state.highest ? price : state.highest;
  const hitsTarget = state.targetAt === null && value >= sign * call.targetPrice;
  const level = stopLevelOf(call, highest);
  const hitsStop = level !== null && value <= sign * level;
  if (!isBest && !isWorst && highest === state.highest && !hitsTarget && !hitsStop) return state;
  return {
    ...state,
    highest,
    best: isBest ? price : state.best,
    worst: isWorst ? price : state.worst,
    ...(hitsTarget ? { targetAt: time, targetPrice: price } : {}),
    ...(hitsStop ? { stopAt: time, stopPrice: price, stopLevel: level } : {}),
  };
}

export const pricesOf = ({ open, high, low, last }: TradedPrices): number[] =>
  [open, high, low, last].filter((price) => price !== undefined);

/** The price at which a position is entered: the first trade if known, otherwise the worst for the owner. */
export const entryIn = (side: Side, update: TradedPrices): number | null =>
  update.open ?? (pricesOf(update).length === 0 ? null : bestOf(side, ...pricesOf(update)));

/** The price at which a position is left: the first trade if known, otherwise the worst for the owner. */
export const exitIn = (side: Side, update: TradedPrices): number | null =>
  update.open ?? (pricesOf(update).length === 0 ? null : worstOf(side, ...pricesOf(update)));

/** The first trade after the submission, for a position that was already filled. */
function withEntryTrade(call: TrackedCall, state: TrackState, update: PriceUpdate): TrackState {
  if (call.callType !== 'bought' || state.entryTradePrice !== null) return state;
  const price = entryIn(call, update);
  return price === null ? state : { ...state, entryTradeAt: update.time, entryTradePrice: price };
}

/**
 * Advances a call by the prices that traded. Open, high, low and last of one update are applied in this order, for a
 * short call the low before the high. If the true order is unknown, this is the worst one for the owner, because a
 * trailing stop rises before the low. The first trade below its entry (above it for a short call) fills a pending call.
 * Target and stop are recorded once, with the traded price, which after a gap is beyond the level. After a reached stop
 * nothing is recorded. This function closes no call.
 * @returns the same object if nothing changed
 */
export function advance(call: TrackedCall, state: TrackState, update: PriceUpdate): TrackState {
  let next = withEntryTrade(call, state, update);
  const { open, high, low, last, time } = update;
  for (const price of call.isShort ? [open, low, high, last] : [open, high, low, last]) {
    if (price !== undefined) next = withPrice(call, next, price, time);
  }
  return next;
}

/** The events between two states, which must be stored immediately. */
export function eventsBetween(before: TrackState, after: TrackState): TrackEvent[] {
  const events: TrackEvent[] = [];
  if (before.filledAt === null && after.filledAt !== null) events.push('filled');
  else if (before.entryTradeAt === null && after.entryTradeAt !== null) events.push('entry');
  if (before.targetAt === null && after.targetAt !== null) events.push('target');
  if (before.stopAt === null && after.stopAt !== null) events.push('stop');
  return events;
}
