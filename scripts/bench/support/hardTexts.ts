import { type AST, visitRegExpAST } from '@eslint-community/regexpp';
import { parsePattern } from '#support/patterns.ts';

/** Characters of every kind, to find one that a set takes. */
const CANDIDATES = [...'a1A -._/:="\'[{+,;|@#?&<%\\\n\t\u0001\ufeff\u2212€'];

/** The least repeats that a sample shows of an element; more would only make it longer. */
const MAX_SHOWN = 40;

function sampleOf(node: AST.Element, flags: string): string {
  switch (node.type) {
    case 'Character':
      return String.fromCodePoint(node.value);
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass': {
      const one = new RegExp(`^(?:${node.raw})$`, flags.replaceAll(/[gy]/g, ''));
      return CANDIDATES.find((candidate) => one.test(candidate)) ?? '';
    }
    case 'Group':
    case 'CapturingGroup':
      return sequenceOf(node.alternatives[0]?.elements ?? [], flags);
    case 'Quantifier':
      return sampleOf(node.element, flags).repeat(Math.min(Math.max(node.min, 1), MAX_SHOWN));
    default:
      // An assertion takes no characters; a reference repeats what was taken before.
      return '';
  }
}

const sequenceOf = (elements: readonly AST.Element[], flags: string): string =>
  elements.map((element) => sampleOf(element, flags)).join('');

/**
 * Texts that a pattern may find hard: each piece of what it looks for, and each beginning of it, repeated, after each
 * beginning of a match, with an end that fits nothing.
 * @param length about how long each is
 */
export function hardTexts(pattern: RegExp, length: number): string[] {
  const pieces = new Set<string>();
  const beginnings = new Set<string>(['']);
  visitRegExpAST(parsePattern(pattern), {
    onAlternativeEnter: ({ elements }) => {
      elements.forEach((element, index) => {
        const sample = sampleOf(element, pattern.flags);
        const upToHere = sequenceOf(elements.slice(0, index + 1), pattern.flags);
        for (const piece of [sample, upToHere, `${sample}${sample}`, `${sample} `, ` ${upToHere}`]) {
          pieces.add(piece);
        }
        beginnings.add(upToHere);
      });
    },
    onQuantifierEnter: ({ element }) => void pieces.add(sampleOf(element, pattern.flags)),
  });
  return [...pieces]
    .filter((piece) => piece !== '')
    .flatMap((piece) => {
      const repeated = piece.repeat(Math.ceil(length / piece.length));
      return [...beginnings].slice(0, 6).map((beginning) => `${beginning}${repeated}\u0000`);
    });
}
