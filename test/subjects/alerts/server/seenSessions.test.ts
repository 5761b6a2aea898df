import { describe, expect, test } from 'bun:test';
import { addDays } from '../../../../src/market/rules/sydneyTime.ts';
import { isTradingDay } from '../../../../src/market/rules/tradingDay.ts';
import { createSeenSessions } from '../../../../src/subjects/alerts/server/review/seenSessions.ts';
import { curveStore } from '../../../../src/subjects/glance/server/curveStore.ts';
import { CURVE_POINTS } from '../../../../src/subjects/glance/rules/valueCurve.ts';
import { openMemoryDb } from '../../../support/memoryDb.ts';

const TODAY = '2026-11-18';
const NOW = Date.parse('2026-11-18T02:00:00Z');
const SOURCE = { days: 'consecutive' as const };
/** The trading days of the 30 days before. */
const DAYS = Array.from({ length: 30 }, (_one, back) => addDays(TODAY, -1 - back)).filter(isTradingDay);

/** A curve of which the first points were seen. */
const seen = (points: number): (number | null)[] =>
  Array.from({ length: CURVE_POINTS }, (_one, at) => (at < points ? at * 1e6 : null));

function storeWith(pointsOf: (index: number) => number, source = 'feed') {
  const db = openMemoryDb();
  const store = curveStore(db, source);
  for (const [index, date] of DAYS.entries()) {
    store.save(date, { shares: seen(pointsOf(index)), funds: seen(0) });
  }
  return { db, store };
}

describe('most sessions of the last 30 days were seen', () => {
  const hasSeenMost = (pointsOf: (index: number) => number): boolean =>
    createSeenSessions(storeWith(pointsOf).store.seenSince, SOURCE)(NOW);

  test('where half of their points were, in at least half of them', () => {
    const half = Math.ceil(CURVE_POINTS / 2);
    expect(hasSeenMost(() => half)).toBe(true);
    expect(hasSeenMost(() => half - 1)).toBe(false);
    expect(hasSeenMost((index) => (index % 2 === 0 ? CURVE_POINTS : 0))).toBe(true);
    expect(hasSeenMost((index) => (index % 3 === 0 ? CURVE_POINTS : 0))).toBe(false);
  });

  test('of a source of which nothing is noted, or whose days do not follow each other, as nobody can tell', () => {
    const { store, db } = storeWith(() => 0);
    expect(createSeenSessions(curveStore(db, 'another').seenSince, SOURCE)(NOW)).toBe(true);
    expect(createSeenSessions(store.seenSince, { days: 'apart' as never })(NOW)).toBe(true);
  });

  test('is looked at anew the next day, and unreadable notes are of sessions that nobody saw', () => {
    const { store, db } = storeWith(() => CURVE_POINTS);
    const answer = createSeenSessions(store.seenSince, SOURCE);
    expect(answer(NOW)).toBe(true);
    db.$client.run(`UPDATE value_curves SET curves = x'00'`);
    expect(answer(NOW)).toBe(true);
    expect(answer(NOW + 86_400_000)).toBe(false);
  });
});
