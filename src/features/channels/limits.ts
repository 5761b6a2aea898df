import { refusedFor } from '../../http/errors.ts';
import type { Stopwatch } from '../../lib/clock.ts';
import { createRateLimit, waitText } from '../../lib/rateLimit.ts';

/** Counts something that an administrator does, also what is refused later. @throws AppError 429 with `Retry-After` */
type Count = (userId: number) => void;

/** @param tooOften what is said, before when it may be tried again */
function countOf(clock: Stopwatch, limit: number, tooOften: string): Count {
  const limited = createRateLimit({ clock, limit, windowMs: 60_000 });
  return (userId) => {
    const seconds = limited.take(String(userId));
    if (seconds > 0) throw refusedFor(seconds, 429, `${tooOften} Try again in ${waitText(seconds)}.`);
  };
}

/** What one administrator may do in a minute. */
export const createChannelLimits = (clock: Stopwatch) => ({
  countChange: countOf(clock, 120, 'You change channels too often.'),
  countBroadcast: countOf(clock, 10, 'You send messages to channels too often.'),
  countRead: countOf(clock, 60, 'You read the messages of channels too often.'),
});

export type ChannelLimits = ReturnType<typeof createChannelLimits>;
