import { describe, expect, test } from 'bun:test';
import { checkLogic } from '#subjects/conditions/rules/checkLogic.ts';
import type { Condition, Operator } from '#subjects/conditions/rules/condition.ts';
import { CONDITION_FIELDS } from '#subjects/conditions/rules/conditionFields.ts';
import { createEvaluator, readerOf } from '#subjects/conditions/rules/evaluator.ts';
import { MAX_TEXTS } from '#subjects/conditions/rules/operand.ts';
import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import type { Stock } from '#market/rules/stock.ts';
import { aPreOpenStock, aStock } from '#support/aStock.ts';
import { field } from '#support/conditions.ts';

const read = (key: string, stock: Stock, now?: number) => readerOf(field(key))(stock, now);
const sector = (op: Operator, ...values: string[]): Condition => ({
  lhs: field('sector'),
  op,
  rhs: { type: 'text', values },
});
const check = (...conditions: unknown[]) => checkLogic(builtInCatalog(), { op: 'AND', conditions });

describe('conditions read', () => {
  test('the indicative gap in the pre-open, then the gap of the open', () => {
    expect(read('gap_percent', aPreOpenStock({ indicativeChangePercent: 8, open: 99 }))).toBe(8);
    expect(read('gap_percent', aStock({ open: 0.55, close: 0.5 }))).toBeCloseTo(10);
    expect(read('gap_percent', aStock({ open: null, indicativeChangePercent: 4 }))).toBe(4);
    expect(read('gap_percent', aStock({ open: 1, close: null }))).toBeNull();
  });

  test("the position in the day's range, unknown for a range of one price", () => {
    const at = (last: number | null, low: number | null, high: number | null) =>
      read('day_range', aStock({ last, low, high }));
    expect([at(1, 1, 3), at(2, 1, 3), at(3, 1, 3)]).toEqual([0, 50, 100]);
    expect([at(2, 2, 2), at(null, 1, 3), at(2, null, 3), at(2, 1, null)]).toEqual([null, null, null, null]);
  });

  test('the minutes since the open, on the market’s clock', () => {
    const at = (time: string) => read('minutes_since_open', aStock(), Date.parse(`2026-11-20T${time}+11:00`));
    expect(at('09:59:44')).toBeNull();
    expect(at('07:30:00')).toBeNull();
    expect([at('09:59:45'), at('10:00:44'), at('10:29:45')]).toEqual([0, 0, 30]);
    // The session lasts until the next begins, including the night and the morning after.
    expect([at('16:11:00'), at('23:00:00')]).toEqual([371, 371]);
    expect(read('minutes_since_open', aStock(), Date.parse('2026-11-22T12:00:00+11:00'))).toBe(371);
    expect(read('minutes_since_open', aStock())).toBeNull();
  });

  test('whether there is a price-sensitive announcement today, which is always known', () => {
    const at = (count: number | null) => read('sensitive_today', aStock({ sensitiveAnnouncements: count }));
    expect([at(null), at(0), at(1), at(3)]).toEqual([0, 0, 1, 1]);
    expect(read('sensitive_today', aPreOpenStock({ sensitiveAnnouncements: 1 }))).toBe(1);
  });

  test('every offered field, and the server accepts each', () => {
    for (const { key } of CONDITION_FIELDS) {
      const condition = key === 'sector' ? sector('==', 'Energy') : { lhs: key, op: '>', rhs: 1 };
      expect(check(condition).ok).toBe(true);
    }
  });
});

describe('the sector', () => {
  const holds = (condition: Condition, of: string | null) =>
    createEvaluator({ op: 'AND', conditions: [condition] }).evaluate(aStock({ sector: of }), 0);

  test('is one of several or none of them; an unknown sector is neither', () => {
    const some = ['Energy', 'Materials'];
    expect(some.concat('Banks').map((one) => holds(sector('==', ...some), one))).toEqual([true, true, false]);
    expect(some.concat('Banks').map((one) => holds(sector('!=', ...some), one))).toEqual([
      false,
      false,
      true,
    ]);
    expect([holds(sector('==', 'Energy'), null), holds(sector('!=', 'Energy'), null)]).toEqual([
      false,
      false,
    ]);
  });

  const messageOf = (condition: unknown) => {
    const checked = check(condition);
    return checked.ok ? null : checked.error.message.replace('Condition 1: ', '');
  };

  test('is compared only with sectors, and sectors only with it', () => {
    expect(messageOf(sector('>', 'Energy'))).toBe('A sector can only be compared with == or !=.');
    expect(messageOf({ ...sector('=='), rhs: 5 })).toBe('Choose the sectors to compare with.');
    expect(messageOf({ lhs: 'last', op: '>', rhs: 'sector' })).toBe(
      'The sector can only be on the left side.',
    );
    const texts = { type: 'text', values: ['Energy'] };
    expect(messageOf({ lhs: 'last', op: '==', rhs: texts })).toBe(
      'Only the sector can be compared with sectors.',
    );
    expect(messageOf({ lhs: texts, op: '==', rhs: 1 })).toBe(
      'The left side of a condition must be an indicator or a field.',
    );
  });

  test('needs a limited number of texts, at least one, each once', () => {
    expect(messageOf(sector('=='))).toBe('Choose at least one sector.');
    const many = Array.from({ length: MAX_TEXTS + 1 }, (_, index) => `Sector ${index}`);
    expect(messageOf(sector('==', ...many))).toBe(`A condition can have at most ${MAX_TEXTS} sectors.`);
    expect(messageOf(sector('==', 'x'.repeat(121)))).toContain('at most 120 characters');
    const checked = check({ lhs: 'sector', op: '==', rhs: { type: 'text', values: ['Energy', 'Energy'] } });
    expect(checked.ok && checked.value.conditions).toEqual([sector('==', 'Energy')]);
    const single = check({ lhs: 'sector', op: '==', rhs: { type: 'text', value: 'Energy' } });
    expect(single.ok && single.value.conditions).toEqual([sector('==', 'Energy')]);
  });
});

test('a surplus flip is a yes or no for each direction and for both, and unknown without a surplus', () => {
  const KEYS = ['surplus_flipped', 'surplus_to_buyers', 'surplus_to_sellers'];
  const answers = (change: Partial<Stock>) => KEYS.map((key) => read(key, aPreOpenStock(change)));
  expect(answers({})).toEqual([0, 0, 0]);
  expect(answers({ surplusFlip: 1 })).toEqual([1, 1, 0]);
  expect(answers({ surplusFlip: -1 })).toEqual([1, 0, 1]);
  expect(answers({ buy_surplus: null })).toEqual([null, null, null]);
  expect(answers({ buy_surplus: 0, surplusFlip: -1 })).toEqual([1, 0, 1]);
});
