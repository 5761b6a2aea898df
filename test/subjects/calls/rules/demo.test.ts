import { describe, expect, test } from 'bun:test';
import { checkCall } from '../../../../src/subjects/calls/rules/callRules.ts';
import { demoCalls, type DemoCall, withImplausibleGain } from '../../../../src/subjects/calls/rules/demo.ts';
import { implausibleReason, verifiedResult } from '../../../../src/subjects/calls/rules/verifiedResult.ts';
import { messageOf } from '../../../support/refusals.ts';

const now = Date.UTC(2026, 10, 21, 1);
const stocks = Array.from({ length: 60 }, (_, index) => ({ code: `AA${index}`, last: 0.06 * 1.12 ** index }));
const history = demoCalls(now, stocks);

test('every call of the demonstration could have been submitted, and lies in the past', () => {
  expect(history.length).toBeGreaterThan(60);
  const symbols = new Set(stocks.map(({ code }) => code));
  for (const { symbol, call, closing } of history) {
    expect(messageOf(checkCall({ ...call, symbol }, symbols))).toBeNull();
    expect(call.submittedAt).toBeLessThan(closing?.time ?? now);
    expect(closing?.time ?? 0).toBeLessThan(now);
  }
});

test('what was pocketed fits the path, up to a trade at entry itself', () => {
  const closed = history.filter(({ status }) => status === 'closed');
  expect(closed.length).toBeGreaterThan(40);
  for (const { call, state, closing, pocketedValue } of closed) {
    if (closing === null || pocketedValue === null) throw new Error('A closed call has no closing.');
    expect(implausibleReason(pocketedValue, call, state, closing)).toBeNull();
    const result = verifiedResult(call, state, closing);
    expect(Math.sign(result?.percent ?? 0)).toBe(Math.sign(pocketedValue));
  }
});

describe('the call that waits for review', () => {
  const NOON = Date.UTC(2026, 10, 21, 1);
  const DAY_MS = 86_400_000;
  const stocks = Array.from({ length: 60 }, (_, index) => ({
    code: `AA${index}`,
    last: 0.06 * 1.12 ** index,
  }));

  /** Why calls wait for review. */
  const reasons = (history: readonly DemoCall[]): string[] =>
    history.flatMap(({ call, state, closing, pocketedValue }) => {
      if (closing === null || pocketedValue === null) return [];
      return implausibleReason(pocketedValue, call, state, closing) ?? [];
    });

  test('one call waits for review, on whatever day the demonstration is made', () => {
    for (let day = 0; day < 120; day += 1) {
      expect(reasons(withImplausibleGain(demoCalls(NOON + day * DAY_MS, stocks, day)))).toHaveLength(1);
    }
  });
});
