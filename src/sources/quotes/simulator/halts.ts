import { DRAW } from './draws.ts';
import type { Listing } from './listings.ts';
import { unit } from './random.ts';

/**
 * The trading halt of a day: 'day' begins before the open and lasts all day, 'evening' begins during trading and lasts
 * for the rest of the day, 'pause' begins and ends during trading. After 'day' and 'evening' trading resumes with the
 * next day's open.
 */
export type HaltKind = 'none' | 'day' | 'evening' | 'pause';

/** Seconds of the day, `until` exclusive; an end after the day is Infinity. */
export type HaltSpan = { from: number; until: number };

const HALTS_PER_DAY = 0.0045;
const OPEN = 10 * 3600;

/** The halt that begins on a day; for a listing that was not halted the evening before. */
export function haltKind(listing: Listing, seed: number): HaltKind {
  if (listing.kind === 'fund' || listing.suspended || unit(seed, DRAW.halt) >= HALTS_PER_DAY) return 'none';
  const at = unit(seed, DRAW.haltKind);
  return at < 0.5 ? 'day' : at < 0.75 ? 'evening' : 'pause';
}

/**
 * When a listing is halted on a day; null when it is not.
 * @param resuming true when it was halted the evening before: it stays halted until shortly before the open then
 * @param sessionEnd second at which continuous trading ends
 */
export function haltSpan(
  kind: HaltKind,
  resuming: boolean,
  seed: number,
  sessionEnd: number,
): HaltSpan | null {
  if (resuming) return { from: 0, until: 8.75 * 3600 + Math.floor(unit(seed, DRAW.resume) * 3600) };
  if (kind === 'none') return null;
  const at = unit(seed, DRAW.haltTime);
  if (kind === 'day') return { from: Math.floor((8.3 + 1.55 * at) * 3600), until: Number.POSITIVE_INFINITY };
  // Whole minutes, so that every slot of the day's plan is either halted or not. None begins in the last 160, or before 10:20.
  const from = OPEN + 60 * Math.floor(20 + at * Math.max(0, (sessionEnd - OPEN) / 60 - 180));
  if (kind === 'evening') return { from, until: Number.POSITIVE_INFINITY };
  return { from, until: from + 60 * Math.floor(25 + unit(seed, DRAW.haltLength) * 80) };
}
