import { describe, expect, test } from 'bun:test';
import { inBlocks, isFresh, readCode } from '#subjects/accounts/rules/secondFactor.ts';
import { base32, codeAt, otpauthAddress, stepAt, stepOf } from '#subjects/accounts/rules/totp.ts';

/** The secret of RFC 6238, appendix B, in base32. */
const SECRET = base32(new TextEncoder().encode('12345678901234567890'));
const SECOND = 1000;

describe('codes', () => {
  // The last six digits of the eight digits in the RFC.
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const) {
    test(`match RFC 6238 at ${seconds} s`, () => {
      expect(codeAt(SECRET, seconds * SECOND)).toBe(code);
      expect(stepOf(SECRET, code, seconds * SECOND)).toBe(Math.floor(seconds / 30));
    });
  }
  test('are accepted at most one step early or late', () => {
    const now = 1_111_111_109 * SECOND;
    const steps = [-2, -1, 0, 1, 2].map((away) =>
      stepOf(SECRET, codeAt(SECRET, now + away * 30 * SECOND), now),
    );
    expect(steps).toEqual([null, stepAt(now) - 1, stepAt(now), stepAt(now) + 1, null]);
  });
  test('each step works once, and a future last step is ignored', () => {
    const fresh = [
      [10, 9, 10],
      [10, 10, 10],
      [9, 10, 10],
      [11, 10, 10],
      [10, 99_999, 10],
    ].map(([step = 0, last = 0, current = 0]) => isFresh(step, last, current));
    expect(fresh).toEqual([true, false, false, true, true]);
  });
  test('the setup address contains issuer, account and secret', () => {
    const address = new URL(otpauthAddress(SECRET, 'Ann & Bob'));
    expect(address.protocol).toBe('otpauth:');
    expect(decodeURIComponent(address.pathname)).toContain('Bellbird:Ann & Bob');
    expect(address.searchParams.get('secret')).toBe(SECRET);
    expect(address.searchParams.get('digits')).toBe('6');
  });
});

describe('a typed code', () => {
  test('may contain blanks and hyphens, in upper or lower case', () => {
    expect(readCode(' 123 456\n')).toEqual({ ok: true, value: { is: 'totp', code: '123456' } });
    expect(readCode('abcd-efgh-2345-wxyz')).toEqual({
      ok: true,
      value: { is: 'recovery', code: 'ABCDEFGH2345WXYZ' },
    });
  });
  test('is refused if it is not a code, however long', () => {
    for (const typed of ['', ' - ', '12345', '1234567', 'abc', 'ABCDEFGH2345WXY1', '1'.repeat(1e6)]) {
      expect(readCode(typed).ok).toBe(false);
    }
  });
  test('long codes are shown in blocks of four', () => {
    expect([inBlocks('ABCDEFGH'), inBlocks('ABCDEF', ' ')]).toEqual(['ABCD-EFGH', 'ABCD EF']);
  });
});
