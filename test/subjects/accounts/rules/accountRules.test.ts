import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  accountKey,
  checkLogin,
  checkRegistration,
  type RegisterInput,
} from '#subjects/accounts/rules/accountRules.ts';
import { accessLevel } from '#platform/http/rules/accessLevel.ts';
import { ok } from '#lib/result.ts';
import { messageOf, refusalOf } from '#support/refusals.ts';

describe('accountKey', () => {
  const same: [string, string][] = [
    ['Anna', 'ANNA'],
    [' anna ', 'Anna'],
    ['STRASSE', 'straße'],
    ['STRAẞE', 'straße'],
    ['ÄNNA', 'a\u0308nna'],
    ['ﬁn', 'FIN'],
    ['ＡＳＸ', 'asx'],
    ['ΟΔΟΣ', 'οδος'],
    ['K', '\u212a'],
  ];
  for (const [one, other] of same) {
    test(`"${one}" and "${other}" are the same name`, () => expect(accountKey(one)).toBe(accountKey(other)));
  }
  test('different names have different keys', () => {
    expect(accountKey('anna')).not.toBe(accountKey('änna'));
    expect(accountKey('anna')).not.toBe(accountKey('an na'));
  });
  test('a key is its own key and ignores case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const key = accountKey(name);
        expect(accountKey(key)).toBe(key);
        expect(accountKey(name.toUpperCase())).toBe(key);
      }),
    );
  });
});

describe('checkRegistration', () => {
  const registerError = (input: RegisterInput) => messageOf(checkRegistration(input));
  const good = { username: 'anna', password: '123456' };
  test('accepts a valid form', () => {
    expect(registerError(good)).toBeNull();
    expect(registerError({ ...good, confirm: '123456', email: ' anna@example.com ' })).toBeNull();
    expect(registerError({ ...good, username: 'Zoë 李 🦜', email: '' })).toBeNull();
  });
  test('returns the first error in the order of the specification', () => {
    const worst = { username: ' ', password: '12345', confirm: 'x', email: 'nonsense' };
    expect(registerError(worst)).toBe('Username is required');
    expect(registerError({ ...worst, username: 'a' })).toBe('Password must be at least 6 characters');
    expect(registerError({ ...worst, username: 'a', password: '123456' })).toBe('Passwords do not match');
    expect(registerError({ ...worst, username: 'a', password: '123456', confirm: '123456' })).toBe(
      'Enter a valid email address, or leave it empty',
    );
  });
  test('returns name and email in their stored form', () => {
    const typed = { username: ' anna ', password: '123456' };
    const stored = { username: 'anna', password: '123456' };
    expect(checkRegistration({ ...typed, email: ' a@b.example ' })).toEqual(
      ok({ ...stored, email: 'a@b.example' }),
    );
    for (const email of ['', '  ', null]) {
      expect(checkRegistration({ ...typed, email })).toEqual(ok({ ...stored, email: null }));
    }
    expect(checkRegistration(typed)).toEqual(ok({ ...stored, email: null }));
  });

  const refusals: [change: object, field: keyof RegisterInput, message: string][] = [
    [{ username: ' ' }, 'username', 'Username is required'],
    [{ password: '12345' }, 'password', 'Password must be at least 6 characters'],
    [{ password: 'x'.repeat(257) }, 'password', 'Password must be at most 256 characters'],
    [{ confirm: '1234567' }, 'confirm', 'Passwords do not match'],
    [{ username: 'x'.repeat(51) }, 'username', 'Username must be at most 50 characters'],
    [{ username: 'an\u200bna' }, 'username', 'Username must not contain invisible characters'],
    [{ email: 'anna at home' }, 'email', 'Enter a valid email address, or leave it empty'],
    [{ email: `${'x'.repeat(250)}@b.example` }, 'email', 'Enter a valid email address, or leave it empty'],
  ];
  for (const [change, field, message] of refusals) {
    test(`"${message}" is the error of ${field}`, () =>
      expect(refusalOf(checkRegistration({ ...good, ...change }))).toEqual([field, message]));
  }
});

test('login reports the first empty field', () => {
  const fieldOf = (identifier: string, password: string) =>
    refusalOf(checkLogin({ identifier, password }))?.[0];
  expect(fieldOf(' ', 'x')).toBe('identifier');
  expect(fieldOf('', '')).toBe('identifier');
  expect(fieldOf('a', '')).toBe('password');
});

test('levels are 1 free, 2 basic, 3 premium, 4 administrator', () => {
  const level = (subscriptionType: 'free' | 'basic' | 'premium', isAdmin = false) =>
    accessLevel({ subscriptionType, isAdmin });
  expect([level('free'), level('basic'), level('premium'), level('free', true)]).toEqual([1, 2, 3, 4]);
});
