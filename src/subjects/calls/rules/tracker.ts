import type { TradedPrices } from './pricePath.ts';
import type { CallType, StopLossType } from './types.ts';

/** What the tracker needs of a call. Times are epoch ms, prices AUD a share. */
export type TrackedCall = {
  callType: CallType;
  entryPrice: number;
  targetPrice: number;
  stopLossType: StopLossType;
  stopLoss: number | null;
  submittedAt: number;
  /** Last price of the symbol when the call was submitted; null when none was known. */
  priceAtSubmission: number | null;
};

/** What the prices gave so far. Times are epoch ms, prices AUD a share. Never changed in place. */
export type TrackState = {
  filledAt: number | null;
  /** The traded price that filled it; the claimed entry for a position that was filled before. */
  fillPrice: number | null;
  /**
   * The first trade that was printed after the submission, for `buy` the one that filled it: what the entry counts from.
   * Null while it is awaited.
   */
  entryTradeAt: number | null;
  entryTradePrice: number | null;
  /** Highest price since the fill, the fill included: what a trailing stop follows. */
  highest: number | null;
  /** Highest and lowest price that the server itself saw since the fill. */
  best: number | null;
  worst: number | null;
  targetAt: number | null;
  targetPrice: number | null;
  stopAt: number | null;
  stopPrice: number | null;
  /** Where the stop stood when it was reached. */
  stopLevel: number | null;
};

/** What traded since the quote before. Times are epoch ms. */
export type PriceUpdate = TradedPrices & {
  /** When the last of it was traded. */
  time: number;
  /** All of it was traded after this moment; absent when that is not known. */
  since?: number;
};

export type TrackEvent = 'filled' | 'entry' | 'target' | 'stop';

/** The state of a call at the moment it was submitted. */
export function startTracking(call: TrackedCall): TrackState {
  const { priceAtSubmission } = call;
  const isFilled = call.callType === 'bought';
  return {
    filledAt: isFilled ? call.submittedAt : null,
    fillPrice: isFilled ? call.entryPrice : null,
    entryTradeAt: null,
    entryTradePrice: null,
    highest: isFilled ? Math.max(call.entryPrice, priceAtSubmission ?? call.entryPrice) : null,
    best: isFilled ? priceAtSubmission : null,
    worst: isFilled ? priceAtSubmission : null,
    targetAt: null,
    targetPrice: null,
    stopAt: null,
    stopPrice: null,
    stopLevel: null,
  };
}

// Prices have at most six decimals; without rounding 1.2 − 0.1 would lie below 1.1.
const toPrice = (value: number): number => Math.round(value * 1e6) / 1e6;

/**
 * Where the stop stands: its own price for HARD, below the highest price since the fill for the trailing ones.
 *
 * @returns AUD; null without a stop, or for a trailing stop before the fill
 */
export function stopLevelOf(call: TrackedCall, highest: number | null): number | null {
  if (call.stopLossType === 'NONE' || call.stopLoss === null) return null;
  if (call.stopLossType === 'HARD') return call.stopLoss;
  if (highest === null) return null;
  return call.stopLossType === 'TRAILING_ABS'
    ? toPrice(highest - call.stopLoss)
    : toPrice(highest * (1 - call.stopLoss / 100));
}

function withPrice(call: TrackedCall, state: TrackState, price: number, time: number): TrackState {
  if (state.filledAt === null) {
    // At its price a limit order stands in a queue; only a trade below it proves that the order was reached.
    if (price >= call.entryPrice) return state;
    const fill = { filledAt: time, fillPrice: price, entryTradeAt: time, entryTradePrice: price };
    return withPrice(call, { ...state, ...fill, highest: price }, price, time);
  }
  // With its stop reached the position is sold: what trades later is no part of it.
  if (state.stopAt !== null) return state;
  const isBest = state.best === null || price > state.best;
  const isWorst = state.worst === null || price < state.worst;
  const highest = state.highest === null || price > state.highest ? price : state.highest;
  const hitsTarget = state.targetAt === null && price >= call.targetPrice;
  const level = stopLevelOf(call, highest);
  const hitsStop = level !== null && price <= level;
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

/** The prices of an update, in the order in which they are taken. */
export const pricesOf = ({ open, high, low, last }: TradedPrices): number[] =>
  [open, high, low, last].filter((price) => price !== undefined);

/** The price of an update that a buyer gets: its first trade where that is known, else its dearest. */
export const dearestOf = (update: TradedPrices): number | null =>
  update.open ?? (pricesOf(update).length === 0 ? null : Math.max(...pricesOf(update)));

/** The price of an update that a seller gets: its first trade where that is known, else its cheapest. */
export const cheapestOf = (update: TradedPrices): number | null =>
  update.open ?? (pricesOf(update).length === 0 ? null : Math.min(...pricesOf(update)));

/** Takes the first trade after the submission of a position that was filled before. */
function withEntryTrade(call: TrackedCall, state: TrackState, update: PriceUpdate): TrackState {
  if (call.callType !== 'bought' || state.entryTradePrice !== null) return state;
  const price = dearestOf(update);
  return price === null ? state : { ...state, entryTradeAt: update.time, entryTradePrice: price };
}

/**
 * Moves a call on by what traded. Prices of one update are taken in the order open, high, low, last: where the true
 * order is not known this is the one that is worst for the owner (a trailing stop is lifted before the low comes).
 *
 * A pending call fills with the first trade below its entry, at the entry's price. Target and stop are recorded once each, with the
 * price that was traded, which after a gap lies beyond the level; a reached stop ends it, and nothing is recorded after.
 * Nothing here closes a call.
 *
 * @returns the same object when nothing changed
 */
export function advance(call: TrackedCall, state: TrackState, update: PriceUpdate): TrackState {
  let next = withEntryTrade(call, state, update);
  if (update.open !== undefined) next = withPrice(call, next, update.open, update.time);
  if (update.high !== undefined) next = withPrice(call, next, update.high, update.time);
  if (update.low !== undefined) next = withPrice(call, next, update.low, update.time);
  if (update.last !== undefined) next = withPrice(call, next, update.last, update.time);
  return next;
}

/** What happened between two states of one call; these are the changes that must reach the disk at once. */
export function eventsBetween(before: TrackState, after: TrackState): TrackEvent[] {
  const events: TrackEvent[] = [];
  if (before.filledAt === null && after.filledAt !== null) events.push('filled');
  else if (before.entryTradeAt === null && after.entryTradeAt !== null) events.push('entry');
  if (before.targetAt === null && after.targetAt !== null) events.push('target');
  if (before.stopAt === null && after.stopAt !== null) events.push('stop');
  return events;
}
