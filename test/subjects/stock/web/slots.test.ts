import { describe, expect, test } from 'bun:test';
import { fromSydney } from '#lib/sydneyTime.ts';
import {
  toAxis,
  GAP,
  QUIET,
  lastDrawn,
  layOut,
  placeMarks,
} from '#subjects/stock/web/shared/chart/chartSlots.ts';
import {
  changedFrom,
  placePath,
  placeShade,
  redrawFrom,
  firstRange,
  firstScaled,
  newestDay,
  widenRange,
} from '#subjects/stock/web/shared/chart/drawing/placing.ts';
import { wholeDayOf } from '#market/bars/rules/chart.ts';
import { barsOf, joinedBars } from '#support/chartBars.ts';

const MINUTE = 60_000;
const TEN = fromSydney('2026-01-20', 10, 0);
const YESTERDAY = fromSydney('2026-01-19', 15, 0);
const axisAt = (hour: number, minute: number): number => Date.UTC(2026, 0, 20, hour, minute);

test('the axis shows Sydney time in summer and winter, stored as UTC', () => {
  expect(toAxis(fromSydney('2026-01-20', 10, 42))).toBe(Date.UTC(2026, 0, 20, 10, 42));
  expect(toAxis(fromSydney('2026-07-20', 10, 42))).toBe(Date.UTC(2026, 6, 20, 10, 42));
  expect(toAxis(fromSydney('2026-04-03', 16, 0))).toBe(Date.UTC(2026, 3, 3, 16, 0));
  expect(toAxis(fromSydney('2026-04-07', 10, 0))).toBe(Date.UTC(2026, 3, 7, 10, 0));
});

describe('the slots of bars', () => {
  test('are consecutive, without slots for minutes without trades', () => {
    const bars = barsOf(TEN, 5 * MINUTE, [1, 2, 3]);
    expect(layOut(bars, '1', [])).toEqual({
      axis: [axisAt(10, 0), axisAt(10, 5), axisAt(10, 10)],
      bar: [0, 1, 2],
    });
  });

  test('leave room for a data gap, at most thirty slots', () => {
    const bars = joinedBars(barsOf(TEN, MINUTE, [1, 2]), barsOf(TEN + 10 * MINUTE, MINUTE, [3]));
    const gap = { from: TEN + 2 * MINUTE, until: TEN + 10 * MINUTE };
    expect(layOut(bars, '1', [gap]).bar).toEqual([0, 1, -1, -1, -1, -1, -1, -1, -1, -1, 2]);
    const late = joinedBars(barsOf(TEN, MINUTE, [1]), barsOf(TEN + 300 * MINUTE, MINUTE, [3]));
    const { bar } = layOut(late, '1', [{ from: TEN + MINUTE, until: TEN + 300 * MINUTE }]);
    expect(bar.length).toBeLessThanOrEqual(32);
    expect(bar.length).toBeGreaterThan(20);
  });

  test('always ascend, and a time that is not later has none', () => {
    const bars = barsOf(TEN, MINUTE, [1, 2, 3]);
    bars.time = [TEN, TEN, TEN + MINUTE];
    expect(layOut(bars, '1', []).bar).toEqual([0, 2]);
  });

  test('include a gap at the end of the chart but not one before it', () => {
    const spans = [
      { from: TEN - 5 * MINUTE, until: TEN },
      { from: TEN + MINUTE, until: TEN + 3 * MINUTE },
    ];
    expect(layOut(barsOf(TEN, MINUTE, [1]), '1', spans).bar).toEqual([0, -1, -1]);
  });
});

describe('marks', () => {
  const bars = joinedBars(barsOf(YESTERDAY, MINUTE, [1, 2]), barsOf(TEN, 5 * MINUTE, [3, 4]));
  const slots = layOut(bars, '1', []);
  const at = (time: number) =>
    placeMarks(slots, { tf: '1', marks: [{ kind: 'announcement', time, text: 'x' }] }).map(
      ({ slot }) => slot,
    );

  test('are at the bar of their minute, otherwise at the nearest one', () => {
    expect(at(TEN + 30_000)).toEqual([2]);
    expect(at(TEN + 2 * MINUTE)).toEqual([2]);
    expect(at(TEN + 4 * MINUTE)).toEqual([3]);
    expect(at(fromSydney('2026-01-20', 8, 30))).toEqual([2]);
  });

  test('of other days have no slot', () => {
    expect(at(YESTERDAY - 24 * 3_600_000)).toEqual([]);
    expect(at(TEN + 30 * 3_600_000)).toEqual([]);
    expect(at(fromSydney('2026-01-19', 9, 0))).toEqual([0]);
  });

  test('are on their Sydney date if bars are days', () => {
    const days = barsOf(Date.UTC(2026, 0, 19), 86_400_000, [1, 2]);
    const marks = [{ kind: 'announcement' as const, time: fromSydney('2026-01-20', 8, 30), text: 'x' }];
    expect(placeMarks(layOut(days, 'D', []), { tf: 'D', marks })[0]?.slot).toBe(1);
  });
});

describe('shades and paths', () => {
  const bars = joinedBars(barsOf(TEN, MINUTE, [1, 2]), barsOf(TEN + 10 * MINUTE, MINUTE, [3]));
  const gap = { from: TEN + 2 * MINUTE, until: TEN + 10 * MINUTE };
  const slots = layOut(bars, '1', [gap]);

  test('a shade covers its own slots and no adjacent bar', () => {
    expect(placeShade(slots, gap, '1')).toEqual({ from: 1.5, to: 9.5 });
    expect(placeShade(slots, { from: TEN - 9 * MINUTE, until: TEN - MINUTE }, '1')).toBeNull();
    expect(placeShade(slots, gap, 'D')).toBeNull();
  });

  test('an average breaks at a data gap, and a stop continues', () => {
    const path = { title: '', time: bars.time, price: [1, 2, 3] };
    expect(placePath(slots, { ...path, kind: 'vwap' }, '1')).toEqual([
      { slot: 0, price: 1 },
      { slot: 1, price: 2 },
      null,
      { slot: 10, price: 3 },
    ]);
    expect(placePath(slots, { ...path, kind: 'stop' }, '1').includes(null)).toBe(false);
  });
});

describe('the first view', () => {
  test('of minutes has the newest day, with room for its first hour', () => {
    const bars = joinedBars(barsOf(YESTERDAY, MINUTE, new Array(60).fill(1)), barsOf(TEN, MINUTE, [2, 3]));
    const { axis } = layOut(bars, '1', []);
    expect(firstRange(axis, '1', 800)).toEqual({ from: 58.5, to: 105 });
  });

  test('of a long day has as much as can be distinguished', () => {
    const { axis } = layOut(barsOf(TEN, MINUTE, new Array(370).fill(1)), '1', []);
    expect(firstRange(axis, '1', 320).from).toBeCloseTo(170 - (201 * 22) / 320);
    expect(firstRange(axis, '1', 1200).from).toBeCloseTo((-371 * 22) / 1200);
  });

  test('is scaled by only the newest day until more is visible', () => {
    const bars = joinedBars(
      barsOf(YESTERDAY, MINUTE, new Array(60).fill(1)),
      barsOf(TEN, MINUTE, new Array(200).fill(0.2)),
    );
    const { axis } = layOut(bars, '1', []);
    expect(newestDay(axis)).toBe(200);
    for (const width of [320, 1200]) {
      const first = firstRange(axis, '1', width);
      expect(first.from).toBeLessThan(59);
      expect(firstScaled(axis, first, width)).toBe(60);
      // The reader scrolls back until more of the day before is visible than the label needs.
      expect(firstScaled(axis, { ...first, from: first.from - 30 }, width)).toBe(Math.ceil(first.from - 30));
    }
    // A day scrolled past its start, and one with nothing before it.
    expect(firstScaled(axis, { from: 80.2, to: 261 }, 800)).toBe(81);
    expect(firstScaled(layOut(barsOf(TEN, MINUTE, [1, 2]), '1', []).axis, { from: -1.5, to: 45 }, 800)).toBe(
      0,
    );
  });

  test('levels widen the price range while the bars keep two thirds of the height', () => {
    expect(widenRange(10, 11, [11.3, 9.8])).toEqual({ low: 9.8, high: 11.3 });
    expect(widenRange(10, 11, [11.6, 9.8])).toEqual({ low: 9.8, high: 11 });
    expect(widenRange(10, 11, [20, 10.5])).toEqual({ low: 10, high: 11 });
    expect(widenRange(10, 10, [10.01]).high).toBe(10.01);
    // An alert on the next step of a flat stock is visible.
    expect(widenRange(0.905, 0.91, [0.915])).toEqual({ low: 0.905, high: 0.915 });
    // A new call: a target 10 % away is visible, one that doubles the price is not.
    expect(widenRange(10, 10, [11, 20], 8, 0.025)).toEqual({ low: 10, high: 11 });
  });

  test('only an extended bar is redrawn, unless a slot follows it', () => {
    const before = barsOf(TEN, MINUTE, [1, 2, 3]);
    const moved = { ...before, close: [1, 2, 3.5] };
    const longer = barsOf(TEN, MINUTE, [1, 2, 3, 4]);
    const slots = layOut(before, '1', []);
    expect(redrawFrom(before, moved, slots)).toBe(2);
    expect(redrawFrom(before, longer, slots)).toBe(2);
    const halted = layOut(before, '1', [{ from: TEN + 3 * MINUTE, until: TEN + 6 * MINUTE }]);
    expect(halted.bar).toEqual([0, 1, 2, -1, -1, -1]);
    for (const after of [moved, longer, before]) expect(redrawFrom(before, after, halted)).toBe(0);
  });

  test('everything is redrawn if earlier bars or the last time changed, or a bar has no slot', () => {
    const before = barsOf(TEN, MINUTE, [1, 2, 3]);
    const slots = layOut(before, '1', []);
    expect(redrawFrom(before, { ...before, close: [1, 2.5, 3] }, slots)).toBe(0);
    const time = [...before.time.slice(0, 2), TEN + 5 * MINUTE];
    expect(redrawFrom(before, { ...before, time }, slots)).toBe(0);
    const repeated = { ...before, time: [TEN, TEN + MINUTE, TEN + MINUTE] };
    expect(redrawFrom(repeated, { ...repeated, close: [1, 2, 4] }, layOut(repeated, '1', []))).toBe(0);
    const none = barsOf(TEN, MINUTE, []);
    expect(redrawFrom(none, before, layOut(none, '1', []))).toBe(0);
  });

  test('only changed bars are drawn again', () => {
    const before = barsOf(TEN, MINUTE, [1, 2, 3]);
    const longer = barsOf(TEN, MINUTE, [1, 2, 3, 4]);
    expect(changedFrom(before, longer)).toBe(3);
    expect(changedFrom(before, { ...before, volume: [100, 100, 250] })).toBe(2);
    expect(changedFrom(before, { ...before, high: [9, 2, 3] })).toBe(0);
    expect(changedFrom(before, before)).toBe(3);
  });
});

const DAY = wholeDayOf('2026-01-20');
/** From 10:00 to 16:10, both included. */
const MINUTES = 371;
const TRADED_EVERY_OTHER = barsOf(TEN + MINUTE, 2 * MINUTE, [1, 2, 3]);

describe('a whole day on the chart', () => {
  test('has a slot for each of its minutes, traded, quiet or future', () => {
    const { axis, bar } = layOut(TRADED_EVERY_OTHER, '1', [], DAY);
    expect(axis).toHaveLength(MINUTES);
    expect(bar.slice(0, 8)).toEqual([QUIET, 0, QUIET, 1, QUIET, 2, QUIET, QUIET]);
    expect(new Date(axis.at(-1) ?? 0).toISOString()).toBe('2026-01-20T16:10:00.000Z');
    expect(axis.every((time, slot) => slot === 0 || time - (axis[slot - 1] ?? 0) === MINUTE)).toBe(true);
  });

  test('keeps the days before it, and distinguishes data gaps from quiet minutes', () => {
    const bars = joinedBars(barsOf(YESTERDAY, 5 * MINUTE, [1, 2]), barsOf(TEN, MINUTE, [3]));
    const gap = { from: TEN + 2 * MINUTE, until: TEN + 4 * MINUTE };
    const { bar } = layOut(bars, '1', [gap], DAY);
    expect(bar).toHaveLength(2 + MINUTES);
    expect(bar.slice(0, 7)).toEqual([0, 1, 2, QUIET, GAP, GAP, QUIET]);
  });

  test('draws only new bars, although slots follow', () => {
    const slots = layOut(TRADED_EVERY_OTHER, '1', [], DAY);
    expect(lastDrawn(slots)).toBe(5);
    const moved = { ...TRADED_EVERY_OTHER, close: [1, 2, 3.5] };
    expect(redrawFrom(TRADED_EVERY_OTHER, moved, slots)).toBe(5);
    const longer = joinedBars(TRADED_EVERY_OTHER, barsOf(TEN + 8 * MINUTE, MINUTE, [4]));
    expect(redrawFrom(TRADED_EVERY_OTHER, longer, slots)).toBe(5);
    expect(redrawFrom(TRADED_EVERY_OTHER, { ...longer, close: [1, 2.5, 3, 4] }, slots)).toBe(0);
  });

  test('is visible from its first minute to its last, on a phone too', () => {
    const early = joinedBars(barsOf(YESTERDAY, MINUTE, [1, 2, 3]), barsOf(TEN, MINUTE, [4, 5]));
    for (const width of [320, 1200]) {
      const { from, to } = firstRange(layOut(early, '1', [], DAY).axis, '1', width, true);
      expect(from).toBeLessThanOrEqual(3);
      expect(to).toBe(3 + MINUTES + 1);
    }
    const { to } = firstRange(layOut(early, '1', []).axis, '1', 1200);
    expect(to).toBeLessThan(60);
  });

  test('has marks at bars, and paths across minutes without trades', () => {
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
