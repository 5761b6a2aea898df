import { SECOND_MS, MINUTE_MS, HOUR_MS } from '#lib/units.ts';
import { twoDigits } from '#lib/text.ts';
import { formatClock, formatDate, formatMinutes, formatTime } from '#texts/format.ts';
import { createSessionReader, isPreOpen, phaseAt, type PhaseSpan, phasesOf } from './sessionClock.ts';
import type { Stock } from './stock.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';

/** Times in epoch ms on the market's clock. */
export type Opening =
  | { kind: 'beforePreOpen'; preOpenAt: number }
  | { kind: 'preOpen'; opensAt: number }
  | { kind: 'opened'; openedAt: number | null };

/** A first stock that opens later than this was only seen late. */
const LATEST_OPEN_MS = 5 * MINUTE_MS;
/** Above this a date is more useful than hours. */
const COUNTDOWN_FROM_MS = 12 * HOUR_MS;

const scheduledOpen = (date: string): number | null =>
  phasesOf(date).find(({ phase }) => phase === 'open')?.since ?? null;

/** The state of the opening. @param now market's clock, epoch ms @param openedAt called after the open */
export function openingAt(now: number, openedAt: () => number | null): Opening {
  const { phase, until } = phaseAt(now);
  if (phase === 'closed') return { kind: 'beforePreOpen', preOpenAt: until };
  const opensAt = scheduledOpen(sydneyDate(now)) ?? until;
  if (isPreOpen(phase)) return { kind: 'preOpen', opensAt };
  return { kind: 'opened', openedAt: openedAt() };
}

/**
 * The actual open: when the first stock left the opening auction, which ends at a random moment. The earliest
 * counts, because some stocks leave it before trading begins.
 * @param date the session shown, YYYY-MM-DD in Sydney
 * @returns epoch ms; null if unknown, or seen long after the open
 */
export function firstOpened(
  stocks: Iterable<Pick<Stock, 'status' | 'preOpen'>>,
  date: string,
): number | null {
  const scheduled = scheduledOpen(date);
  if (scheduled === null) return null;
  const since = new Date(phasesOf(date)[0]?.since ?? scheduled).toISOString();
  let first: string | null = null;
  for (const { status, preOpen } of stocks) {
    const left = preOpen?.snapshot.capturedAt;
    if (!left || status === 'Pre Open' || left < since) continue;
    if (first === null || left < first) first = left;
  }
  const at = first === null ? Number.NaN : Date.parse(first);
  return at <= scheduled + LATEST_OPEN_MS ? Math.max(at, scheduled) : null;
}

function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS));
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)}`;
  return hoursAndMinutes(ms);
}

const hoursAndMinutes = (ms: number): string => formatMinutes(Math.max(1, Math.ceil(ms / MINUTE_MS)));

/** 'The pre-open begins in 12 min', 'Opens in 4:12'. @param now the market's clock, epoch ms */
export function openingText(opening: Opening, now: number): string {
  if (opening.kind === 'preOpen') return `Opens in ${countdown(opening.opensAt - now)}`;
  if (opening.kind === 'opened') {
    const { openedAt } = opening;
    return openedAt === null ? 'The market has opened' : `The market opened at ${formatClock(openedAt)}`;
  }
  const { preOpenAt } = opening;
  if (preOpenAt - now <= COUNTDOWN_FROM_MS)
    return `The pre-open begins in ${hoursAndMinutes(preOpenAt - now)}`;
  const date = formatDate(sydneyDate(preOpenAt)).replace(/ \d{4}$/, '');
  return `The pre-open begins on ${date} at ${formatTime(preOpenAt)}`;
}

/**
 * Reads the whole minutes since the session's opening auction; after the close the length of trading, until the next
 * session; null before the open. Create one per reader, because it caches the session.
 */
export function createMinutesSinceOpen(): (now: number) => number | null {
  const sessionOf = createSessionReader();
  let known: object | null = null;
  let open: PhaseSpan | undefined;
  let close: PhaseSpan | undefined;
  return (now) => {
    const session = sessionOf(now);
    if (session !== known) {
      known = session;
      const phases = phasesOf(session.date);
      open = phases.find(({ phase }) => phase === 'open');
      close = phases.find(({ phase }) => phase === 'post-close');
    }
    if (!open || !close || now < open.since) return null;
    return Math.floor((Math.min(now, close.since) - open.since) / MINUTE_MS);
  };
}
