import { describe, expect, test } from 'bun:test';
import { wholeDayOf } from '../../../../src/market/bars/rules/wholeDay.ts';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import { placeMarks } from '../../../../src/subjects/stock/web/shared/chart/chartMarks.ts';
import { GAP, lastDrawn, layOut, QUIET } from '../../../../src/subjects/stock/web/shared/chart/chartSlots.ts';
import {
  redrawFrom,
  placePath,
} from '../../../../src/subjects/stock/web/shared/chart/drawing/placeExtras.ts';
import { firstRange } from '../../../../src/subjects/stock/web/shared/chart/shownRange.ts';
import { barsOf, joinedBars } from '../../../support/chartBars.ts';

const MINUTE = 60_000;
const TEN = fromSydney('2026-01-20', 10, 0);
const YESTERDAY = fromSydney('2026-01-19', 15, 0);
const DAY = wholeDayOf('2026-01-20');
/** From 10:00 to 16:10, both included. */
const MINUTES = 371;
const TRADED_EVERY_OTHER = barsOf(TEN + MINUTE, 2 * MINUTE, [1, 2, 3]);

describe('a day that is shown whole', () => {
  test('has a place for each of its minutes, traded or not and to come', () => {
    const { axis, bar } = layOut(TRADED_EVERY_OTHER, '1', [], DAY);
    expect(axis).toHaveLength(MINUTES);
    expect(bar.slice(0, 8)).toEqual([QUIET, 0, QUIET, 1, QUIET, 2, QUIET, QUIET]);
    expect(new Date(axis.at(-1) ?? 0).toISOString()).toBe('2026-01-20T16:10:00.000Z');
    expect(axis.every((time, slot) => slot === 0 || time - (axis[slot - 1] ?? 0) === MINUTE)).toBe(true);
  });

  test('leaves the days before it as they are, and tells what is not known from what is quiet', () => {
    const bars = joinedBars(barsOf(YESTERDAY, 5 * MINUTE, [1, 2]), barsOf(TEN, MINUTE, [3]));
    const gap = { from: TEN + 2 * MINUTE, until: TEN + 4 * MINUTE };
    const { bar } = layOut(bars, '1', [gap], DAY);
    expect(bar).toHaveLength(2 + MINUTES);
    expect(bar.slice(0, 7)).toEqual([0, 1, 2, QUIET, GAP, GAP, QUIET]);
  });

  test('draws what is new alone, though places follow it', () => {
    const slots = layOut(TRADED_EVERY_OTHER, '1', [], DAY);
    expect(lastDrawn(slots)).toBe(5);
    const moved = { ...TRADED_EVERY_OTHER, close: [1, 2, 3.5] };
    expect(redrawFrom(TRADED_EVERY_OTHER, moved, slots)).toBe(5);
    const longer = joinedBars(TRADED_EVERY_OTHER, barsOf(TEN + 8 * MINUTE, MINUTE, [4]));
    expect(redrawFrom(TRADED_EVERY_OTHER, longer, slots)).toBe(5);
    expect(redrawFrom(TRADED_EVERY_OTHER, { ...longer, close: [1, 2.5, 3, 4] }, slots)).toBe(0);
  });

  test('is in sight from its first minute to its last, on a phone too', () => {
    const early = joinedBars(barsOf(YESTERDAY, MINUTE, [1, 2, 3]), barsOf(TEN, MINUTE, [4, 5]));
    for (const width of [320, 1200]) {
      const { from, to } = firstRange(layOut(early, '1', [], DAY).axis, '1', width, true);
      expect(from).toBeLessThanOrEqual(3);
      expect(to).toBe(3 + MINUTES + 1);
    }
    const { to } = firstRange(layOut(early, '1', []).axis, '1', 1200);
    expect(to).toBeLessThan(60);
  });

  test('has marks at bars, and paths across minutes in which nothing traded', () => {
    const slots = layOut(TRADED_EVERY_OTHER, '1', [], DAY);
    const marks = [{ kind: 'announcement' as const, time: TEN + 30 * MINUTE, text: 'Late' }];
    expect(placeMarks(slots, { tf: '1', marks })[0]?.slot).toBe(5);
    const path = { kind: 'vwap' as const, title: 'VWAP', ...TRADED_EVERY_OTHER, price: [1, 2, 3] };
    expect(placePath(slots, path, '1')).toEqual([
      { slot: 1, price: 1 },
      { slot: 3, price: 2 },
      { slot: 5, price: 3 },
    ]);
  });
});
