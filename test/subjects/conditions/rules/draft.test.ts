import { describe, expect, test } from 'bun:test';
import {
  conditionsRefusal,
  type DraftCondition,
  draftOf,
  draftRefusal,
  listRefusal,
  logicOf,
  moveCondition,
  newCondition,
  OPERATOR_LABELS,
} from '../../../../src/subjects/conditions/rules/draft.ts';
import { builtInCatalog } from '../../../../src/market/indicators/rules/builtInCatalog.ts';
import { checkLogic } from '../../../../src/subjects/conditions/rules/checkLogic.ts';
import { MAX_CONDITIONS, OPERATORS } from '../../../../src/subjects/conditions/rules/condition.ts';

const last = { type: 'field', key: 'last' } as const;
const whole: DraftCondition = { id: 0, lhs: last, op: '>', rhs: { type: 'number', value: 1 } };

test('every comparison is offered, and no other', () => {
  expect(OPERATOR_LABELS.map(({ id }) => id)).toEqual([...OPERATORS]);
});

describe('what is missing is said', () => {
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

  test('of the list', () => {
    expect(listRefusal([])?.message).toBe('Add at least one condition.');
    expect(listRefusal([whole])).toBeNull();
    expect(listRefusal(Array.from({ length: MAX_CONDITIONS + 1 }, () => whole))?.message).toContain(
      'at most',
    );
  });
});

test('a list can be saved only when it is whole and all its conditions are', () => {
  const unfinished = { ...whole, rhs: null };
  expect(conditionsRefusal([])?.message ?? null).toBe('Add at least one condition.');
  expect(conditionsRefusal([whole, unfinished])?.message ?? null).toBe('Complete the marked conditions.');
  expect(conditionsRefusal([whole, { ...whole, id: 1 }])?.message ?? null).toBeNull();
});

test('a new condition is unfinished and has an id that the list has not', () => {
  expect(newCondition([]).id).toBe(0);
  const added = newCondition([{ ...whole, id: 4 }, whole]);
  expect(added.id).toBe(5);
  expect(draftRefusal(added)?.message).toBe('Choose what to compare with, or enter a number.');
});

test('a scan goes into the editor and comes out the same, and the server takes it', () => {
  const logic = logicOf([
    whole,
    { id: 7, lhs: last, op: 'crosses_below', rhs: { type: 'field', key: 'open' } },
  ]);
  expect(logicOf(draftOf(logic))).toEqual(logic);
  expect(checkLogic(builtInCatalog(), logic)).toEqual({ ok: true, value: logic });
});

test('unfinished conditions are left out of the trial', () => {
  expect(logicOf([{ ...whole, rhs: null }, whole]).conditions).toHaveLength(1);
});

test('conditions move by one and stay at the ends', () => {
  expect(moveCondition(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  expect(moveCondition(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b']);
  expect(moveCondition(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c']);
  expect(moveCondition(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'b', 'c']);
});
