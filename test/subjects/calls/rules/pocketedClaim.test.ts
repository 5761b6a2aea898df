import { describe, expect, test } from 'bun:test';
import { pocketedClaim } from '../../../../src/subjects/calls/rules/pocketedClaim.ts';

/** Bought at 0.05; traded up to 0.054 and down to 0.049. */
const call = {
  entryPrice: 0.05,
  filledAt: '2026-11-18T00:00:00Z',
  fillPrice: 0.05,
  best: 0.054,
  worst: 0.049,
};

describe('what a pocketed value implies', () => {
  test('the position that it needs at the price now', () => {
    expect(pocketedClaim(call, 50, 0.052)).toEqual({
      text: 'Pocketed +$50.00. At 0.052, +4.0% from the entry of 0.050, that is a position of $1,250 (25,000 shares).',
      doubt: null,
      hasPrice: true,
    });
    expect(pocketedClaim(call, -10, 0.049).text).toBe(
      'Pocketed −$10.00. At 0.049, −2.0% from the entry of 0.050, that is a position of $500 (10,000 shares).',
    );
  });

  test('5000 typed for 50.00 is asked about again', () => {
    const steady = { ...call, best: 0.052 };
    const { text, doubt } = pocketedClaim(steady, 5000, 0.052);
    expect(text).toStartWith('Pocketed +$5,000.00. At 0.052');
    expect(text).toContain('$125,000 (2,500,000 shares)');
    expect(doubt).toBe('Few traders hold that much of one stock. Check the figure.');
  });

  test('a value that an earlier price makes plausible is not doubted while the price is back near the entry', () => {
    const { text, doubt } = pocketedClaim({ ...call, best: 0.06 }, 2000, 0.0501);
    expect(text).toContain('that is a position of $1,000,000');
    expect(doubt).toBeNull();
  });

  test('a gain is counted from a cheaper fill', () => {
    expect(pocketedClaim({ ...call, fillPrice: 0.048 }, 50, 0.052).text).toContain(
      'At 0.052, +8.3% from the fill at 0.048, that is a position of $600 (12,500 shares).',
    );
  });

  test('a gain while the price is below the entry is taken from the highest price since the fill', () => {
    const { text, doubt } = pocketedClaim(call, 50, 0.049);
    expect(text).toBe(
      'Pocketed +$50.00. The price is now 0.049, −2.0% from the entry of 0.050. At 0.054, the highest since the fill, that is a position of $625 (12,500 shares).',
    );
    expect(doubt).toBeNull();
  });

  test('what the prices can not have given goes to review, and that is said before', () => {
    const flat = { ...call, best: 0.05, worst: 0.05 };
    expect(pocketedClaim(flat, 50, 0.05)).toEqual({
      text: 'Pocketed +$50.00. The price is now 0.05, 0.0% from the entry of 0.05.',
      doubt:
        'A gain was pocketed, but the price never traded above the entry. An administrator would have to look at it before it counts.',
      hasPrice: true,
    });
    expect(pocketedClaim(call, 90_000, 0.052).doubt).toStartWith('At the best price of its path');
    expect(pocketedClaim({ ...call, filledAt: null }, 5, 0.052).doubt).toStartWith('The call never filled');
  });

  test('nothing pocketed implies nothing', () => {
    expect(pocketedClaim(call, 0, 0.052)).toEqual({ text: 'Pocketed $0.00.', doubt: null, hasPrice: false });
  });

  test('without a known price it is said and not judged beyond what was recorded', () => {
    expect(pocketedClaim({ ...call, best: null, worst: null }, 50, null)).toEqual({
      text: 'Pocketed +$50.00.',
      doubt: null,
      hasPrice: false,
    });
  });
});
