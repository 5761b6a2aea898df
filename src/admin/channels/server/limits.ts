import { createUserLimit } from '../../../platform/http/requestLimits.ts';
import type { Stopwatch } from '../../../lib/clock.ts';

/** What one administrator may do in a minute. */
export const createChannelLimits = (clock: Stopwatch) => ({
  countChange: createUserLimit(clock, 120, 'Too many changes to channels.'),
  countBroadcast: createUserLimit(clock, 10, 'Too many messages to channels.'),
  countRead: createUserLimit(clock, 60, 'Too many requests for channel messages.'),
});

export type ChannelLimits = ReturnType<typeof createChannelLimits>;
