import type { Stopwatch } from '../../../../lib/clock.ts';
import { createRateLimit } from '../../../../lib/rateLimit.ts';

const MINUTE_MS = 60_000;
const STRANGER_LIMIT = 20;
const LINKED_LIMIT = 60;

/** How a chat that asks too often is treated: it is told once a minute, and otherwise ignored. */
export type Admission = { kind: 'admitted' } | { kind: 'refused'; seconds: number } | { kind: 'ignored' };

/** Who asks: `chat` and `person` are keys, the same where somebody is alone with the bot. */
export type Asker = { chat: string; person: string; isLinked: boolean };

/**
 * What one chat may ask in a minute; of strangers each person too, as anybody can make groups without end. Memory is
 * bounded: who was silent longest is forgotten first.
 *
 * @returns a function that counts one command or press
 */
export function createCommandLimit(clock: Stopwatch): (asker: Asker) => Admission {
  const strangers = createRateLimit({ clock, limit: STRANGER_LIMIT, windowMs: MINUTE_MS });
  const linked = createRateLimit({ clock, limit: LINKED_LIMIT, windowMs: MINUTE_MS });
  const told = createRateLimit({ clock, limit: 1, windowMs: MINUTE_MS });
  return ({ chat, person, isLinked }) => {
    const keys = isLinked || person === chat ? [chat] : [person, chat];
    const waits = keys.map((key) => (isLinked ? linked : strangers).take(key));
    const seconds = Math.max(...waits);
    if (seconds === 0) return { kind: 'admitted' };
    return keys.every((key) => told.take(key) === 0) ? { kind: 'refused', seconds } : { kind: 'ignored' };
  };
}
