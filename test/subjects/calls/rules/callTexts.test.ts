import { describe, expect, test } from 'bun:test';
import {
  alignPoint,
  formatCallPrice,
  formatStop,
  heldDays,
  sourceLabel,
} from '#subjects/calls/rules/callFormat.ts';
import { formatPocketed, pocketedClaim } from '#subjects/calls/rules/pocketed.ts';
import { DASH } from '#texts/format.ts';
import { claimText, type StatusCall, statusOf, statusText } from '#subjects/calls/rules/callStatus.ts';
import { endText } from '#subjects/calls/rules/resultText.ts';

test('prices have at most four decimals, without trailing zeros', () => {
  expect([1.5, 0.0455, 45, 0.12345, 1234.5, null].map(formatCallPrice)).toEqual([
    '1.5',
    '0.0455',
    '45',
    '0.1235',
    '1,234.5',
    DASH,
  ]);
});

test('prices in a column are padded to the same decimals', () => {
  const aligned = ['45', '+$1.5', '0.0455', '5.00%'].map((text) => alignPoint(text, 2));
  expect(aligned).toEqual(['45\u2008\u2007\u2007', '+$1.5\u2007', '0.0455', '5.00%']);
});

test('pocketed money shows sign and dollars, and no cents from 100 up', () => {
  expect([12.5, -12.5, 99.99, 100, -1234.6, 0, null].map(formatPocketed)).toEqual([
    '+$12.50',
    '−$12.50',
    '+$99.99',
    '+$100',
    '−$1,235',
    '$0.00',
    DASH,
  ]);
});

test('the stop column shows the stop by its type', () => {
  expect(formatStop('NONE', null)).toBe(DASH);
  expect(formatStop('HARD', 0.95)).toBe('0.95');
  expect(formatStop('TRAILING_ABS', 0.1)).toBe('0.1');
  expect(formatStop('TRAILING_PCT', 5)).toBe('5.00%');
  expect(formatStop('TRAILING_PCT', 10)).toBe('10.0%');
});

test('the holding time of a call ends at its stop, whenever its owner closes it', () => {
  const [filledAt, closedAt] = ['2026-11-18T00:00:00Z', '2026-11-20T00:00:00Z'];
  expect(heldDays({ filledAt, closedAt, stopReached: null })).toBe(2);
  expect(heldDays({ filledAt, closedAt, stopReached: { at: '2026-11-19T00:00:00Z' } })).toBe(1);
  expect(heldDays({ filledAt, closedAt: null, stopReached: null })).toBeNull();
});

const OPEN: StatusCall = {
  status: 'open',
  isShort: false,
  entryPrice: 40,
  targetPrice: 44,
  stopLevel: 38,
  entryTrade: { at: '2026-11-18T00:00:00Z', price: 41 },
  priceAtSubmission: 40,
  stopReached: null,
};
const text = (call: Partial<StatusCall>, last: number | null) => {
  const status = statusOf({ ...OPEN, ...call }, last);
  return status && statusText(status, null);
};

describe('the live result of an open call', () => {
  test('counts from the higher of the claimed entry and the first trade', () => {
    expect(statusOf(OPEN, 41)?.percent).toBe(0);
    expect(statusOf({ ...OPEN, trackingPaused: 'It was consolidated.' }, 600)).toBeNull();
    expect(statusOf({ ...OPEN, entryPrice: 50 }, 40)?.percent).toBeCloseTo(-20);
    expect(statusOf({ ...OPEN, entryTrade: null }, 41)?.percent).toBeNull();
  });

  test('is null once the stop was reached, because its result is final', () => {
    const stopReached = { at: '2026-11-18T01:00:00Z', price: 38 };
    expect(statusOf({ ...OPEN, stopReached }, 40)).toBeNull();
  });

  test('is null for other calls and without a price', () => {
    for (const status of ['pending', 'closed', 'cancelled', null] as const)
      expect(text({ status }, 40)).toBeNull();
    expect(text({}, null)).toBeNull();
  });

  test('is shown in words', () => {
    expect(text({}, 40)).toBe('Now −2.4%; 10.0% to the target, 5.0% to the stop');
    expect(text({ stopLevel: null, entryTrade: null }, 45)).toBe('No trade yet; at the target or above');
    expect(text({}, 38)).toBe('Now −7.3%; 15.8% to the target, at the stop or below');
    const short = { isShort: true, targetPrice: 36, stopLevel: 42 };
    expect(text(short, 38)).toBe('Now +5.0%; 5.3% to the target, 10.5% to the stop');
    expect(text(short, 42)).toBe('Now −5.0%; 14.3% to the target, at the stop or above');
    expect(text(short, 36)).toStartWith('Now +10.0%; at the target or below');
  });
});

test('a claim more than 5 % from the price at posting shows that price too', () => {
  const claim = (entryPrice: number | null, priceAtSubmission: number | null) =>
    claimText({ ...OPEN, entryPrice, priceAtSubmission });
  expect(claim(42, 40)).toBe('');
  expect(claim(42.01, 40)).toBe('then 40');
  expect(claim(38, 40)).toBe('');
  expect(claim(30, 40)).toBe('then 40');
  expect(claim(0.105, 0.1)).toBe('');
  expect([claim(null, 40), claim(40, null)]).toEqual(['', '']);
});

const RUNNING = { ...OPEN, entryTrade: { at: '2026-11-18T00:00:00Z', price: 40.5 }, verified: null };

test('the effect of an end on the result is shown before it', () => {
  expect(endText(RUNNING, 'close', 41)).toBe(
    'Now 41.0, +1.2% from 40.5. The result counts up to the first trade after the end, or the last price before it, if worse.',
  );
  expect(endText(RUNNING, 'cancel', 41)).toEndWith('Cancelling keeps the result.');
  expect(endText(RUNNING, 'close', null)).toStartWith('The current price is unknown.');
  expect(endText(RUNNING, 'close', 41, true)).toStartWith('The result counts up to the first trade');
  expect(endText({ ...RUNNING, status: 'pending' }, 'cancel', 41)).toBe(
    'It has not filled, so it ends without a result.',
  );
  expect(endText({ ...RUNNING, entryTrade: null }, 'cancel', 41)).toContain('it has no result');
  expect(endText({ ...RUNNING, entryTrade: null }, 'close', 41)).toContain('The next one counts');
  const stopped = {
    ...RUNNING,
    stopReached: { at: '2026-11-18T01:00:00Z', price: 38 },
    verified: { percent: -6.2 },
  };
  expect(endText(stopped, 'close', 50)).toBe('Its stop was reached: the result of −6.2% is final.');
});

describe('a pocketed claim', () => {
  /** Bought at 0.05; traded up to 0.054 and down to 0.049. */
  const call = {
    isShort: false,
    entryPrice: 0.05,
    filledAt: '2026-11-18T00:00:00Z',
    fillPrice: 0.05,
    best: 0.054,
    worst: 0.049,
  };

  test('shows the position that it implies at the current price', () => {
    expect(pocketedClaim(call, 50, 0.052)).toEqual({
      text: 'Pocketed +$50.00. At 0.052, +4.0% from the entry of 0.050, that is a position of $1,250 (25,000 shares).',
      doubt: null,
      hasPrice: true,
    });
    expect(pocketedClaim(call, -10, 0.049).text).toBe(
      'Pocketed −$10.00. At 0.049, −2.0% from the entry of 0.050, that is a position of $500 (10,000 shares).',
    );
  });

  test('of a short call uses the lowest price for a gain', () => {
    const short = { ...call, isShort: true, best: 0.049, worst: 0.054 };
    expect(pocketedClaim(short, 50, 0.052).text).toBe(
      'Pocketed +$50.00. The price is now 0.052, −4.0% from the entry of 0.050. At 0.049, the lowest since the fill, that is a position of $2,500 (50,000 shares).',
    );
  });

  test('questions 5000 typed for 50.00', () => {
    const steady = { ...call, best: 0.052 };
    const { text, doubt } = pocketedClaim(steady, 5000, 0.052);
    expect(text).toStartWith('Pocketed +$5,000.00. At 0.052');
    expect(text).toContain('$125,000 (2,500,000 shares)');
    expect(doubt).toBe('Few traders hold that much of one stock. Check the figure.');
  });

  test('of a gain below the entry uses the highest price since the fill', () => {
    const { text, doubt } = pocketedClaim(call, 50, 0.049);
    expect(text).toBe(
      'Pocketed +$50.00. The price is now 0.049, −2.0% from the entry of 0.050. At 0.054, the highest since the fill, that is a position of $625 (12,500 shares).',
    );
    expect(doubt).toBeNull();
  });

  test('that the prices do not allow goes to review, with a warning first', () => {
    const flat = { ...call, best: 0.05, worst: 0.05 };
    expect(pocketedClaim(flat, 50, 0.05)).toEqual({
      text: 'Pocketed +$50.00. The price is now 0.05, 0.0% from the entry of 0.05.',
      doubt:
        'A gain was pocketed, but the price never traded above the entry. An administrator must review it before it counts.',
      hasPrice: true,
    });
    expect(pocketedClaim(call, 90_000, 0.052).doubt).toStartWith('At the best price');
    expect(pocketedClaim({ ...call, filledAt: null }, 5, 0.052).doubt).toStartWith('The call never filled');
  });
});

test('the name of a source never presents invented prices as real, not even in a replay', () => {
  expect(
    [null, 'simulator', 'my-bridge', 'replay-simulator-2026-01-19', 'replay-tradingview-2026-01-19'].map(
      sourceLabel,
    ),
  ).toEqual([
    'Not recorded',
    'Simulated',
    'my-bridge',
    'Replay of 19 January 2026 (simulated)',
    'Replay of 19 January 2026',
  ]);
});
