import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { pips } from '../../../src/market/rules/pips.ts';
import { priceAtStep, priceStep, roundToStep, stepIndex } from '../../../src/market/rules/priceStep.ts';

describe('price steps', () => {
  test.each([
    [0.001, 0.001],
    [0.099, 0.001],
    [0.1, 0.005],
    [1.995, 0.005],
    [2, 0.01],
    [289.4, 0.01],
  ])('at $%d the step is $%d', (price, step) => expect(priceStep(price)).toBe(step));

  test('the noise of binary fractions does not move a price into the band below', () => {
    expect(priceStep(0.3 - 0.2)).toBe(0.005);
    expect(priceStep(0.1 * 3 + 1.7)).toBe(0.01);
    expect(roundToStep(0.1 + 0.2)).toBe(0.3);
  });

  test('rounding goes to the nearest step and never below one step', () => {
    expect([0.0994, 0.0996, 0.102, 0.1025, 1.998, 2.004, 2.005, 0.0001].map(roundToStep)).toEqual([
      0.099, 0.1, 0.1, 0.105, 2, 2, 2.01, 0.001,
    ]);
  });

  test('every whole step is a price that rounding leaves alone, and steps rise', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60_000 }), (index) => {
        const price = priceAtStep(index);
        expect(stepIndex(price)).toBe(index);
        expect(roundToStep(price)).toBe(price);
        expect(priceAtStep(index + 1)).toBeGreaterThan(price);
        expect(Math.round((priceAtStep(index + 1) - price) * 1e6) / 1e6).toBe(priceStep(price));
      }),
    );
  });

  test('rounding moves a price by at most half a step', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 500, noNaN: true }), (price) => {
        expect(Math.abs(roundToStep(price) - price)).toBeLessThanOrEqual(priceStep(price) / 2 + 1e-6);
      }),
    );
  });
});

describe('pips', () => {
  test.each([
    [0.05, 0.052, 2],
    [0.099, 0.105, 2],
    [0.105, 0.099, -2],
    [1.995, 2.01, 2],
    [0.098, 2.02, 384],
    [2, 2.005, 1],
    [49.75, 50.6, 85],
    [1, 1, 0],
  ])('from %d to %d are %d', (from, to, expected) => expect(pips(from, to)).toBe(expected));

  test('what is no price gives null', () => {
    for (const bad of [null, undefined, 0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(pips(bad, 1)).toBeNull();
      expect(pips(1, bad)).toBeNull();
    }
  });

  test('counts the steps walked one by one, either way', () => {
    const step = fc.integer({ min: 1, max: 900 });
    fc.assert(
      fc.property(step, step, (from, to) => {
        let walked = 0;
        let price = priceAtStep(Math.min(from, to));
        while (price < priceAtStep(Math.max(from, to)) - 1e-9) {
          price = Math.round((price + priceStep(price)) * 1000) / 1000;
          walked += 1;
        }
        const forward = pips(priceAtStep(from), priceAtStep(to));
        expect(forward).toBe(to >= from ? walked : -walked);
        expect(Object.is(forward, -0)).toBe(false);
      }),
    );
  });
});
