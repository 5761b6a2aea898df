import { createUserLimit } from '../../http/requestLimits.ts';
import type { Stopwatch } from '../../lib/clock.ts';

/** What one administrator may do in a minute. */
export const createChannelLimits = (clock: Stopwatch) => ({
  countChange: createUserLimit(clock, 120, 'You change channels too often.'),
  countBroadcast: createUserLimit(clock, 10, 'You send messages to channels too often.'),
  countRead: createUserLimit(clock, 60, 'You read the messages of channels too often.'),
});

export type ChannelLimits = ReturnType<typeof createChannelLimits>;
