import { describe, expect, jest, test } from 'bun:test';
import { act, fireEvent, render, within } from '@testing-library/react';
import fc from 'fast-check';
import { linePlaces, linesInSight, linesToDraw } from '#ui/table/useRowWindow.ts';
import { createRowItems } from '#ui/table/rowItems.ts';
import { shareWidth } from '#ui/table/columnLayout.ts';
import { aStock } from '#support/aStock.ts';
import { layOutEachTest } from '#support/layout.ts';
import { THREE_STOCKS, codes, header, row, screenOf } from '#support/scannerScreen.tsx';
import { tintedCells } from '#support/tints.ts';

layOutEachTest();

const TITLE = 'Top Movers under $1';
const two = THREE_STOCKS.slice(0, 2);
const rising = [aStock({ ...THREE_STOCKS[0], last: 0.9, change: 0.4 }), ...two.slice(1)];
/** In px, from the position of the second line. */
const heightOfLine = (): number =>
  Number(
    /translateY\((\d+)px\)/.exec(
      document.querySelectorAll<HTMLElement>('tr[data-id]')[1]?.style.transform ?? '',
    )?.[1],
  );
/** Another scope sorts again immediately, even while the keyboard is in the rows. */
const show = (stocks: typeof two, scope: string) => screenOf('intraDaySmall', stocks, { scope });

test('visible lines are rendered first, those within scrolling reach after the paint', () => {
  jest.useFakeTimers();
  const before = window.innerHeight;
  window.innerHeight = 200;
  try {
    const many = Array.from({ length: 60 }, (_, index) => aStock({ ...two[0], code: `A${index}` }));
    render(show(many, ''));
    const first = codes(TITLE).length;
    expect(first).toBeGreaterThan(2);
    expect(first * heightOfLine()).toBeLessThan(200 + heightOfLine());
    act(() => void jest.advanceTimersByTime(500));
    expect(codes(TITLE).length * heightOfLine()).toBeGreaterThan(840);
  } finally {
    window.innerHeight = before;
    jest.useRealTimers();
  }
});

describe('lines that change rows when sorted again', () => {
  test('pass a tint to the line that has its row now', () => {
    const view = render(show(two, ''));
    // Queried before, because on a busy machine the tint may fade during the query.
    const byName = within(header('Name')).getByRole('button');
    view.rerender(show([aStock({ ...THREE_STOCKS[0], last: 0.53 }), ...two.slice(1)], ''));
    const tinted = () => tintedCells().map((cell) => cell.closest<HTMLElement>('tr'));
    const before = row('AAA');
    expect(new Set(tinted())).toEqual(new Set([before]));
    fireEvent.click(byName);
    expect(new Set(tinted())).toEqual(new Set([row('AAA')]));
    expect(row('AAA')).not.toBe(before);
    expect(codes(TITLE)).toEqual(['AAA', 'BBB']);
  });

  test('appear for rows that come to an empty table', () => {
    const view = render(show([], ''));
    view.rerender(show(two, ''));
    expect(codes(TITLE)).toEqual(['BBB', 'AAA']);
  });

  test('move the focus with its row, to the same control', () => {
    const view = render(show(two, ''));
    const expander = (code: string) => within(row(code)).getByRole('button', { name: `News for ${code}` });
    act(() => expander('AAA').focus());
    view.rerender(show(rising, 'again'));
    expect(codes(TITLE)).toEqual(['AAA', 'BBB']);
    expect(document.activeElement).toBe(expander('AAA'));
    act(() => row('BBB').focus());
    view.rerender(show(two, 'once more'));
    expect(codes(TITLE)).toEqual(['BBB', 'AAA']);
    expect(document.activeElement).toBe(row('BBB'));
  });

  test('drop the focus if its row is gone', () => {
    const view = render(show(two, ''));
    act(() => row('BBB').focus());
    view.rerender(show(two.slice(0, 1), 'again'));
    expect(codes(TITLE)).toEqual(['AAA']);
    expect(document.activeElement).toBe(document.body);
  });
});

describe('the positions of lines', () => {
  const ROW = 28;
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `S${index}`);
  const places = (count: number, panels: Record<string, number> = {}) =>
    linePlaces(createRowItems()(ids(count), new Set(Object.keys(panels))), ROW, (id) => panels[id] ?? 0);

  describe('positions', () => {
    test('what follows a panel is below it', () => {
      const open = places(5, { S1: 300 });
      expect([0, 1, 2, 3, 4, 5].map(open.startOf)).toEqual([0, 28, 56, 356, 384, 412]);
      expect(open.height).toBe(5 * ROW + 300);
      expect([55, 56, 355, 356, 384].map(open.lineAt)).toEqual([1, 2, 2, 3, 4]);
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

  describe('rendered lines', () => {
    const drawn = (top: number, height: number, kept = -1) =>
      linesToDraw(places(100), linesInSight(places(100), { top, height }), 4, kept);

    test('are those in sight and some beyond each edge', () => {
      expect(drawn(10 * ROW, 3 * ROW)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
      // Part of a line is in sight too.
      expect(drawn(10 * ROW + 1, 3 * ROW).at(-1)).toBe(17);
    });

    test('are no more than exist', () => {
      expect(drawn(-30, 2 * ROW)[0]).toBe(0);
      expect(drawn(99 * ROW, 800).at(-1)).toBe(99);
      expect(linesToDraw(places(0), linesInSight(places(0), { top: 0, height: 800 }), 4, -1)).toEqual([]);
    });

    test('include one extra line at its position, once', () => {
      expect(drawn(50 * ROW, ROW, 3)).toEqual([3, 46, 47, 48, 49, 50, 51, 52, 53, 54]);
      expect(drawn(50 * ROW, ROW, 80).at(-1)).toBe(80);
      expect(drawn(50 * ROW, ROW, 50)).toHaveLength(9);
      expect(drawn(50 * ROW, ROW, 100)).toHaveLength(9);
    });

    test('are none in a hidden table', () => {
      expect(drawn(0, 0, 5)).toEqual([]);
    });
  });
});

test('column widths stay between their limits, and do not overflow if there is room', () => {
  const columns = fc.array(
    fc.record({ width: fc.integer({ min: 20, max: 300 }), more: fc.integer({ min: 0, max: 200 }) }),
    { minLength: 1, maxLength: 15 },
  );

  fc.assert(
    fc.property(columns, fc.integer({ min: 0, max: 4000 }), (list, available) => {
      const wanted = list.map(({ width, more }) => ({ width, maxWidth: width + more }));
      const shared = shareWidth(wanted, available);
      shared.forEach((width, index) => {
        expect(width).toBeGreaterThanOrEqual(wanted[index]?.width ?? 0);
        expect(width).toBeLessThanOrEqual(wanted[index]?.maxWidth ?? 0);
      });
      const least = wanted.reduce((sum, { width }) => sum + width, 0);
      const total = shared.reduce((sum, width) => sum + width, 0);
      expect(total).toBeLessThanOrEqual(Math.max(least, available));
    }),
  );
});
