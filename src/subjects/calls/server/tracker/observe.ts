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
import type { Side } from '#subjects/calls/rules/side.ts';
import { isTrailing, trailingLevel, withStep } from '#subjects/calls/rules/trailingStop.ts';
import { eventsBetween, type TrackState } from '#subjects/calls/rules/tracker.ts';
import type { FollowedCall } from './followedCalls.ts';

/**
 * When a change must be on disk: immediately if visitors can see it or a mark depends on it; soon if it cannot be recovered
 * later; later if the session's range can restore it.
 */
export type Urgency = 'atOnce' | 'soon' | 'later' | 'none';

/** The ends of a session's range: the best price for a position, and the worst. */
const endsOf = ({ isShort }: Side, { high, low }: Quote) =>
  isShort ? { best: low, worst: high } : { best: high, worst: low };

/**
 * Whether an open trailing stop moves, or its stock has a new low (for a short call, a new high). After a
 * restart the session's range would not show which came first, and the stop could wrongly seem reached.
 */
function concernsStop({ call, state }: FollowedCall, was: TrackState, before: Quote, quote: Quote): boolean {
  if (!isTrailing(call) || state.filledAt === null || state.stopAt !== null) return false;
  return state.highest !== was.highest || endsOf(call, quote).worst !== endsOf(call, before).worst;
}

/** Whether a value is unchanged, or is a new end of the session's range. */
const isFoundAgain = (
  was: number | null,
  now: number | null,
  endBefore: number | null,
  end: number | null,
): boolean => now === was || (now === end && end !== endBefore);

/** Whether the session's range alone can restore a change. */
function isReportedAgain(
  { call, state }: FollowedCall,
  was: TrackState,
  before: Quote,
  quote: Quote,
): boolean {
  const [known, ends] = [endsOf(call, before), endsOf(call, quote)];
  return (
    isFoundAgain(was.highest, state.highest, known.best, ends.best) &&
    isFoundAgain(was.best, state.best, known.best, ends.best) &&
    isFoundAgain(was.worst, state.worst, known.worst, ends.worst)
  );
}

/** A print that becomes suspect or trusted is written at once: the session's range cannot restore it. */
function urgencyOf(before: Watch, after: Watch, was: TrackState, followed: FollowedCall): Urgency {
  const { state } = followed;
  if (after.doubt !== before.doubt || eventsBetween(was, state).length > 0) return 'atOnce';
  if (concernsStop(followed, was, before.quote, after.quote)) return 'atOnce';
  if (state !== was) return isReportedAgain(followed, was, before.quote, after.quote) ? 'later' : 'soon';
  const { date, high, low } = before.quote;
  const { quote } = after;
  return quote.date !== date || quote.high !== high || quote.low !== low ? 'later' : 'none';
}

/** Records a step of a trailing stop. @param time of its trade, epoch ms */
function noteStop(followed: FollowedCall, after: TrackState, time: number): void {
  const price = trailingLevel(followed.call, after);
  if (price === null || price === trailingLevel(followed.call, followed.state)) return;
  followed.newStops = withStep(followed.newStops, { time, price });
}

/**
 * Stops following a call whose stock was split or consolidated since the last comparison, because prices are no longer
 * comparable. Applies also while the call waits for its exit.
 * @param now wall time, epoch ms
 * @returns whether the call is paused by this
 */
export function pauseAdjusted(followed: FollowedCall, { at }: Adjustment, now: number): boolean {
  const { watch, call } = followed;
  if (at < (watch?.takenAt ?? call.submittedAt)) return false;
  followed.isPaused = true;
  // If an administrator resumes the call, it continues from here.
  followed.watch = watch && { ...watch, takenAt: Math.max(now, at + 1) };
  return true;
}

/** Compares a stock with its last quote and updates the call with the trades in between. */
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
