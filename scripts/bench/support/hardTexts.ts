import { type AST, visitRegExpAST } from '@eslint-community/regexpp';
import { parsePattern } from '#support/patterns.ts';

/** Characters of every kind, to find a member of a set. */
const CANDIDATES = [...'a1A -._/:="\'[{+,;|@#?&<%\\\n\t\u0001\ufeff\u2212€'];

/** Limit for minimum repeats; more would only make samples longer. */
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
      // An assertion takes no characters; a reference repeats earlier ones.
      return '';
  }
}

const sequenceOf = (elements: readonly AST.Element[], flags: string): string =>
  elements.map((element) => sampleOf(element, flags)).join('');

/**
 * Texts that may be hard for a pattern: each of its parts and beginnings, repeated, after each beginning of a
 * match, with an end that does not match.
 * @param length approximate length of each
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
