import { expect, test } from 'bun:test';
import { endText } from '../../../../src/subjects/calls/rules/endText.ts';

const OPEN = {
  status: 'open' as const,
  entryPrice: 40,
  targetPrice: 44,
  stopLevel: 38,
  entryTrade: { at: '2026-11-18T00:00:00Z', price: 40.5 },
  priceAtSubmission: 40,
  stopReached: null,
  verified: null,
};

test('what an end would get is said before it', () => {
  expect(endText(OPEN, 'close', 41)).toBe(
    'Now 41.0, +1.2% from 40.5. The result runs to the first trade after it ends, or to the last price before if that is lower.',
  );
  expect(endText(OPEN, 'cancel', 41)).toEndWith('Cancelling keeps the result.');
  expect(endText(OPEN, 'close', null)).toStartWith('No price is known now.');
  expect(endText(OPEN, 'close', 41, true)).toStartWith('The result runs to the first trade after it ends');
  expect(endText({ ...OPEN, status: 'pending' }, 'cancel', 41)).toBe(
    'It has not filled, so it ends without a result.',
  );
  expect(endText({ ...OPEN, entryTrade: null }, 'cancel', 41)).toContain('it has no result');
  expect(endText({ ...OPEN, entryTrade: null }, 'close', 41)).toContain('the next one counts');
  const stopped = {
    ...OPEN,
    stopReached: { at: '2026-11-18T01:00:00Z', price: 38 },
    verified: { percent: -6.2 },
  };
  expect(endText(stopped, 'close', 50)).toBe('Its stop was reached: the result of −6.2% stands.');
});
