import { describe, expect, test } from 'bun:test';
import {
  addToGroup,
  blocksOf,
  conditionsRefusal,
  type DraftCondition,
  draftOf,
  draftRefusal,
  groupCount,
  logicOf,
  moveCondition,
  moveInBlocks,
  newCondition,
  newGroup,
} from '#subjects/conditions/rules/draft.ts';
import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import { LAST, allOf, anyOf, field, is } from '#support/conditions.ts';
import { checkLogic } from '#subjects/conditions/rules/checkLogic.ts';

const whole: DraftCondition = { id: 0, ...is(LAST, '>', 1) };

describe('an incomplete draft is explained', () => {
  const cases: [Partial<DraftCondition>, string | null][] = [
    [{}, null],
    [{ lhs: null }, 'Choose what to compare.'],
    [{ rhs: null }, 'Choose what to compare with, or enter a number.'],
    [{ rhs: { type: 'number', value: Number.NaN } }, 'Enter a number.'],
    [{ rhs: { type: 'number', value: Number.POSITIVE_INFINITY } }, 'Enter a number.'],
  ];
  for (const [change, expected] of cases) {
    test(JSON.stringify(change), () =>
      expect(draftRefusal({ ...whole, ...change })?.message ?? null).toBe(expected),
    );
  }
});

test('a list can be saved only if it and all its conditions are complete', () => {
  const unfinished = { ...whole, rhs: null };
  expect(conditionsRefusal([])?.message ?? null).toBe('Add at least one condition.');
  expect(conditionsRefusal([whole, unfinished])?.message ?? null).toBe(
    'Complete the highlighted conditions.',
  );
  expect(conditionsRefusal([whole, { ...whole, id: 1 }])?.message ?? null).toBeNull();
});

test('a scan survives the editor unchanged, and the server accepts it', () => {
  const logic = logicOf([whole, { id: 7, ...is(LAST, 'crosses_below', field('open')) }]);
  expect(logicOf(draftOf(logic))).toEqual(logic);
  expect(checkLogic(builtInCatalog(), logic)).toEqual({ ok: true, value: logic });
});

test('conditions move by one and stay at the ends', () => {
  expect(moveCondition(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  expect(moveCondition(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b']);
  expect(moveCondition(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c']);
  expect(moveCondition(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'b', 'c']);
});

describe('an edited group', () => {
  const draft = (id: number, group?: number): DraftCondition => ({
    id,
    ...is(LAST, '>', id),
    ...(group === undefined ? {} : { group }),
  });
  const ids = (list: readonly DraftCondition[]) => list.map(({ id }) => id);

  test('stays the same through the editor', () => {
    const logic = allOf(anyOf(is(LAST, '>', 1), is(LAST, '>', 2)), is(LAST, '>', 3), anyOf(is(LAST, '<', 9)));
    expect(logicOf(draftOf(logic))).toEqual(logic);
  });

  test('starts with one condition, grows at its end, and disappears with its last one', () => {
    const list = [draft(0), newGroup([draft(0)])];
    expect(blocksOf(list).map(({ group }) => group)).toEqual([null, 0]);
    const more = addToGroup([...list, draft(7)], 0, newCondition([...list, draft(7)]));
    expect(ids(more)).toEqual([0, 1, 8, 7]);
    expect(blocksOf(more).map(({ conditions }) => conditions.length)).toEqual([1, 2, 1]);
    expect(groupCount(more)).toBe(1);
    expect(newGroup(more).group).toBe(1);
    expect(groupCount(more.filter(({ group }) => group === undefined))).toBe(0);
  });

  test('keeps moved conditions inside, and is passed as a whole', () => {
    const list = [draft(0), draft(1, 0), draft(2, 0), draft(3)];
    expect(ids(moveInBlocks(list, 0, 1))).toEqual([1, 2, 0, 3]);
    expect(ids(moveInBlocks(list, 2, -1))).toEqual([0, 2, 1, 3]);
    expect(ids(moveInBlocks(list, 1, -1))).toEqual([0, 1, 2, 3]);
    expect(ids(moveInBlocks(list, 3, 1))).toEqual([0, 1, 2, 3]);
    expect(ids(moveInBlocks(list, 9, 1))).toEqual([0, 1, 2, 3]);
  });
});
