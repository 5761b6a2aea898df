import type { Stopwatch } from '../../lib/clock.ts';
import { createRateLimit } from '../../lib/rateLimit.ts';

const MINUTE_MS = 60_000;
const STRANGER_LIMIT = 20;
const LINKED_LIMIT = 60;

/** How a chat that asks too often is treated: it is told once a minute, and otherwise ignored. */
export type Admission = { kind: 'admitted' } | { kind: 'refused'; seconds: number } | { kind: 'ignored' };

/**
 * What one chat may ask in a minute. Memory is bounded: chats that were silent longest are forgotten first.
 *
 * @returns a function that counts one command or press
 */
export function createCommandLimit(clock: Stopwatch): (chat: string, isLinked: boolean) => Admission {
  const strangers = createRateLimit({ clock, limit: STRANGER_LIMIT, windowMs: MINUTE_MS });
  const linked = createRateLimit({ clock, limit: LINKED_LIMIT, windowMs: MINUTE_MS });
  const told = createRateLimit({ clock, limit: 1, windowMs: MINUTE_MS });
  return (chat, isLinked) => {
    const seconds = (isLinked ? linked : strangers).take(chat);
    if (seconds === 0) return { kind: 'admitted' };
    return told.take(chat) === 0 ? { kind: 'refused', seconds } : { kind: 'ignored' };
  };
}
