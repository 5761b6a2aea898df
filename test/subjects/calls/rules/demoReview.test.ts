import { expect, test } from 'bun:test';
import { type DemoCall, demoCalls, withImplausibleGain } from '../../../../src/subjects/calls/rules/demo.ts';
import { implausibleReason } from '../../../../src/subjects/calls/rules/verifiedResult.ts';

const NOON = Date.UTC(2026, 10, 21, 1);
const DAY_MS = 86_400_000;
const stocks = Array.from({ length: 60 }, (_, index) => ({ code: `AA${index}`, last: 0.06 * 1.12 ** index }));

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

test('where every call rose, the gain is too great', () => {
  const risen = demoCalls(NOON, stocks).map((demo) => ({
    ...demo,
    state: { ...demo.state, best: demo.call.entryPrice * 1.3 },
  }));
  const [reason, ...others] = reasons(withImplausibleGain(risen));
  expect(reason).toContain('would need a position of $');
  expect(others).toEqual([]);
});

test('without a call that was closed there is nothing to review', () => {
  const live = demoCalls(NOON, stocks).filter(({ status }) => status === 'open');
  expect(withImplausibleGain(live)).toEqual(live);
  expect(withImplausibleGain([])).toEqual([]);
});
