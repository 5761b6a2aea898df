import fc from 'fast-check';
import { describe, expect, test } from 'bun:test';
import { createEvaluator, readerOf, sideOf } from '#subjects/conditions/rules/evaluator.ts';
import { type Condition, isGroup, type Operator, OPERATORS } from '#subjects/conditions/rules/condition.ts';
import type { Operand } from '#subjects/conditions/rules/operand.ts';
import { aStock } from '#support/aStock.ts';
import { LAST, allOf, anyOf, field, is, number, RSI } from '#support/conditions.ts';

const vwap15 = { ...RSI, family: 'ema', params: { length: '20' }, tf: '15', key: 'ema_20' } as const;
const at = (price: number | null, ema: number | null = null) =>
  aStock({ last: price, indicators: { '15': { ema_20: { now: ema } } } });
const holds = (op: Operator, price: number | null, to: Operand): boolean =>
  createEvaluator(allOf(is(LAST, op, to))).evaluate(at(price), 0);

describe('comparisons', () => {
  const table: [Operator, boolean, boolean, boolean][] = [
    ['>', false, false, true],
    ['>=', false, true, true],
    ['==', false, true, false],
    ['!=', true, false, true],
    ['<=', true, true, false],
    ['<', true, false, false],
    ['crosses_above', false, false, false],
    ['crosses_below', false, false, false],
  ];
  for (const [op, below, equal, above] of table) {
    test(op, () => {
      expect([1, 2, 3].map((price) => holds(op, price, number(2)))).toEqual([below, equal, above]);
    });
  }

  test('exactly one of <, == and > holds for any two numbers, consistent with the rest', () => {
    const any = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(any, any, (a, b) => {
        const [greater, atLeast, equal, different, atMost, less] = OPERATORS.slice(0, 6).map((op) =>
          holds(op, a, number(b)),
        );
        expect([less, equal, greater].filter(Boolean)).toHaveLength(1);
        expect([atLeast, atMost, different]).toEqual([!less, !greater, !equal]);
        expect(sideOf(b, a) + sideOf(a, b)).toBe(0);
      }),
    );
  });

  test('rounding makes no difference', () => {
    expect(holds('==', 0.1 + 0.2, number(0.3))).toBe(true);
    expect(holds('>', 0.1 + 0.2, number(0.3))).toBe(false);
    expect(holds('==', 0.3001, number(0.3))).toBe(false);
  });
});

describe('an unknown value', () => {
  test('meets no condition, on either side', () => {
    for (const op of OPERATORS) {
      expect(holds(op, null, number(1))).toBe(false);
      expect(holds(op, 1, vwap15)).toBe(false);
      expect(holds(op, 1, number(Number.NaN))).toBe(false);
    }
  });

  test('of a halted or suspended stock meets none', () => {
    const evaluator = createEvaluator(allOf(is(LAST, '>', number(0))));
    for (const status of ['Halted', 'Suspended'] as const) {
      expect(evaluator.evaluate(aStock({ status, last: 5 }), 0)).toBe(false);
    }
    expect(evaluator.evaluate(aStock({ last: 5 }), 0)).toBe(true);
  });
});

describe('crossings', () => {
  type Step = { last: number | null; ema: number | null; halted: boolean };
  const step = fc.record({
    last: fc.option(fc.integer({ min: -3, max: 3 })),
    ema: fc.option(fc.integer({ min: -3, max: 3 })),
    halted: fc.boolean(),
  });

  /** Checks the whole history again at every step. */
  const naive = (history: readonly Step[], op: 'crosses_above' | 'crosses_below'): boolean => {
    const known = history.filter((one) => !one.halted && one.last !== null && one.ema !== null);
    const newest = history.at(-1);
    if (!newest || known.at(-1) !== newest || known.length < 2) return false;
    const before = known.at(-2);
    if (!before || before.last === null || before.ema === null) return false;
    if (newest.last === null || newest.ema === null) return false;
    return op === 'crosses_above'
      ? before.last <= before.ema && newest.last > newest.ema
      : before.last >= before.ema && newest.last < newest.ema;
  };

  test('agree with a naive check of the whole history, for several stocks', () => {
    const op = fc.constantFrom('crosses_above', 'crosses_below');
    const codes = fc.array(fc.tuple(fc.constantFrom('AAA', 'BBB'), step), { maxLength: 60 });
    fc.assert(
      fc.property(op, codes, (which, steps) => {
        const evaluator = createEvaluator(allOf(is(LAST, which, vwap15)));
        const histories: Record<string, Step[]> = { AAA: [], BBB: [] };
        steps.forEach(([code, one], index) => {
          const history = histories[code] ?? [];
          history.push(one);
          const stock = aStock({
            code,
            last: one.last,
            indicators: { '15': { ema_20: { now: one.ema } } },
            status: one.halted ? 'Halted' : 'Open',
          });
          expect(evaluator.evaluate(stock, index)).toBe(naive(history, which));
        });
      }),
    );
  });

  test('may hold for a while, as long as the sides stay', () => {
    const evaluator = createEvaluator(allOf(is(LAST, 'crosses_above', number(2))), {
      holdMs: 60_000,
    });
    const seen = (price: number, now: number) => evaluator.evaluate(at(price), now);
    expect([seen(3, 0), seen(1, 1), seen(3, 2), seen(4, 60_000), seen(4, 60_003)]).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
    expect([seen(1, 70_000), seen(3, 70_001), seen(2, 70_002), seen(2, 70_003)]).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  test('start again for a stock that left and returned', () => {
    const evaluator = createEvaluator(allOf(is(LAST, 'crosses_above', number(2))));
    const one = (price: number) => new Map([['ABC', at(price)]]);
    evaluator.run(one(1), 0);
    evaluator.run(new Map(), 1);
    expect([...evaluator.run(one(3), 2)]).toEqual([]);
    expect([...evaluator.run(one(1), 3)]).toEqual([]);
    expect([...evaluator.run(one(3), 4)]).toEqual(['ABC']);
  });
});

test('operands are read from their place in the stream', () => {
  const htf = { type: 'htf', period: '3M', field: 'high' } as const;
  const stock = aStock({
    last: 3,
    close: 2.5,
    indicators: { '15': { ema_20: { now: 7, '1': 8 } } },
    htf: { '3M': { high: 9 } },
  });
  const read = (operand: Operand) => readerOf(operand)(stock);
  expect([read(LAST), read(vwap15), read({ ...vwap15, valueKey: '1' }), read(htf), read(number(4))]).toEqual([
    3, 7, 8, 9, 4,
  ]);
  expect(read({ type: 'field', key: 'pips' })).toBeGreaterThan(0);
  expect(read({ ...vwap15, tf: 'D' })).toBeNull();
});

describe('a group', () => {
  const volume = field('volume');
  const at = (price: number | null, traded: number | null = 0) => aStock({ last: price, volume: traded });

  test('agrees with a naive check for any list', () => {
    const condition = fc
      .tuple(
        fc.constantFrom(LAST, volume),
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

  test('keeps the history of a crossing while another condition decides', () => {
    const { evaluate } = createEvaluator(
      allOf(is(volume, '>', 0), anyOf(is(volume, '>', 100), is(LAST, 'crosses_above', 2))),
    );
    // While the volume is sufficient or the first condition fails, the price crosses unseen.
    expect(evaluate(at(3, 200), 0)).toBe(true);
    expect(evaluate(at(1, 200), 1)).toBe(true);
    expect(evaluate(at(3, 50), 2)).toBe(true);
    expect(evaluate(at(1, 0), 3)).toBe(false);
    expect(evaluate(at(3, 0), 4)).toBe(false);
    // It crossed one step earlier, not now.
    expect(evaluate(at(3, 50), 5)).toBe(false);
  });
});
