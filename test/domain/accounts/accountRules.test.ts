import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  accessLevel,
  accountKey,
  loginError,
  registerError,
} from '../../../src/domain/accounts/accountRules.ts';

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
    test(`"${one}" and "${other}" are one name`, () => expect(accountKey(one)).toBe(accountKey(other)));
  }
  test('different names stay different', () => {
    expect(accountKey('anna')).not.toBe(accountKey('änna'));
    expect(accountKey('anna')).not.toBe(accountKey('an na'));
  });
  test('a key is its own key, and case never matters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const key = accountKey(name);
        expect(accountKey(key)).toBe(key);
        expect(accountKey(name.toUpperCase())).toBe(key);
      }),
    );
  });
});

describe('registerError', () => {
  const good = { username: 'anna', password: '123456' };
  test('a good form', () => {
    expect(registerError(good)).toBeNull();
    expect(registerError({ ...good, confirm: '123456', email: ' anna@example.com ' })).toBeNull();
    expect(registerError({ ...good, username: 'Zoë 李 🦜', email: '' })).toBeNull();
  });
  test('says the first thing that is wrong, in the order of the specification', () => {
    const worst = { username: ' ', password: '12345', confirm: 'x', email: 'nonsense' };
    expect(registerError(worst)).toBe('Username is required');
    expect(registerError({ ...worst, username: 'a' })).toBe('Password must be at least 6 characters');
    expect(registerError({ ...worst, username: 'a', password: '123456' })).toBe('Passwords do not match');
    expect(registerError({ ...worst, username: 'a', password: '123456', confirm: '123456' })).toBe(
      'Enter a valid email address, or leave it empty',
    );
  });
  test('refuses names that look like another', () => {
    for (const username of ['an\u0000na', 'an\u202ena', '\u3164', 'a\u2028b']) {
      expect(registerError({ ...good, username })).toBe('Username must not contain invisible characters');
    }
  });
});

test('login needs both fields', () => {
  expect(loginError({ identifier: 'a', password: ' ' })).toBeNull();
  expect(loginError({ identifier: ' ', password: 'x' })).toBe('Username and password are required');
  expect(loginError({ identifier: 'a', password: '' })).toBe('Username and password are required');
});

test('levels: 1 free, 2 basic, 3 premium, 4 administrator', () => {
  const level = (subscriptionType: 'free' | 'basic' | 'premium', isAdmin = false) =>
    accessLevel({ subscriptionType, isAdmin });
  expect([level('free'), level('basic'), level('premium'), level('free', true)]).toEqual([1, 2, 3, 4]);
});
