import { type AST, visitRegExpAST } from '@eslint-community/regexpp';
import { parsePattern } from '#support/patterns.ts';

/** Characters of every kind, from which a member of a set is taken. */
const CANDIDATES = [...'a1A -._/:="\'[{+,;|@#?&<%\\\n\t\u0001\ufeff\u2212€'];

/** Limit of minimum repeats; more would only make samples longer. */
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
      // An assertion matches no characters; a reference repeats earlier ones.
      return '';
  }
}

const sequenceOf = (elements: readonly AST.Element[], flags: string): string =>
  elements.map((element) => sampleOf(element, flags)).join('');

/**
 * Texts that may be hard for a pattern: each of its parts and beginnings, repeated, after each beginning of a match,
 * with an end that does not match.
 * @param length approximate length of each text
 */
export function hardTexts(pattern: RegExp, length: number): string[] {
  const parts = new Set<string>();
  const beginnings = new Set<string>(['']);
  visitRegExpAST(parsePattern(pattern), {
    onAlternativeEnter: ({ elements }) => {
      elements.forEach((element, index) => {
        const sample = sampleOf(element, pattern.flags);
        const upToHere = sequenceOf(elements.slice(0, index + 1), pattern.flags);
        for (const part of [sample, upToHere, `${sample}${sample}`, `${sample} `, ` ${upToHere}`]) {
          parts.add(part);
        }
        beginnings.add(upToHere);
      });
    },
    onQuantifierEnter: ({ element }) => void parts.add(sampleOf(element, pattern.flags)),
  });
  return [...parts]
    .filter((part) => part !== '')
    .flatMap((part) => {
      const repeated = part.repeat(Math.ceil(length / part.length));
      return [...beginnings].slice(0, 6).map((beginning) => `${beginning}${repeated}\u0000`);
    });
}

/** Linear work needs less than this for LONG characters, ms. */
const SUSPICIOUS_MS = 5;
/** If a quarter of the text needs longer (ms), smaller parts are measured, because the whole would take too long. */
const LONG_MS = 20;
/** Allowed factor for four times the length; quadratic work would have 16. */
const MAX_GROWTH = 10;
/** If a quarter of the text needs less (ms), the whole cannot be suspicious. */
const HARMLESS_MS = SUSPICIOUS_MS / 16;
const SAMPLES = 5;
/** Time (ms) beside which that of other threads (collector, compiler) is negligible. */
const CERTAIN_MS = 100;

type Work = () => unknown;

/**
 * The least of several measurements, to exclude interruptions, ms. Uses processor time, because other programs run too.
 */
function timeOf(run: Work, times: number): number {
  const measured = Array.from({ length: times }, () => {
    const started = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  });
  return Math.min(...measured);
}

function isSteep(shorter: Work, longer: Work): boolean {
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const short = Math.max(timeOf(shorter, 8), 0.001);
    const first = timeOf(longer, 1);
    const long = first > CERTAIN_MS ? first : Math.min(first, timeOf(longer, 3));
    if (long / short <= MAX_GROWTH) return false;
  }
  return true;
}

export function growsTooFast(on: { sixteenth: Work; quarter: Work; whole: Work }): boolean {
  const quarter = timeOf(on.quarter, 2);
  if (quarter < HARMLESS_MS) return false;
  // Work that is mostly linear on a short text may not be so on a longer one.
  if (quarter > LONG_MS) return isSteep(on.sixteenth, on.quarter) || isSteep(on.quarter, on.whole);
  return timeOf(on.whole, 2) >= SUSPICIOUS_MS && isSteep(on.quarter, on.whole);
}
