import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { linePlaces, linesInSight, linesToDraw } from '../../../web/ui/table/linePlaces.ts';
import { createRowItems } from '../../../web/ui/table/rowItems.ts';

const ROW = 28;
const ids = (count: number) => Array.from({ length: count }, (_, index) => `S${index}`);
const places = (count: number, panels: Record<string, number> = {}) =>
  linePlaces(createRowItems()(ids(count), new Set(Object.keys(panels))), ROW, (id) => panels[id] ?? 0);

describe('where lines stand', () => {
  test('rows follow each other at their height', () => {
    const plain = places(700);
    expect(plain.height).toBe(700 * ROW);
    expect([0, 1, 699].map(plain.startOf)).toEqual([0, ROW, 699 * ROW]);
    expect([0, ROW - 1, ROW, 699 * ROW + 3].map(plain.lineAt)).toEqual([0, 0, 1, 699]);
  });

  test('what follows a panel stands below it', () => {
    const open = places(5, { S1: 300 });
    expect([0, 1, 2, 3, 4, 5].map(open.startOf)).toEqual([0, 28, 56, 356, 384, 412]);
    expect(open.height).toBe(5 * ROW + 300);
    expect([55, 56, 355, 356, 384].map(open.lineAt)).toEqual([1, 2, 2, 3, 4]);
  });

  test('beyond the ends stand the first and the last line', () => {
    const open = places(3, { S2: 100 });
    expect([-40, 10_000].map(open.lineAt)).toEqual([0, 3]);
  });

  test('a height belongs to the line that covers it, wherever panels are open', () => {
    const panels = fc.dictionary(
      fc.nat(39).map((index) => `S${index}`),
      fc.integer({ min: 1, max: 900 }),
    );
    fc.assert(
      fc.property(panels, fc.nat(4000), (open, y) => {
        const all = places(40, open);
        const line = all.lineAt(y);
        const isLast = line === all.count - 1;
        expect(all.startOf(line)).toBeLessThanOrEqual(y);
        if (!isLast) expect(all.startOf(line + 1)).toBeGreaterThan(y);
        expect(all.startOf(all.count)).toBe(all.height);
      }),
    );
  });
});

describe('which lines are drawn', () => {
  const drawn = (top: number, height: number, kept = -1) =>
    linesToDraw(places(100), linesInSight(places(100), { top, height }), 4, kept);

  test('those in sight and some beyond each edge', () => {
    expect(drawn(10 * ROW, 3 * ROW)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    // Part of a line is in sight too.
    expect(drawn(10 * ROW + 1, 3 * ROW).at(-1)).toBe(17);
  });

  test('no more than there are', () => {
    expect(drawn(-30, 2 * ROW)[0]).toBe(0);
    expect(drawn(99 * ROW, 800).at(-1)).toBe(99);
    expect(linesToDraw(places(0), linesInSight(places(0), { top: 0, height: 800 }), 4, -1)).toEqual([]);
  });

  test('one more where it stands, once', () => {
    expect(drawn(50 * ROW, ROW, 3)).toEqual([3, 46, 47, 48, 49, 50, 51, 52, 53, 54]);
    expect(drawn(50 * ROW, ROW, 80).at(-1)).toBe(80);
    expect(drawn(50 * ROW, ROW, 50)).toHaveLength(9);
    expect(drawn(50 * ROW, ROW, 100)).toHaveLength(9);
  });

  test('none in a table that is not shown', () => {
    expect(drawn(0, 0, 5)).toEqual([]);
  });
});
