import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createTimeBudget } from '../../src/lib/timeBudget.ts';

const OPTIONS = { capacityMs: 1000, refillMs: 100 };

describe('a budget of time', () => {
  test('lets go on until it is used up, and again when there is a second’s worth', () => {
    const budget = createTimeBudget(OPTIONS);
    budget.spend('a', 999, 0);
    expect(budget.wait('a', 0)).toBe(0);
    budget.spend('a', 51, 0);
    expect(budget.wait('a', 0)).toBe(2);
    expect(budget.wait('a', 400)).toBe(2);
    expect(budget.wait('a', 600)).toBe(0);
  });

  test('is one for each key, and never more than its capacity', () => {
    const budget = createTimeBudget(OPTIONS);
    budget.spend('a', 1000, 0);
    expect([budget.wait('a', 0), budget.wait('b', 0)]).toEqual([1, 0]);
    budget.spend('a', 1000, 3_600_000);
    expect(budget.wait('a', 3_600_000)).toBe(1);
  });

  test('a clock that goes back gives nothing and takes nothing', () => {
    const budget = createTimeBudget(OPTIONS);
    budget.spend('a', 1000, 10_000);
    expect(budget.wait('a', 0)).toBe(1);
  });

  test('remembers no more keys than it may, those that spent last', () => {
    const budget = createTimeBudget({ ...OPTIONS, maxKeys: 3 });
    for (const key of ['a', 'b', 'c', 'a', 'd']) budget.spend(key, 600, 0);
    expect(budget.size()).toBe(3);
    expect(['a', 'b'].map((key) => budget.wait(key, 0))).toEqual([3, 0]);
  });

  test('whoever waits as long as they are told is let in; nobody uses more than they get', () =>
    fc.assert(
      fc.property(
        fc.array(fc.record({ pause: fc.nat({ max: 3000 }), ms: fc.nat({ max: 250 }) }), { maxLength: 60 }),
        (visits) => {
          const budget = createTimeBudget(OPTIONS);
          let now = 0;
          let used = 0;
          for (const { pause, ms } of visits) {
            now += pause;
            const seconds = budget.wait('a', now);
            now += seconds * 1000;
            expect(budget.wait('a', now)).toBe(0);
            budget.spend('a', ms, now);
            used += ms;
            expect(used).toBeLessThanOrEqual(1000 + now / 10 + 250);
          }
        },
      ),
    ));
});
