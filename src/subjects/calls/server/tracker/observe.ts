import {
  type FeedTraits,
  follow,
  startWatch,
  type TimedQuote,
  type Watch,
  watchQuote,
} from '#subjects/calls/rules/watch.ts';
import type { Adjustment } from '#market/rules/splitAdjustment.ts';
import type { Quote } from '#subjects/calls/rules/pricePath.ts';
import { isTrailing, trailingLevel, withStep } from '#subjects/calls/rules/trailingStop.ts';
import { eventsBetween, type TrackState } from '#subjects/calls/rules/tracker.ts';
import type { FollowedCall } from './followedCalls.ts';

/**
 * When what a comparison found must be on disk: at once because visitors can see it or a mark follows from it, soon because
 * nothing tells it again, later because the session's range does, or nothing changed.
 */
export type Urgency = 'atOnce' | 'soon' | 'later' | 'none';

/**
 * Whether a trailing stop that was not reached has a new high to follow, or its stock a new low. Found again in the
 * session's range, the low might seem to have come after a high that it came before, and the stop to have been reached.
 */
function concernsStop({ call, state }: FollowedCall, was: TrackState, before: Quote, quote: Quote): boolean {
  if (!isTrailing(call) || state.filledAt === null || state.stopAt !== null) return false;
  return state.highest !== was.highest || quote.low !== before.low;
}

/** Whether a value is what it was, or an end of the session's range that has just grown to it. */
const isFoundAgain = (
  was: number | null,
  now: number | null,
  endBefore: number | null,
  end: number | null,
): boolean => now === was || (now === end && end !== endBefore);

/** Whether the session's range, compared with what was written last, tells all of a change again. */
const isToldAgain = (was: TrackState, now: TrackState, before: Quote, quote: Quote): boolean =>
  isFoundAgain(was.highest, now.highest, before.high, quote.high) &&
  isFoundAgain(was.best, now.best, before.high, quote.high) &&
  isFoundAgain(was.worst, now.worst, before.low, quote.low);

/** A doubt that began or ended must be on disk: it can't be found again in the session's range. */
function urgencyOf(before: Watch, after: Watch, was: TrackState, followed: FollowedCall): Urgency {
  const { state } = followed;
  if (after.doubt !== before.doubt || eventsBetween(was, state).length > 0) return 'atOnce';
  if (concernsStop(followed, was, before.quote, after.quote)) return 'atOnce';
  if (state !== was) return isToldAgain(was, state, before.quote, after.quote) ? 'later' : 'soon';
  const { date, high, low } = before.quote;
  const { quote } = after;
  return quote.date !== date || quote.high !== high || quote.low !== low ? 'later' : 'none';
}

/** Notes where a trailing stop moved to. @param time of the trade that moved it, epoch ms */
function noteStop(followed: FollowedCall, after: TrackState, time: number): void {
  const price = trailingLevel(followed.call, after);
  if (price === null || price === trailingLevel(followed.call, followed.state)) return;
  followed.newStops = withStep(followed.newStops, { time, price });
}

/**
 * Follows a call no further whose stock was split or consolidated since it was compared last: its prices and those of now
 * can't be compared. A call that has ended and awaits its exit is one too.
 * @param now epoch ms by the wall clock
 * @returns whether it ends here
 */
export function pauseAdjusted(followed: FollowedCall, { at }: Adjustment, now: number): boolean {
  const { watch, call } = followed;
  if (at < (watch?.takenAt ?? call.submittedAt)) return false;
  followed.isPaused = true;
  // If an administrator has it followed again, it goes on from here.
  followed.watch = watch && { ...watch, takenAt: Math.max(now, at + 1) };
  return true;
}

/** Compares a call's stock with what it showed before, and moves the call on by what was traded in between. */
export function observe(followed: FollowedCall, seen: TimedQuote, feed: FeedTraits): Urgency {
  const { watch: before } = followed;
  if (before === null) {
    followed.watch = startWatch(seen);
    return 'soon';
  }
  const { watch, trades } = watchQuote(before, seen, feed);
  followed.watch = watch;
  const was = followed.state;
  for (const update of trades) {
    if (followed.exit !== null) break;
    const { state, exit } = follow(followed.call, followed.state, update, followed.end);
    noteStop(followed, state, update.time);
    followed.state = state;
    followed.exit = exit;
  }
  return followed.exit === null ? urgencyOf(before, watch, was, followed) : 'atOnce';
}
