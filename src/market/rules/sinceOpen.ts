import { phasesOf, sessionAt } from './sessionClock.ts';

/**
 * Whole minutes since the session's opening auction; after the close the length of trading, until the next
 * session.
 * @param now epoch ms on the market's clock
 * @returns null before the open
 */
export function minutesSinceOpen(now: number): number | null {
  const phases = phasesOf(sessionAt(now).date);
  const open = phases.find(({ phase }) => phase === 'open');
  const close = phases.find(({ phase }) => phase === 'post-close');
  if (!open || !close || now < open.since) return null;
  return Math.floor((Math.min(now, close.since) - open.since) / 60_000);
}
