import { looksAdjusted, type Quote, tradedBetween } from '../../../domain/calls/pricePath.ts';
import { advance, eventsBetween } from '../../../domain/calls/tracker.ts';
import type { MarketSource } from '../../../sources/quotes/source.ts';
import type { FollowedCall } from './followedCalls.ts';

/** When what a comparison found must be on disk: at once because visitors can see it, soon, or nothing changed. */
export type Urgency = 'atOnce' | 'soon' | 'none';

export type Observation = {
  /** Epoch ms, when the prices of the quote were traded. */
  time: number;
  days: MarketSource['days'];
};

const hasMoved = (before: Quote | null, now: Quote): boolean =>
  before === null || now.date !== before.date || now.high !== before.high || now.low !== before.low;

/** Compares a call's stock with what it showed before, and moves the call on by what was traded in between. */
export function observe(followed: FollowedCall, quote: Quote, { time, days }: Observation): Urgency {
  const before = followed.lastQuote;
  followed.lastQuote = quote;
  const moved: Urgency = hasMoved(before, quote) ? 'soon' : 'none';
  if (before === null || time < followed.call.submittedAt) return moved;
  // A day that does not follow the day before it proves nothing.
  if (days === 'consecutive' && looksAdjusted(before, quote)) {
    followed.isPaused = true;
    return 'atOnce';
  }
  const traded = tradedBetween(before, quote);
  if (traded === null) return moved;
  const next = advance(followed.call, followed.state, { ...traded, time });
  if (next === followed.state) return moved;
  const events = eventsBetween(followed.state, next);
  followed.state = next;
  return events.length > 0 ? 'atOnce' : 'soon';
}
