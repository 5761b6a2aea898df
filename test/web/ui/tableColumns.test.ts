import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { renderHook } from '@testing-library/react';
import { shareWidth } from '../../../web/ui/table/columnLayout.ts';
import type { TableColumn } from '../../../web/ui/table/types.ts';
import { useTableModel } from '../../../web/ui/table/useTableModel.ts';

describe('column widths', () => {
  const columns = fc.array(
    fc.record({ width: fc.integer({ min: 20, max: 300 }), more: fc.integer({ min: 0, max: 200 }) }),
    { minLength: 1, maxLength: 15 },
  );
  test('never fall below the least, exceed the most, or overflow where there is room', () => {
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
});

describe('the layout of columns', () => {
  const layoutOf = (columns: readonly TableColumn<object>[], expanderWidth: number | null, width: number) =>
    renderHook(() =>
      useTableModel({
        columns,
        data: [],
        rowId: () => '',
        sort: null,
        onSort: () => undefined,
        expanderWidth,
        width,
      }),
    ).result.current.layout;
  const column = (id: string, width: number, pinned = false): TableColumn<object> => ({
    id,
    label: id,
    numeric: true,
    width,
    maxWidth: width,
    read: () => null,
    text: () => '',
    pinned,
  });
  const columns = [
    column('last', 80),
    column('name', 200, true),
    column('open', 60),
    column('move', 70, true),
  ];
  const styles = (available: number, expander: number | null) =>
    layoutOf(columns, expander, available).shown.map(({ column: { id }, style }) => ({ id, ...style }));

  test('puts the pinned ones first, each group in its own order', () => {
    expect(styles(1000, null)).toEqual([
      { id: 'name', width: 200 },
      { id: 'move', width: 70 },
      { id: 'last', width: 80 },
      { id: 'open', width: 60 },
    ]);
  });

  test('gives the pinned ones their place, and an edge after the last, where there is something to scroll', () => {
    const { expander, width, isWide } = layoutOf(columns, 28, 300);
    expect({ expander, width, isWide }).toEqual({
      expander: { width: 28, left: 0 },
      width: 438,
      isWide: true,
    });
    const [name, move, last] = styles(300, 28);
    expect(name).toEqual({ id: 'name', width: 200, left: 28 });
    expect(move).toMatchObject({ id: 'move', width: 70, left: 228, boxShadow: expect.any(String) });
    expect(last).toEqual({ id: 'last', width: 80 });
  });

  test('leaves the expander out of what is shared', () => {
    const wide = columns.map((each) => ({ ...each, maxWidth: 500 }));
    const sum = (expander: number | null) =>
      layoutOf(wide, expander, 800).shown.reduce((total, { style }) => total + style.width, 0);
    expect(sum(null)).toBeGreaterThan(795);
    expect(sum(40)).toBeLessThanOrEqual(760);
    expect(layoutOf(wide, 40, 800)).toMatchObject({ expander: { width: 40 }, isWide: false });
  });
});
