import { describe, expect, test } from 'bun:test';
import { deviceOf } from '#subjects/accounts/rules/device.ts';
import { checkPasswordChange, formerName } from '#subjects/accounts/rules/accountRules.ts';
import {
  checkDeclineReason,
  checkUpgrade,
  isAbove,
  MAX_REASON_LENGTH,
  readPaidPlan,
} from '#subjects/accounts/rules/upgrade.ts';

describe('an upgrade request', () => {
  test.each([
    ['free', 'basic', null],
    ['free', 'premium', null],
    ['basic', 'premium', null],
    ['basic', 'basic', 'You already have the Basic plan.'],
    ['premium', 'premium', 'You already have the Premium plan.'],
    ['premium', 'basic', 'You already have the Premium plan, which is above Basic.'],
  ] as const)('%s requesting %s returns %p', (current, wanted, message) => {
    const checked = checkUpgrade(current, wanted);
    expect(checked).toEqual(
      message === null ? { ok: true, value: wanted } : { ok: false, error: { field: 'level', message } },
    );
  });

  test.each(['free', 'none', '', 'Premium', null, undefined, 3, {}])('%p is not a paid plan', (level) =>
    expect(readPaidPlan(level)).toBeNull(),
  );

  test('ranks premium above basic above free, and no plan above itself', () => {
    expect([
      isAbove('premium', 'basic'),
      isAbove('basic', 'free'),
      isAbove('basic', 'basic'),
      isAbove('free', 'premium'),
    ]).toEqual([true, true, false, false]);
  });
});

describe('the reason for declining an upgrade', () => {
  test('becomes one line of plain text', () =>
    expect(checkDeclineReason('  Not\n\tyet\u202e. ')).toEqual({ ok: true, value: 'Not yet .' }));
  test.each(['', '  ', '\u0000\n'])('%p is refused as empty', (typed) =>
    expect(checkDeclineReason(typed)).toMatchObject({ ok: false, error: { field: 'reason' } }),
  );
  test('may be as long as the limit, counted in visible characters', () => {
    expect(checkDeclineReason('😀'.repeat(MAX_REASON_LENGTH)).ok).toBeTrue();
    expect(checkDeclineReason('x'.repeat(MAX_REASON_LENGTH + 1)).ok).toBeFalse();
    expect(checkDeclineReason('x'.repeat(1_000_000)).ok).toBeFalse();
  });
});

describe('a password change', () => {
  const change = { currentPassword: 'a good one', newPassword: 'a better one', confirm: 'a better one' };
  test('is accepted if the form is valid', () => expect(checkPasswordChange(change).ok).toBeTrue());
  test.each([
    [{ currentPassword: '' }, 'currentPassword', 'Enter your current password'],
    [{ newPassword: '12345' }, 'newPassword', 'Password must be at least 6 characters'],
    [{ newPassword: 'x'.repeat(257) }, 'newPassword', 'Password must be at most 256 characters'],
    [{ confirm: 'a bitter one' }, 'confirm', 'Passwords do not match'],
    [
      { newPassword: 'a good one', confirm: 'a good one' },
      'newPassword',
      'Choose a password different from the current one',
    ],
  ])('with %p is refused at field %s', (sent, field, message) =>
    expect(checkPasswordChange({ ...change, ...sent })).toEqual({ ok: false, error: { field, message } }),
  );
});

test.each([
  ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox on Android'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  ['curl/8.5.0', 'curl'],
  ['an unknown client', null],
  ['', null],
  [null, null],
  [`${'x'.repeat(100_000)} Firefox/1`, null],
])('names the device of user agent %s', (userAgent, words) => expect(deviceOf(userAgent)).toBe(words));

test('a deleted account gets a neutral name, with a number if that is taken', () => {
  expect([formerName(12, 1), formerName(12, 2)]).toEqual(['Former member 12', 'Former member 12 (2)']);
});
