import { expect, test } from 'bun:test';
import { crossingAt, stepsFrom } from '../../../../src/subjects/alerts/rules/crossingAt.ts';

test.each([
  [46.2537, 46.2, 46.25, 'crosses_above'],
  [46.1449, 46.2, 46.14, 'crosses_below'],
  [46.2, 46.2, 46.2, 'crosses_above'],
  [46.1961, 46.2, 46.2, 'crosses_above'],
  [1.2371, 1.4, 1.235, 'crosses_below'],
  [0.04261, 0.04, 0.043, 'crosses_above'],
  [0.0001, 0.002, 0.001, 'crosses_below'],
] as const)('pointing at %d while the stock stands at %d waits at %d: %s', (at, current, price, op) => {
  expect(crossingAt(at, current)).toEqual({ price, op });
});

test.each([
  [46.2, 1, 46.21],
  [1.995, 1, 2],
  [2, -1, 1.995],
  [2, 1, 2.01],
  [0.1, -10, 0.09],
  [0.002, -5, 0.001],
])('from %d by %d steps is %d', (price, steps, expected) => {
  expect(stepsFrom(price, steps)).toBe(expected);
});
