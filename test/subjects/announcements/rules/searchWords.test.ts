import { describe, expect, test } from 'bun:test';
import {
  hasWords,
  searchWords,
  wantedWords,
} from '../../../../src/subjects/announcements/rules/searchWords.ts';

describe('the words of a text', () => {
  test('are lower case, without accents, apostrophes and what stands between them', () => {
    expect(searchWords("Change of Director's Interest – Café (Appendix 3Y)")).toEqual([
      'change',
      'of',
      'directors',
      'interest',
      'cafe',
      'appendix',
      '3y',
    ]);
    expect(searchWords('"* OR (NEAR ^ col:x')).toEqual(['or', 'near', 'col', 'x']);
    expect(searchWords(' -- ')).toEqual([]);
  });
});

describe('a headline is found', () => {
  const has = (headline: string, typed: string) => hasWords(searchWords(headline), wantedWords(typed));

  test('by all words, in any order, the last perhaps not finished', () => {
    expect(has('Quarterly Activities Report', 'report quarterly')).toBe(true);
    expect(has('Quarterly Activities Report', 'activities quart')).toBe(true);
    expect(has('Quarterly Activities Report', 'quart activities')).toBe(false);
    expect(has('Quarterly Activities Report', 'activities halt')).toBe(false);
  });

  test('without a last letter that has only been begun; a single letter is a word', () => {
    expect(has('Quarterly Activities Report', 'quarterly x')).toBe(true);
    expect(has('Quarterly Activities Report', 'q-')).toBe(false);
    expect(has('Plan B', 'b-')).toBe(true);
  });
});
