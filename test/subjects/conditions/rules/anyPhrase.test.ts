import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkLogic } from '../../../../src/subjects/conditions/rules/checkLogic.ts';
import { MAX_PHRASE, tokensOf } from '../../../../src/subjects/conditions/rules/phrases/tokens.ts';
import { PHRASES } from '../../../fixtures/phrases.ts';
import { logicOfProposals, PHRASE_CATALOG, reading } from '../../../support/phrases.ts';

const WORDS = [...new Set(PHRASES.flatMap(({ says }) => says.split(' ')))];
const SIGNS = [',', ';', '(', ')', '-', '+', '%', '$', '>', '<=', '.', '/', 'and', 'or', 'either', 'between'];
const word = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom(...SIGNS),
  fc.integer({ min: -9999, max: 99999 }).map(String),
);
const phrase = fc.array(word, { minLength: 1, maxLength: 40 }).map((words) => words.join(' '));
const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), phrase);
/** Letters of no language that the grammar knows, and long enough to be no abbreviation. */
const strange = fc.string({ unit: fc.constantFrom('q', 'z', 'j', 'ж', 'ß'), minLength: 5, maxLength: 12 });

describe('any text', () => {
  test('gives conditions that could be saved, and pieces that stand in it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { proposals, missed } = reading(text);
        const logic = logicOfProposals(proposals);
        // Too many may be proposed: what is taken over is counted then.
        if (proposals.length <= 40)
          expect(checkLogic(PHRASE_CATALOG, logic).ok || logic.conditions.length > 10).toBe(true);
        for (const { said } of missed) expect(text.toWellFormed()).toContain(said.toWellFormed());
        for (const { said } of proposals) {
          for (const part of said.split(' or ')) expect(text).toContain(part);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('with a strange word in it never has a condition of that word’s piece', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PHRASES), strange, fc.nat(), ({ says }, foreign, place) => {
        const words = says.split(' ');
        const at = place % (words.length + 1);
        const text = [...words.slice(0, at), foreign, ...words.slice(at)].join(' ');
        const { proposals, missed } = reading(text);
        expect(missed.some(({ said }) => said.includes(foreign))).toBe(true);
        expect(proposals.filter(({ said }) => said.includes(foreign))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('of strange words alone gives nothing', () => {
    fc.assert(
      fc.property(fc.array(strange, { minLength: 1, maxLength: 20 }), (words) => {
        expect(reading(words.join(' ')).proposals).toEqual([]);
      }),
    );
  });

  test('is read to its first three hundred characters', () => {
    const text = `${'price above 5 and '.repeat(50)}`;
    expect(Math.max(...tokensOf(text).map(({ to }) => to))).toBeLessThanOrEqual(MAX_PHRASE + 20);
    expect(reading(text).proposals.length).toBeLessThan(20);
  });
});
