import fc from 'fast-check';
import { describe, expect, test } from 'bun:test';
import {
  areSorted,
  compareKeyed,
  HeldOrder,
  KeptSort,
  keyOf,
  LEFT_MS,
  NEAR_ROWS,
  type OrderInput,
  RESORT_MS,
  SETTLE_MS,
  type SortBy,
  WAIT_MS,
} from '#ui/table/heldOrder.ts';

/** Sorts all rows in display order, whatever was sorted before. */
function sortRows<Row>(rows: readonly Row[], rowId: (row: Row) => string, by: SortBy<Row> | null): Row[] {
  const keyed = rows.map((row) => ({ key: keyOf(row, by), id: rowId(row), row }));
  return keyed.sort(compareKeyed(by?.desc ?? false)).map(({ row }) => row);
}

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
  test('uses the value, then the id for ties, in both directions', () => {
    const rows = [line('c', 1), line('a', 1), line('b', 2)];
    expect(ids(sortRows(rows, rowId, { read, desc: true }))).toBe('bac');
    expect(ids(sortRows(rows, rowId, { read, desc: false }))).toBe('acb');
    expect(ids(sortRows(rows, rowId, null))).toBe('abc');
  });

  test('keeps missing values last and depends only on the rows', () => {
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
});

test('sorting again gives the result of a full sort after any change of rows or column', () => {
  const byOther = (row: Line) => (row.key === null ? null : row.key % 2);

  const step = fc.record({ rows: lines, desc: fc.boolean(), isOther: fc.boolean(), keeps: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const kept = new KeptSort<Line>();
      let before: readonly Line[] = [];
      for (const { rows, desc, isOther, keeps } of steps) {
        // Half of the rows unchanged: identical objects, as after a tick.
        const same = keeps ? before.filter((_, index) => index % 2 === 0) : [];
        const now = [...same, ...rows.filter(({ id }) => same.every((row) => row.id !== id))];
        const by = { read: isOther ? byOther : read, desc };
        expect(kept.sort(now, rowId, by)).toEqual(sortRows(now, rowId, by));
        before = now;
      }
    }),
  );
});

describe('a held order', () => {
  const by = { read, desc: true };

  /** Rows with these ids, ranked in this order. */
  const ranked = (...ids: string[]): Line[] => ids.map((id, place) => ({ id, key: ids.length - place }));
  const letters = (from: string, count: number) =>
    Array.from({ length: count }, (_, index) => String.fromCharCode(from.charCodeAt(0) + index));
  const many = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(4, '0')}`);

  /** A table that was first drawn at 0 ms. */
  function table(first: readonly Line[]) {
    const order = new HeldOrder<Line>();
    let last: OrderInput<Line> = {
      rows: first,
      rowId,
      by,
      isHeld: false,
      openIds: NONE,
      resetKey: '',
      epoch: '',
      now: 0,
    };
    order.next(last);
    return {
      /** The result after a change; without one, at a later time. */
      at: (now: number, change: Partial<OrderInput<Line>> = {}) => {
        last = { ...last, ...change, now };
        const { rows, leftIds, paused, dueIn } = order.next(last);
        return { ids: rows.map(rowId).join(''), left: [...leftIds].join(''), paused, dueIn, rows };
      },
      resume: () => order.resume(),
    };
  }

  const LATER = 60_000;

  test('shows values at once and moves rows at most once per interval', () => {
    const order = table(ranked('a', 'b', 'c'));
    const soon = order.at(100, { rows: ranked('c', 'b', 'a') });
    expect([soon.ids, soon.rows[0]?.key, soon.dueIn]).toEqual(['abc', 1, WAIT_MS]);
    const later = order.at(RESORT_MS);
    expect([later.ids, later.dueIn]).toEqual(['cba', null]);
  });

  test('leaves an early change to the next tick when ticks are a second apart', () => {
    const order = table(ranked('a', 'b', 'c'));
    const early = order.at(300, { rows: ranked('c', 'b', 'a') });
    expect(early.ids).toBe('abc');
    expect(300 + (early.dueIn ?? 0)).toBeGreaterThan(1320);
    const next = order.at(1320, { rows: ranked('c', 'b', 'a') });
    expect([next.ids, next.dueIn]).toEqual(['cba', null]);
  });

  test('equals a full sort, whatever the order before', () => {
    fc.assert(
      fc.property(lines, lines, fc.boolean(), (before, after, desc) => {
        const order = new HeldOrder<Line>();
        const by = { read, desc };
        const start = { by, rowId, isHeld: false, openIds: NONE, resetKey: '', epoch: '' };
        order.next({ ...start, rows: before, now: 0 });
        const { rows, ids: shown } = order.next({ ...start, rows: after, now: 99_000 });
        expect(rows).toEqual(sortRows(after, rowId, by));
        expect(shown).toEqual(rows.map(rowId));
      }),
    );
  });

  describe('a hold', () => {
    test('counts the waiting rows, and shows nothing while all rows are in their place', () => {
      const held = table(ranked('a', 'b', 'c'));
      expect(held.at(LATER, { isHeld: true }).paused).toBeNull();
      expect(held.at(LATER + 1, { rows: ranked('a', 'b', 'c') }).paused).toBeNull();
      const behind = held.at(LATER + 2, { rows: ranked('a', 'n', 'b', 'm', 'c') });
      expect([behind.ids, behind.paused]).toEqual(['abc', { newRows: 2, isNearOpenRow: false }]);
      expect(held.at(LATER + 3, { rows: ranked('a', 'n', 'b', 'c') }).paused?.newRows).toBe(1);
    });

    test('ends immediately when resumed, and starts again with the next rows', () => {
      const held = table(ranked('a', 'b'));
      held.at(LATER, { isHeld: true, rows: ranked('n', 'b', 'a') });
      held.resume();
      const resumed = held.at(LATER + 1);
      expect([resumed.ids, resumed.paused]).toEqual(['nba', null]);
      expect(held.at(LATER + 1000, { rows: ranked('a', 'b', 'n') }).ids).toBe('nba');
    });
  });

  describe('rows that left', () => {
    test('show their newest values', () => {
      const held = table(ranked('a', 'b', 'c'));
      const lookup = (id: string) => (id === 'b' ? line('b', -5) : undefined);
      const { ids, left, rows } = held.at(LATER, { isHeld: true, rows: ranked('d', 'a', 'c'), lookup });
      expect([ids, left, rows[1]?.key]).toEqual(['abc', 'b', -5]);
    });

    test('are marked and removed after ten seconds, held or not, and nothing else moves', () => {
      const held = table(ranked('a', 'b', 'c', 'd'));
      const rows = ranked('d', 'c', 'a');
      const first = held.at(LATER, { isHeld: true, rows });
      expect([first.ids, first.left, first.dueIn]).toEqual(['abcd', 'b', LEFT_MS]);
      const before = held.at(LATER + LEFT_MS - 1);
      expect([before.ids, before.left, before.dueIn]).toEqual(['abcd', 'b', 1]);
      const after = held.at(LATER + LEFT_MS);
      expect([after.ids, after.left, after.dueIn]).toEqual(['acd', '', null]);
    });

    test('are removed immediately if the table says so, except open ones', () => {
      const held = table(ranked('a', 'b', 'c', 'd'));
      const openIds = new Set(['c']);
      const rows = ranked('d', 'a');
      const first = held.at(LATER, { isHeld: true, leavesAtOnce: true, openIds, rows });
      expect([first.ids, first.left, first.dueIn]).toEqual(['acd', 'c', null]);
      expect(held.at(LATER + 1, { openIds: NONE }).ids).toBe('ad');
    });

    test('stay if they return in time', () => {
      const held = table(ranked('a', 'b'));
      held.at(LATER, { isHeld: true, rows: ranked('a') });
      expect(held.at(LATER + 5000, { rows: ranked('a', 'b') }).left).toBe('');
      held.at(LATER + 9000, { rows: ranked('a') });
      expect(held.at(LATER + LEFT_MS + 1).ids).toBe('ab');
    });
  });

  describe('nothing is held', () => {
    const isHeld = true;
    test('when the first rows arrive, and for three seconds after', () => {
      const order = table([]);
      expect(order.at(1000, { isHeld, rows: ranked('a', 'b') }).ids).toBe('ab');
      expect(order.at(1000 + SETTLE_MS - 1, { rows: ranked('b', 'a') }).ids).toBe('ba');
      expect(order.at(1000 + SETTLE_MS + 900, { rows: ranked('a', 'b') }).ids).toBe('ba');
    });

    test('in another epoch, at once and for three seconds after', () => {
      const order = table(ranked('a', 'b'));
      expect(order.at(LATER, { isHeld, epoch: 'open', rows: ranked('b', 'a') }).ids).toBe('ba');
      expect(order.at(LATER + SETTLE_MS - 1, { rows: ranked('a', 'b') }).ids).toBe('ab');
      expect(order.at(LATER + 2 * SETTLE_MS, { rows: ranked('b', 'a') }).ids).toBe('ab');
    });

    test('when the user sorts or filters, only for that moment', () => {
      const order = table(ranked('a', 'b'));
      expect(order.at(LATER, { isHeld, resetKey: 'x', rows: ranked('b', 'a') }).ids).toBe('ba');
      expect(order.at(LATER + 1000, { rows: ranked('a', 'b') }).ids).toBe('ba');
    });

    test('when more rows arrive than the table shows, so no heading counts only part of its rows', () => {
      const order = table(ranked(...many('a', 151)));
      const whole = order.at(LATER, { isHeld, rows: ranked(...many('a', 151), ...many('b', 510)) });
      expect([whole.rows.length, whole.paused]).toEqual([661, null]);
    });

    test('when most rows leave, even while others arrive, so no rows of dashes stay', () => {
      const order = table(ranked(...many('a', 100)));
      const rows = ranked(...many('a', 49), ...many('b', 20));
      expect(order.at(LATER, { isHeld, rows }).rows.length).toBe(69);
      expect(order.at(LATER + 1, { rows: [] }).rows.length).toBe(0);
    });

    test('but a small table holds its few rows even if most of them leave', () => {
      const order = table(ranked('a', 'b', 'c'));
      expect(order.at(LATER, { isHeld, rows: ranked('c') }).ids).toBe('abc');
    });
  });

  describe('near an open row', () => {
    const all = letters('a', 20);
    const openIds = new Set(['j']);

    test('rows keep their places, and the others are sorted around them', () => {
      const order = table(ranked(...all));
      const { ids, paused } = order.at(LATER, { openIds, rows: ranked(...all.toReversed()) });
      // j and three rows on either side keep their places; the others are reversed.
      expect(ids).toBe('tsrqpoghijklmnfedcba');
      expect(paused).toEqual({ newRows: 0, isNearOpenRow: true });
    });

    test('a row that leaves is marked and replaced ten seconds later, the open one stays until closed', () => {
      const order = table(ranked(...all));
      const rows = ranked(...all.filter((id) => id !== 'h'));
      const marked = order.at(LATER, { openIds, rows });
      expect([marked.ids, marked.left]).toEqual([all.join(''), 'h']);
      expect(order.at(LATER + LEFT_MS).ids.indexOf('j')).toBe(all.indexOf('j'));
      expect(order.at(LATER + LEFT_MS).left).toBe('');
      expect(order.at(2 * LATER, { rows: rows.filter(({ id }) => id !== 'j') }).left).toBe('j');
      const kept = order.at(2 * LATER + LEFT_MS);
      expect([kept.ids.includes('j'), kept.left, kept.dueIn]).toEqual([true, 'j', null]);
      expect(order.at(3 * LATER + LEFT_MS, { openIds: NONE }).ids).not.toContain('j');
    });

    test('a resume moves the open row to its place, and keeps it there', () => {
      const order = table(ranked(...all));
      order.at(LATER, { openIds, rows: ranked('j', ...all.filter((id) => id !== 'j')) });
      order.resume();
      const resumed = order.at(LATER + 1);
      expect([resumed.ids[0], resumed.paused]).toEqual(['j', null]);
      expect(order.at(LATER + 1001, { rows: ranked(...all) }).ids[0]).toBe('j');
    });

    test('every row is shown exactly once, and open ones keep their places, whatever happens', () => {
      const id = fc.integer({ min: 0, max: 40 }).map((number) => `r${String(number).padStart(2, '0')}`);
      const set = fc.uniqueArray(id, { minLength: 20, maxLength: 41 });
      fc.assert(
        fc.property(set, set, fc.subarray(['r05', 'r06', 'r30']), (before, after, open) => {
          const order = table(ranked(...before));
          const opened = new Set(open.filter((one) => before.includes(one) && after.includes(one)));
          const old = order.at(LATER, { openIds: opened });
          const shown = order.at(2 * LATER, { rows: ranked(...after) });
          const ids = shown.rows.map(rowId);
          const places = old.rows.map(rowId);
          // Fewer rows than the lowest fixed row needs above it: all of them move up.
          const lowest = Math.max(...[...opened].map((one) => places.indexOf(one) + NEAR_ROWS));
          const stays = Math.min(lowest, places.length - 1) < after.length ? opened : [];
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids).toEqual(expect.arrayContaining(after));
          for (const one of stays) expect(ids.indexOf(one)).toBe(places.indexOf(one));
          if (opened.size === 0) expect(shown.rows).toEqual(sortRows(ranked(...after), rowId, by));
        }),
      );
    });
  });

  test('rows count as sorted exactly if sorting them changes nothing', () => {
    const keys = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 6 });
    fc.assert(
      fc.property(keys, fc.boolean(), (list, desc) => {
        const rows = list.map((key, index) => ({ id: String(index), key }));
        const asked = { ...by, desc };
        const sorted = sortRows(rows, rowId, asked);
        expect(areSorted(sorted, rowId, asked)).toBe(true);
        expect(areSorted(rows, rowId, asked)).toBe(rows.every((row, index) => row === sorted[index]));
      }),
    );
  });
});
