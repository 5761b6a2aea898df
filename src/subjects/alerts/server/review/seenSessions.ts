import { addDays, sydneyDate } from '#market/rules/sydneyTime.ts';
import { closesEarly, isTradingDay } from '#market/rules/tradingDay.ts';
import type { Core } from '#src/part.ts';

const LOOKED_DAYS = 30;
/** A session of which less was seen counts as blind. */
const SEEN_SHARE = 0.5;

/**
 * How much was seen of the sessions from a date on: by date a share from 0 to 1, and the first of which anything is known, null
 * where there is none. Dates are those of Sydney, YYYY-MM-DD.
 */
export type SeenSince = (date: string) => { first: string | null; shares: ReadonlyMap<string, number> };

/**
 * Whether most sessions of the last 30 days were seen: then an alert that did not fire had the chance to. What the market
 * traded in a session is noted only while its prices are good. A source of which nothing is noted is not judged.
 */
export function createSeenSessions(seenSince: SeenSince, source: Pick<Core['source'], 'days'>) {
  let known: { date: string; answer: boolean } | null = null;

  function answerFor(today: string): boolean {
    if (source.days !== 'consecutive') return true;
    const from = addDays(today, -LOOKED_DAYS);
    const { first, shares } = seenSince(from);
    if (first === null) return true;
    const days = Array.from({ length: LOOKED_DAYS }, (_, index) => addDays(from, index)).filter(
      // A short day is not noted, and neither is what was before the first note.
      (date) => isTradingDay(date) && !closesEarly(date) && date >= first,
    );
    const seen = days.filter((date) => (shares.get(date) ?? 0) >= SEEN_SHARE);
    return seen.length >= SEEN_SHARE * days.length;
  }

  /** @param now epoch ms */
  return (now: number): boolean => {
    const date = sydneyDate(now);
    if (known?.date !== date) known = { date, answer: answerFor(date) };
    return known.answer;
  };
}
