import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkLogic } from '../../../../src/subjects/conditions/rules/checkLogic.ts';
import {
  type AnyGroup,
  type Condition,
  conditionsOf,
  isGroup,
  type Logic,
  MAX_CONDITIONS,
  MAX_GROUPS,
  operandsOf,
} from '../../../../src/subjects/conditions/rules/condition.ts';
import {
  addToGroup,
  blocksOf,
  type DraftCondition,
  draftOf,
  groupCount,
  logicOf,
  moveInBlocks,
  newCondition,
  newGroup,
} from '../../../../src/subjects/conditions/rules/draft.ts';
import { createEvaluator } from '../../../../src/subjects/conditions/rules/evaluator.ts';
import { logicText } from '../../../../src/subjects/conditions/rules/logicText.ts';
import { operandId } from '../../../../src/subjects/conditions/rules/operandText.ts';
import { builtInCatalog } from '../../../../src/market/indicators/rules/builtInCatalog.ts';
import { aStock } from '../../../support/aStock.ts';

const catalog = builtInCatalog();
const last = { type: 'field', key: 'last' } as const;
const volume = { type: 'field', key: 'volume' } as const;
const is = (lhs: Condition['lhs'], op: Condition['op'], value: number): Condition => ({
  lhs,
  op,
  rhs: { type: 'number', value },
});
const anyOf = (...conditions: Condition[]): AnyGroup => ({ op: 'OR', conditions });
const allOf = (...conditions: Logic['conditions']): Logic => ({ op: 'AND', conditions });
const at = (price: number | null, traded: number | null = 0) => aStock({ last: price, volume: traded });

describe('a group', () => {
  const logic = allOf(is(last, '>', 1), anyOf(is(last, '>', 10), is(volume, '>', 100)));

  test('holds when any of its conditions does, beside all the others', () => {
    const { evaluate } = createEvaluator(logic);
    const seen = [at(2), at(2, 101), at(11), at(0.5, 101), at(null, 101)].map((stock) => evaluate(stock, 0));
    expect(seen).toEqual([false, true, true, false, false]);
  });

  test('agrees with a naive look at any list', () => {
    const condition = fc
      .tuple(
        fc.constantFrom(last, volume),
        fc.constantFrom('>', '<', '==', '!='),
        fc.integer({ min: 0, max: 3 }),
      )
      .map(([lhs, op, value]) => is(lhs, op, value));
    const member = fc.oneof(
      condition,
      fc.array(condition, { minLength: 1, maxLength: 3 }).map((some) => anyOf(...some)),
    );
    const number = fc.option(fc.integer({ min: 0, max: 3 }));
    fc.assert(
      fc.property(fc.array(member, { maxLength: 4 }), number, number, (members, price, traded) => {
        const stock = at(price, traded);
        const holds = (one: Condition) => createEvaluator(allOf(one)).evaluate(stock, 0);
        const naive = members.every((one) => (isGroup(one) ? one.conditions.some(holds) : holds(one)));
        expect(createEvaluator(allOf(...members)).evaluate(stock, 0)).toBe(naive);
      }),
    );
  });

  test('keeps the history of a crossing that another of its conditions made needless', () => {
    const { evaluate } = createEvaluator(
      allOf(is(volume, '>', 0), anyOf(is(volume, '>', 100), is(last, 'crosses_above', 2))),
    );
    // While the volume alone is enough, or the first condition fails, the price goes below and above unseen.
    expect(evaluate(at(3, 200), 0)).toBe(true);
    expect(evaluate(at(1, 200), 1)).toBe(true);
    expect(evaluate(at(3, 50), 2)).toBe(true);
    expect(evaluate(at(1, 0), 3)).toBe(false);
    expect(evaluate(at(3, 0), 4)).toBe(false);
    // It crossed a step ago: it has not crossed now.
    expect(evaluate(at(3, 50), 5)).toBe(false);
  });

  test('names its values for those who bring them', () => {
    expect(operandsOf(logic).map(operandId)).toEqual(['field:last', 'field:volume']);
    expect(conditionsOf(logic)).toHaveLength(3);
  });

  test('is told in words', () => {
    expect(logicText(logic, null)).toBe('Last above 1 and any of (Last above 10 or Volume above 100)');
    const sectors: Condition = {
      lhs: { type: 'field', key: 'sector' },
      op: '!=',
      rhs: { type: 'text', values: ['Energy', 'Materials'] },
    };
    expect(logicText(allOf(sectors, anyOf(is(volume, '>=', 250_000))), null)).toBe(
      'Sector is none of Energy or Materials and Volume at or above 250,000',
    );
  });
});

describe('the server takes', () => {
  test('a list without groups as it always was, and one with groups', () => {
    const old = JSON.parse(
      '{"op":"AND","conditions":[{"lhs":{"type":"field","key":"last"},"op":">","rhs":{"type":"number","value":2}}]}',
    ) as Logic;
    expect(checkLogic(catalog, old)).toEqual({ ok: true, value: old });
    const grouped = allOf(is(last, '>', 1), anyOf(is(last, '<', 3), is(volume, '>', 5)));
    expect(checkLogic(catalog, grouped)).toEqual({ ok: true, value: grouped });
  });

  const refusalOf = (...conditions: unknown[]) => {
    const checked = checkLogic(catalog, { op: 'AND', conditions });
    return checked.ok ? null : checked.error;
  };
  const one = is(last, '>', 1);
  const many = (count: number) => Array.from({ length: count }, () => one);

  test('no group in a group, and none that is empty or joined by something else', () => {
    const field = 'conditions[0].conditions';
    const nested = { field, message: 'A group can hold no further group.' };
    expect(refusalOf({ op: 'OR', conditions: [anyOf(one)] })).toEqual(nested);
    const none = { field, message: 'A group is a list of conditions joined by OR.' };
    expect(refusalOf(anyOf())).toEqual(none);
    expect(refusalOf({ op: 'AND', conditions: [one] })).toEqual(none);
  });

  test('no more than a scan may cost, counted over all groups', () => {
    expect(refusalOf(...many(MAX_CONDITIONS - 2), anyOf(one, one))).toBeNull();
    const tooMany = `A scan has at most ${MAX_CONDITIONS} conditions.`;
    expect(refusalOf(...many(MAX_CONDITIONS - 2), anyOf(one, one, one))?.message).toBe(tooMany);
    expect(refusalOf(anyOf(...many(100_000)))?.message).toBe(tooMany);
    const groups = Array.from({ length: MAX_GROUPS + 1 }, () => anyOf(one));
    expect(refusalOf(...groups)?.message).toBe(`A scan has at most ${MAX_GROUPS} groups.`);
  });

  test('and says which condition is wrong', () => {
    const wrong: Condition = { ...one, rhs: { type: 'field', key: 'nothing' } };
    expect(refusalOf(one, anyOf(one, wrong))).toEqual({
      field: 'conditions[1].conditions[1].rhs.key',
      message: 'Condition 3: The field "nothing" is not in the catalog.',
    });
    expect(refusalOf(anyOf(one, one), wrong)?.message).toStartWith('Condition 3:');
  });
});

describe('while it is edited', () => {
  const draft = (id: number, group?: number): DraftCondition => ({
    id,
    lhs: last,
    op: '>',
    rhs: { type: 'number', value: id },
    ...(group === undefined ? {} : { group }),
  });
  const ids = (list: readonly DraftCondition[]) => list.map(({ id }) => id);

  test('it goes in and comes out the same', () => {
    const logic = allOf(anyOf(is(last, '>', 1), is(last, '>', 2)), is(last, '>', 3), anyOf(is(last, '<', 9)));
    expect(logicOf(draftOf(logic))).toEqual(logic);
  });

  test('a group begins with one condition, gets more at its end, and is gone with its last', () => {
    const list = [draft(0), newGroup([draft(0)])];
    expect(blocksOf(list).map(({ group }) => group)).toEqual([null, 0]);
    const more = addToGroup([...list, draft(7)], 0, newCondition([...list, draft(7)]));
    expect(ids(more)).toEqual([0, 1, 8, 7]);
    expect(blocksOf(more).map(({ conditions }) => conditions.length)).toEqual([1, 2, 1]);
    expect(groupCount(more)).toBe(1);
    expect(newGroup(more).group).toBe(1);
    expect(groupCount(more.filter(({ group }) => group === undefined))).toBe(0);
  });

  test('conditions move inside their group, and past a whole one', () => {
    const list = [draft(0), draft(1, 0), draft(2, 0), draft(3)];
    expect(ids(moveInBlocks(list, 0, 1))).toEqual([1, 2, 0, 3]);
    expect(ids(moveInBlocks(list, 2, -1))).toEqual([0, 2, 1, 3]);
    expect(ids(moveInBlocks(list, 1, -1))).toEqual([0, 1, 2, 3]);
    expect(ids(moveInBlocks(list, 3, 1))).toEqual([0, 1, 2, 3]);
    expect(ids(moveInBlocks(list, 9, 1))).toEqual([0, 1, 2, 3]);
  });

  test('unfinished conditions are left out of it, and the group with them', () => {
    expect(logicOf([draft(0), { ...draft(1, 0), rhs: null }])).toEqual(allOf(is(last, '>', 0)));
  });
});
