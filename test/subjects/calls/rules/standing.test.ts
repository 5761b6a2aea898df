import { describe, expect, test } from 'bun:test';
import {
  claimText,
  formatToStop,
  formatToTarget,
  type StandingCall,
  standingOf,
} from '../../../../src/subjects/calls/rules/standing.ts';
import { haltText } from '../../../../src/market/rules/halted.ts';
import { standingText } from '../../../../src/subjects/calls/rules/standingText.ts';

const OPEN: StandingCall = {
  status: 'open',
  entryPrice: 40,
  targetPrice: 44,
  stopLevel: 38,
  entryTrade: { at: '2026-11-18T00:00:00Z', price: 41 },
  priceAtSubmission: 40,
  stopReached: null,
};
const text = (call: Partial<StandingCall>, last: number | null) => {
  const standing = standingOf({ ...OPEN, ...call }, last);
  return standing && standingText(standing, null);
};

describe('how an open call stands', () => {
  test('counts from the dearer of the claim and the first trade', () => {
    expect(standingOf(OPEN, 41)?.percent).toBe(0);
    expect(standingOf({ ...OPEN, trackingPaused: 'It was consolidated.' }, 600)).toBeNull();
    expect(standingOf({ ...OPEN, entryPrice: 50 }, 40)?.percent).toBeCloseTo(-20);
    expect(standingOf({ ...OPEN, entryTrade: null }, 41)?.percent).toBeNull();
  });

  test('not of one whose stop was reached: its result stands', () => {
    const stopReached = { at: '2026-11-18T01:00:00Z', price: 38 };
    expect(standingOf({ ...OPEN, stopReached }, 40)).toBeNull();
  });

  test('only of open calls with a price', () => {
    for (const status of ['pending', 'closed', 'cancelled', null] as const)
      expect(text({ status }, 40)).toBeNull();
    expect(text({}, null)).toBeNull();
  });

  test('in words', () => {
    expect(text({}, 40)).toBe('Now −2.4%; 10.0% to the target, 5.0% to the stop');
    expect(text({ stopLevel: null, entryTrade: null }, 45)).toBe('No trade yet; at the target or above');
    expect(text({}, 38)).toBe('Now −7.3%; 15.8% to the target, at the stop or below');
  });

  test('says that the stock is halted, as its price is one of before', () => {
    const standing = standingOf({ ...OPEN, stopLevel: null }, 40);
    const halt = haltText('BHP', { status: 'Halted' });
    expect(standing && standingText(standing, halt)).toBe('Now −2.4%; 10.0% to the target; BHP is halted');
    expect(haltText('BHP', { status: 'Suspended' })).toBe('BHP is suspended');
    expect(haltText('BHP', { status: 'Open' })).toBeNull();
  });

  test('beside the levels', () => {
    const standing = standingOf(OPEN, 40);
    expect([formatToTarget(standing?.toTarget ?? null), formatToStop(standing?.toStop ?? null)]).toEqual([
      '+10.0%',
      '−5.0%',
    ]);
    expect([formatToTarget(0), formatToStop(1), formatToStop(null)]).toEqual(['reached', 'reached', '']);
  });
});

test('a claim more than 5 % from the price at the posting is shown beside it', () => {
  const claim = (entryPrice: number | null, priceAtSubmission: number | null) =>
    claimText({ ...OPEN, entryPrice, priceAtSubmission });
  expect(claim(42, 40)).toBe('');
  expect(claim(42.01, 40)).toBe('then 40');
  expect(claim(38, 40)).toBe('');
  expect(claim(30, 40)).toBe('then 40');
  expect(claim(0.105, 0.1)).toBe('');
  expect([claim(null, 40), claim(40, null)]).toEqual(['', '']);
});
