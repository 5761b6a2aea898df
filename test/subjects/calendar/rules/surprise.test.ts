import { expect, test } from 'bun:test';
import { SURPRISES, surpriseOf } from '../../../../src/subjects/calendar/rules/surprise.ts';

test.each([
  [1.2, 1, true, 'better'],
  [1.2, 1, false, 'worse'],
  [0.8, 1, true, 'better'],
  [0.8, 1, null, 'below'],
  [1.2, 1, null, 'above'],
  [1, 1, true, 'asExpected'],
  [1, 1, null, 'asExpected'],
  [null, 1, true, null],
  [1.2, null, true, null],
  [0, 0.1, false, 'worse'],
] as const)('%p against %p, better %p, is %p', (actual, consensus, isBetterThanExpected, expected) => {
  expect(surpriseOf({ actual, consensus, isBetterThanExpected })).toBe(expected);
});

test('no two surprises look or sound alike', () => {
  const all = Object.values(SURPRISES);
  expect(new Set(all.map(({ sign }) => sign)).size).toBe(all.length);
  expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
});
