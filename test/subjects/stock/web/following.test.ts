import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { createFollowing, SETTLE_MS } from '../../../../src/subjects/stock/web/chartPage/useShownStock.ts';

let shown: string[];
beforeEach(() => {
  shown = [];
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});
const follow = () => createFollowing((code) => shown.push(code));

test('one stock is shown at once', () => {
  follow().take('BHP');
  expect(shown).toEqual(['BHP']);
});

test('of those that follow quickly the last is shown, once they stop', () => {
  const { take } = follow();
  for (const code of ['A', 'B', 'C', 'D']) {
    take(code);
    jest.advanceTimersByTime(SETTLE_MS - 1);
  }
  expect(shown).toEqual(['A']);
  jest.advanceTimersByTime(1);
  expect(shown).toEqual(['A', 'D']);
  jest.advanceTimersByTime(SETTLE_MS);
  take('E');
  expect(shown).toEqual(['A', 'D', 'E']);
});

test('nothing is shown after the end', () => {
  const { take, stop } = follow();
  take('A');
  take('B');
  stop();
  jest.advanceTimersByTime(10 * SETTLE_MS);
  expect(shown).toEqual(['A']);
});
