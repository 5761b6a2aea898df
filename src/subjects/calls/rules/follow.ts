import {
  advance,
  cheapestOf,
  dearestOf,
  type PriceUpdate,
  type TrackedCall,
  type TrackState,
} from './tracker.ts';

/** How its owner ended a call: when (epoch ms), how, and the last price known then, AUD. */
export type Ending = { time: number; price: number | null; isCancelled: boolean };

/** The first trade after the end of a call. */
export type ExitTrade = { time: number; price: number };

export type Followed = { state: TrackState; exit: ExitTrade | null };

/** Whether the whole of an update is known to have been traded after a moment. */
const isWhollyAfter = ({ since }: PriceUpdate, moment: number): boolean =>
  since === undefined || since >= moment;

/** Whether the last trade of an update came after a moment; in the same millisecond the order of arrival says so. */
const endsAfter = (update: PriceUpdate, moment: number): boolean =>
  update.time > moment || (update.time === moment && isWhollyAfter(update, moment));

/**
 * What of an update was traded after a moment: all of it, only its last price when the rest may be older, or null.
 *
 * @param moment epoch ms
 */
export function tradedAfter(update: PriceUpdate, moment: number): PriceUpdate | null {
  if (!endsAfter(update, moment)) return null;
  if (isWhollyAfter(update, moment)) return update;
  return update.last === undefined ? null : { time: update.time, since: moment, last: update.last };
}

/** The update in which the first trade after the end of a call lies. */
function exitOf(call: TrackedCall, state: TrackState, update: PriceUpdate, end: Ending): Followed {
  const isAfter = isWhollyAfter(update, end.time);
  // What may have been traded before the end counts as if it had been: the owner could have seen it.
  const before = isAfter ? state : advance(call, state, update);
  const price = cheapestOf(isAfter ? update : { ...update, open: undefined });
  if (price === null) return { state: before, exit: null };
  const exit = { time: update.time, price };
  const isUnentered = before.entryTradePrice === null && call.callType === 'bought';
  if (!isUnentered || end.isCancelled) return { state: before, exit };
  // Closed before any trade was printed: bought and sold in the same one.
  return {
    state: { ...before, entryTradeAt: update.time, entryTradePrice: dearestOf(update) ?? price },
    exit,
  };
}

/**
 * Moves a call on by what traded after its submission. Up to its end trades fill it and reach its levels; the first one
 * after the end is the exit, with which it is settled. A cancelled call that no trade was printed for before its end has
 * no entry then, and so no result.
 *
 * @param end null while its owner has not ended it
 * @returns the same state when nothing changed
 */
export function follow(
  call: TrackedCall,
  state: TrackState,
  update: PriceUpdate,
  end: Ending | null,
): Followed {
  const part = tradedAfter(update, call.submittedAt);
  if (part === null) return { state, exit: null };
  if (end === null || !endsAfter(part, end.time)) return { state: advance(call, state, part), exit: null };
  return exitOf(call, state, part, end);
}
