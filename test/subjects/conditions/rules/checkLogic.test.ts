import fc from 'fast-check';
import { describe, expect, test } from 'bun:test';
import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import { checkLogic } from '#subjects/conditions/rules/checkLogic.ts';
import { type Condition, MAX_CONDITIONS, MAX_GROUPS } from '#subjects/conditions/rules/condition.ts';
import { anyOf, is, LAST } from '#support/conditions.ts';
import { checkRef } from '#subjects/conditions/rules/operand.ts';

const catalog = builtInCatalog();

/** JSON that cannot be converted to text or number, because its own members shadow the methods. */
const unprintable = { toString: 1, valueOf: 1 };
const anything = fc.oneof(
  fc.constantFrom<unknown>(unprintable, [unprintable], null, '', 'now', '1', 'rsi', 'D', 'last', 14, 1e99),
  fc.jsonValue(),
);
const ref = fc.record(
  {
    type: fc.oneof(fc.constantFrom('indicator', 'htf', 'field', 'number', 'text'), anything),
    family: fc.oneof(fc.constantFrom('rsi', '__proto__', 'constructor'), anything),
    params: fc.oneof(fc.record({ length: anything }), anything),
    tf: fc.oneof(fc.constantFrom('D', '60', '7'), anything),
    valueKey: anything,
    period: anything,
    field: anything,
    key: anything,
    value: anything,
    values: anything,
  },
  { requiredKeys: [] },
);
const condition = fc.record({
  lhs: fc.oneof(ref, anything),
  op: fc.oneof(fc.constant('>'), anything),
  rhs: fc.oneof(ref, anything),
});
const group = fc.record({
  op: fc.oneof(fc.constantFrom('OR', 'AND'), anything),
  conditions: fc.oneof(fc.array(fc.oneof(condition, anything), { maxLength: 3 }), anything),
});

const isSentence = (text: string): boolean => /^[A-Z].*\.$/s.test(text) && !text.includes('[object');

describe('any input is read or refused with a message, and nothing throws', () => {
  test('for references', () =>
    fc.assert(
      fc.property(fc.oneof(ref, anything), (given) => {
        const checked = checkRef(catalog, given);
        expect(checked.ok || isSentence(checked.error.message)).toBe(true);
      }),
      { numRuns: 500 },
    ));

  test('for conditions', () =>
    fc.assert(
      fc.property(fc.array(fc.oneof(condition, group, anything), { maxLength: 3 }), (conditions) => {
        const checked = checkLogic(catalog, { op: 'AND', conditions });
        expect(checked.ok || isSentence(checked.error.message)).toBe(true);
      }),
      { numRuns: 500 },
    ));
});

const rsi = (more: Record<string, unknown>): unknown => ({
  type: 'indicator',
  family: 'rsi',
  params: { length: '14' },
  tf: 'D',
  ...more,
});

test('members of every object are not parameters and have no effect', () => {
  const params: unknown = JSON.parse('{"__proto__": {"polluted": 1}, "length": "14"}');
  expect(checkRef(catalog, rsi({ params }))).toEqual({
    ok: false,
    error: { field: 'params.__proto__', message: 'RSI has no parameter "__proto__".' },
  });
  expect('polluted' in {}).toBe(false);
});

describe('a refused condition names its member', () => {
  const last = { lhs: 'last', op: '>', rhs: 1 };
  const cases: [unknown, string][] = [
    ['last > 1', 'conditions[1]'],
    [{ ...last, op: '~' }, 'conditions[1].op'],
    [{ ...last, lhs: 5 }, 'conditions[1].lhs'],
    [{ ...last, lhs: 'colour' }, 'conditions[1].lhs.key'],
    [{ ...last, rhs: rsi({ tf: '3' }) }, 'conditions[1].rhs.tf'],
    [{ ...last, rhs: rsi({ params: { length: '8' } }) }, 'conditions[1].rhs.params.length'],
    [{ ...last, rhs: { type: 'htf', period: '5M', field: 'high' } }, 'conditions[1].rhs.period'],
    [{ ...last, rhs: { type: 'htf', period: '3M', field: 'volume' } }, 'conditions[1].rhs.field'],
    [{ ...last, rhs: { type: 'number', value: 'x' } }, 'conditions[1].rhs.value'],
  ];
  for (const [sent, field] of cases) {
    test(field, () => {
      const checked = checkLogic(catalog, { op: 'AND', conditions: [last, sent] });
      expect(checked).toMatchObject({ ok: false, error: { field } });
    });
  }
});

describe('a list of groups', () => {
  const refusalOf = (...conditions: unknown[]) => {
    const checked = checkLogic(catalog, { op: 'AND', conditions });
    return checked.ok ? null : checked.error;
  };
  const one = is(LAST, '>', 1);
  const many = (count: number) => Array.from({ length: count }, () => one);

  test('may not nest, be empty or use another operator', () => {
    const field = 'conditions[0].conditions';
    const nested = { field, message: 'A group cannot contain another group.' };
    expect(refusalOf({ op: 'OR', conditions: [anyOf(one)] })).toEqual(nested);
    const none = { field, message: 'A group must be a list of conditions joined by OR.' };
    expect(refusalOf(anyOf())).toEqual(none);
    expect(refusalOf({ op: 'AND', conditions: [one] })).toEqual(none);
  });

  test('costs at most as much as a scan, counted over all groups', () => {
    expect(refusalOf(...many(MAX_CONDITIONS - 2), anyOf(one, one))).toBeNull();
    const tooMany = `A scan can have at most ${MAX_CONDITIONS} conditions.`;
    expect(refusalOf(...many(MAX_CONDITIONS - 2), anyOf(one, one, one))?.message).toBe(tooMany);
    expect(refusalOf(anyOf(...many(100_000)))?.message).toBe(tooMany);
    const groups = Array.from({ length: MAX_GROUPS + 1 }, () => anyOf(one));
    expect(refusalOf(...groups)?.message).toBe(`A scan can have at most ${MAX_GROUPS} groups.`);
  });

  test('names the invalid condition', () => {
    const wrong: Condition = { ...one, rhs: { type: 'field', key: 'nothing' } };
    expect(refusalOf(one, anyOf(one, wrong))).toEqual({
      field: 'conditions[1].conditions[1].rhs.key',
      message: 'Condition 3: The field "nothing" is not in the catalog.',
    });
    expect(refusalOf(anyOf(one, one), wrong)?.message).toStartWith('Condition 3:');
  });
});
