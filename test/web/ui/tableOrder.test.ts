import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { HeldOrder, type OrderInput, RESORT_MS, WAIT_MS } from '../../../web/ui/table/heldOrder.ts';
import { KeptSort } from '../../../web/ui/table/keptSort.ts';
import { sortRows } from '../../support/sortRows.ts';

type Line = { id: string; key: number | null };
const line = (id: string, key: number | null): Line => ({ id, key });
const rowId = (row: Line) => row.id;
const read = (row: Line) => row.key;
const NONE: ReadonlySet<string> = new Set();
const ids = (rows: readonly Line[]) => rows.map(rowId).join('');

const lines = fc.uniqueArray(
  fc.record({
    id: fc.string({ minLength: 1, maxLength: 3 }),
    key: fc.option(fc.integer({ min: -3, max: 3 })),
  }),
  { selector: rowId, maxLength: 40 },
);

describe('sorting', () => {
  test('goes by the value, ties by id, whichever way', () => {
    const rows = [line('c', 1), line('a', 1), line('b', 2)];
    expect(ids(sortRows(rows, rowId, { read, desc: true }))).toBe('bac');
    expect(ids(sortRows(rows, rowId, { read, desc: false }))).toBe('acb');
    expect(ids(sortRows(rows, rowId, null))).toBe('abc');
  });

  test('keeps missing values last and depends on nothing but the rows', () => {
    fc.assert(
      fc.property(lines, fc.boolean(), (rows, desc) => {
        const sorted = sortRows(rows, rowId, { read, desc });
        const firstMissing = sorted.findIndex(({ key }) => key === null);
        const tail = firstMissing < 0 ? [] : sorted.slice(firstMissing);
        expect(tail.every(({ key }) => key === null)).toBe(true);
        const known = sorted.flatMap(({ key }) => (key === null ? [] : [key]));
        expect(known).toEqual([...known].sort((a, b) => (desc ? b - a : a - b)));
        expect(sortRows([...rows].reverse(), rowId, { read, desc })).toEqual(sorted);
      }),
    );
  });

  test('orders texts as text', () => {
    const rows = [{ id: '1' }, { id: '2' }, { id: '3' }];
    const names: Record<string, string> = { 1: 'b', 2: 'c', 3: 'a' };
    const sorted = sortRows(rows, (row) => row.id, { read: (row) => names[row.id] ?? null, desc: false });
    expect(sorted.map(({ id }) => id).join('')).toBe('312');
  });
});

describe('sorting again', () => {
  const byOther = (row: Line) => (row.key === null ? null : row.key % 2);

  test('gives what a whole sort gives, whatever changed, came, went or was sorted by', () => {
    const step = fc.record({ rows: lines, desc: fc.boolean(), isOther: fc.boolean(), keeps: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const kept = new KeptSort<Line>();
        let before: readonly Line[] = [];
        for (const { rows, desc, isOther, keeps } of steps) {
          // Half of the rows as they were: identical objects, as of a tick.
          const same = keeps ? before.filter((_, index) => index % 2 === 0) : [];
          const now = [...same, ...rows.filter(({ id }) => same.every((row) => row.id !== id))];
          const by = { read: isOther ? byOther : read, desc };
          expect(kept.sort(now, rowId, by)).toEqual(sortRows(now, rowId, by));
          before = now;
        }
      }),
    );
  });

  test('reads no key of a row that is the identical object', () => {
    const kept = new KeptSort<Line>();
    const asked: string[] = [];
    const noting = (row: Line) => {
      asked.push(row.id);
      return row.key;
    };
    const [a, b, c] = [line('a', 3), line('b', 2), line('c', 1)];
    kept.sort([a, b, c], rowId, { read: noting, desc: true });
    asked.length = 0;
    expect(ids(kept.sort([a, line('b', 5), c], rowId, { read: noting, desc: true }))).toBe('bac');
    expect(asked).toEqual(['b']);
  });
});

describe('the held order', () => {
  const start = (change: Partial<OrderInput<Line>> = {}): OrderInput<Line> => ({
    rows: [line('a', 3), line('b', 2), line('c', 1)],
    rowId,
    by: { read, desc: true },
    isHeld: false,
    openIds: NONE,
    resetKey: '',
    epoch: '',
    now: 10_000,
    ...change,
  });
  const swapped = [line('a', 1), line('b', 2), line('c', 3)];

  test('moves values at once and rows at most once in its time', () => {
    const order = new HeldOrder<Line>();
    order.next(start());
    const soon = order.next(start({ rows: swapped, now: 10_100 }));
    expect(ids(soon.rows)).toBe('abc');
    expect(soon.rows[0]?.key).toBe(1);
    expect(soon.dueIn).toBe(WAIT_MS);
    const later = order.next(start({ rows: swapped, now: 10_000 + RESORT_MS }));
    expect(ids(later.rows)).toBe('cba');
    expect(later.dueIn).toBeNull();
  });

  test('a tick of one a second carries the order of one that came too early', () => {
    const order = new HeldOrder<Line>();
    order.next(start());
    const early = order.next(start({ rows: swapped, now: 10_300 }));
    expect(ids(early.rows)).toBe('abc');
    expect(10_300 + (early.dueIn ?? 0)).toBeGreaterThan(11_320);
    const next = order.next(start({ rows: [...swapped], now: 11_320 }));
    expect([ids(next.rows), next.ids.join(''), next.dueIn]).toEqual(['cba', 'cba', null]);
  });

  test('sorts the same whatever stood before', () => {
    fc.assert(
      fc.property(lines, lines, fc.boolean(), (before, after, desc) => {
        const order = new HeldOrder<Line>();
        order.next(start({ rows: before, by: { read, desc } }));
        const { rows, ids: shown } = order.next(start({ rows: after, by: { read, desc }, now: 99_000 }));
        expect(rows).toEqual(sortRows(after, rowId, { read, desc }));
        expect(shown).toEqual(rows.map(rowId));
      }),
    );
  });

  test('never moves rows while held, then does at once', () => {
    const order = new HeldOrder<Line>();
    order.next(start());
    const held = order.next(start({ rows: swapped, isHeld: true, now: 99_000 }));
    expect(ids(held.rows)).toBe('abc');
    expect(held.dueIn).toBeNull();
    expect(ids(order.next(start({ rows: swapped, now: 99_001 })).rows)).toBe('cba');
  });

  test('keeps rows that left, in their newest state, and lets new ones wait', () => {
    const order = new HeldOrder<Line>();
    order.next(start());
    const rows = [line('a', 3), line('c', 1), line('d', 9)];
    const held = order.next(
      start({ rows, isHeld: true, now: 20_000, lookup: (id) => (id === 'b' ? line('b', -5) : undefined) }),
    );
    expect(ids(held.rows)).toBe('abc');
    expect(held.rows[1]?.key).toBe(-5);
    expect([...held.leftIds]).toEqual(['b']);
    const resorted = order.next(start({ rows, now: 99_000 }));
    expect(ids(resorted.rows)).toBe('dac');
    expect(resorted.leftIds.size).toBe(0);
  });

  test('keeps the last state of a row that is gone altogether', () => {
    const order = new HeldOrder<Line>();
    order.next(start());
    const held = order.next(
      start({ rows: [line('a', 3)], isHeld: true, now: 20_000, lookup: () => undefined }),
    );
    expect(held.rows.map(({ key }) => key)).toEqual([3, 2, 1]);
  });

  test("obeys the user's own sorting and filtering even while held", () => {
    const order = new HeldOrder<Line>();
    order.next(start());
    const reversed = order.next(
      start({ isHeld: true, now: 20_000, resetKey: 'asc', by: { read, desc: false } }),
    );
    expect(ids(reversed.rows)).toBe('cba');
  });

  test('shows the first rows at once, held or not', () => {
    const order = new HeldOrder<Line>();
    expect(order.next(start({ rows: [] })).rows).toEqual([]);
    expect(ids(order.next(start({ isHeld: true })).rows)).toBe('abc');
  });

  test('gives the same array while nothing changed', () => {
    const order = new HeldOrder<Line>();
    const input = start({ rows: swapped });
    order.next(start());
    const once = order.next({ ...input, isHeld: true });
    expect(order.next({ ...input, isHeld: true, now: 50_000 }).rows).toBe(once.rows);
  });
});
