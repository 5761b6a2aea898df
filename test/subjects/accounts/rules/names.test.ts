import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isReserved, skeletonOf } from '#subjects/accounts/rules/lookalikes.ts';
import { refuseName } from '#subjects/accounts/rules/accountRules.ts';

const messageOf = (name: string): string | null => refuseName(name)?.message ?? null;

describe('a name is refused if it misleads', () => {
  test.each(['Mаllory', 'pаypal', 'Αlice', 'Боb', 'ΒHP', 'ЯAnn', 'Ꭺnna', 'Աnn'])(
    '%s mixes alphabets',
    (name) => {
      expect(messageOf(name)).toContain('different alphabets');
    },
  );
  test.each(['Mal\u200Blory', 'Mal\u034Flory', 'Ann\uFE0F', '\u202Ennа', 'a\u2800b', 'a\u3164', 'a\u00ADb'])(
    '%j has an invisible character',
    (name) => {
      expect(messageOf(name)).toContain('invisible');
    },
  );
  test.each(['\u0301Ann', 'Ann \u0301', 'A\u0301\u0302\u0303\u0304nn'])('%j has stray marks', (name) => {
    expect(messageOf(name)).toContain('marks without a letter');
  });
  test.each(['ʙeʟʟ', 'ɑnn', 'ᴀnn'])('%s has phonetic letters', (name) => {
    expect(messageOf(name)).toContain('phonetic');
  });
  test.each([
    'Ann O’Tool/50%',
    'José',
    'Zoë 2',
    'Мария',
    'Νίκος',
    '田中さん',
    'Zoë 李 🦜',
    '김철수',
    'عائشة',
    'नमस्ते',
    'ngô đình',
    'x_y-z.1',
    'O\u0302\u0301',
    'สมชาย',
    'Jürgen Müller',
  ])('%s is accepted', (name) => {
    expect(messageOf(name)).toBeNull();
  });
});

describe('look-alike names', () => {
  test.each([
    ['Mallory', 'MaIIory'],
    ['Mallory', 'ma11ory'],
    ['Mallory', 'Mállóry'],
    ['caroc', 'саrос'],
    ['ace', 'асе'],
    ['Bob', 'B0b'],
    ['Karma', 'Karrna'],
    ['Walter', 'VValter'],
    ['Ope', 'Оре'],
    ['ann lee', 'Ann  Lee'],
    ['TOM', 'ΤΟΜ'],
    ['smorrebrod', 'smørrebrød'],
  ])('%s and %s are look-alikes', (one, other) => {
    expect(skeletonOf(one)).toBe(skeletonOf(other));
  });
  test.each([
    ['Neil', 'Nell'],
    ['Ann', 'Anne'],
    ['Will', 'Bill'],
    ['ann_lee', 'annlee'],
    ['Мария', 'Марина'],
  ])('%s and %s are not look-alikes', (one, other) => {
    expect(skeletonOf(one)).not.toBe(skeletonOf(other));
  });
  test('a skeleton exists for any text and ignores case, except for the letter I', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), (name) => {
        expect(skeletonOf(name)).toBe(skeletonOf(` ${name} `));
      }),
    );
  });
});

test.each([
  'admin',
  'ADMIN',
  'Adm1n',
  'аdmin',
  'admin_2',
  'The Admin',
  'administrator',
  'Bellbird',
  'BeIIbird support',
  'bell_bird',
  'Former user',
  'former user 12',
  'Former_Member 3',
  'support',
  'm0derator',
])('%s is a reserved name', (name) => {
  expect(isReserved(name)).toBe(true);
});
test.each(['badminton', 'Ann', 'Supporter', 'bellhop', 'former', 'Bird', 'Currawong', 'Rooty Hill'])(
  '%s is not reserved',
  (name) => {
    expect(isReserved(name)).toBe(false);
  },
);
