import { and, eq, gte, min } from 'drizzle-orm';
import { valueCurves } from '../../../../platform/db/glanceSchema.ts';
import type { Db } from '../../../../platform/db/open.ts';
import { addDays, sydneyDate } from '../../../../market/rules/sydneyTime.ts';
import { closesEarly, isTradingDay } from '../../../../market/rules/tradingDay.ts';
import { isRecord } from '../../../../lib/json.ts';
import { unpackJsonOrNull } from '../../../../lib/pack/packedJson.ts';
import type { Core } from '../../../../part.ts';

const LOOKED_DAYS = 30;
/** A session of which less was seen counts as blind. */
const SEEN_SHARE = 0.5;

/** Whether half of the points of a session's curve were seen. */
function wasSeen(packed: Uint8Array): boolean {
  const curves = unpackJsonOrNull(packed);
  const shares: unknown = isRecord(curves) ? curves['shares'] : null;
  if (!Array.isArray(shares) || shares.length === 0) return false;
  return shares.filter((point) => point !== null).length >= SEEN_SHARE * shares.length;
}

/**
 * Whether most sessions of the last 30 days were seen: then an alert that did not fire had the chance to. What the market
 * traded in a session is noted only while its prices are good. A source of which nothing is noted is not judged.
 */
export function createSeenSessions(db: Db, source: Pick<Core['source'], 'name' | 'days'>) {
  let known: { date: string; answer: boolean } | null = null;

  function answerFor(today: string): boolean {
    if (source.days !== 'consecutive') return true;
    const first = db
      .select({ date: min(valueCurves.date) })
      .from(valueCurves)
      .where(eq(valueCurves.source, source.name))
      .get()?.date;
    if (first == null) return true;
    const from = addDays(today, -LOOKED_DAYS);
    const rows = db
      .select()
      .from(valueCurves)
      .where(and(eq(valueCurves.source, source.name), gte(valueCurves.date, from)))
      .all();
    const seen = new Set(rows.filter(({ curves }) => wasSeen(curves)).map(({ date }) => date));
    const days = Array.from({ length: LOOKED_DAYS }, (_, index) => addDays(from, index)).filter(
      // A short day is not noted, and neither is what was before the first note.
      (date) => isTradingDay(date) && !closesEarly(date) && date >= first,
    );
    return days.filter((date) => seen.has(date)).length >= SEEN_SHARE * days.length;
  }

  /** @param now epoch ms */
  return (now: number): boolean => {
    const date = sydneyDate(now);
    if (known?.date !== date) known = { date, answer: answerFor(date) };
    return known.answer;
  };
}
