import { follow } from '../../../domain/calls/follow.ts';
import { eventsBetween } from '../../../domain/calls/tracker.ts';
import {
  type FeedTraits,
  startWatch,
  type TimedQuote,
  type Watch,
  watchQuote,
} from '../../../domain/calls/watch.ts';
import type { FollowedCall } from './followedCalls.ts';

/** When what a comparison found must be on disk: at once because visitors can see it, soon, or nothing changed. */
export type Urgency = 'atOnce' | 'soon' | 'none';

/** A doubt that began or ended must be on disk: it can't be found again in the session's range. */
const urgencyOf = (before: Watch, { quote, doubt }: Watch): Urgency => {
  if (doubt !== before.doubt) return 'atOnce';
  const was = before.quote;
  return quote.date !== was.date || quote.high !== was.high || quote.low !== was.low ? 'soon' : 'none';
};

/** Compares a call's stock with what it showed before, and moves the call on by what was traded in between. */
export function observe(followed: FollowedCall, seen: TimedQuote, feed: FeedTraits): Urgency {
  const { watch: before } = followed;
  if (before === null) {
    followed.watch = startWatch(seen);
    return 'soon';
  }
  const { watch, trades, isAdjusted } = watchQuote(before, seen, feed);
  if (isAdjusted) {
    followed.isPaused = true;
    // Where an administrator finds that it was none, it goes on from here.
    followed.watch = { ...before, trade: before.trade && { ...before.trade, close: seen.quote.close } };
    return 'atOnce';
  }
  followed.watch = watch;
  const was = followed.state;
  for (const update of trades) {
    if (followed.exit !== null) break;
    const { state, exit } = follow(followed.call, followed.state, update, followed.end);
    followed.state = state;
    followed.exit = exit;
  }
  if (followed.exit !== null || eventsBetween(was, followed.state).length > 0) return 'atOnce';
  const urgency = urgencyOf(before, watch);
  return urgency === 'none' && followed.state !== was ? 'soon' : urgency;
}
