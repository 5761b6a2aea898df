import { readFileSync } from 'node:fs';

/** Files for everything except streams: database, logs, sources, chats, other requests. */
const RESERVED = 200;

/** How many files and connections the system lets this process open; null if the limit is unknown or there is none. */
export function openFileLimit(): number | null {
  try {
    const found = /^Max open files\s{1,40}(\d{1,15})/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return found === null ? null : Number(found[1]);
  } catch {
    return null;
  }
}

/**
 * How many streams of a kind, prices or alerts, fit below the limit. Without room for another connection the system refuses
 * them before the server can answer, and the runtime retries without a pause, which takes a whole core.
 */
export const streamsWithin = (limit: number): number =>
  Math.max(1, Math.floor((limit - Math.min(RESERVED, limit / 2)) / 2));
