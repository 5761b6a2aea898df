import type { Finding, FindingState } from '#lib/finding.ts';

const WORDS: Readonly<Record<FindingState, string>> = { ok: 'ok', warning: 'warning', wrong: 'wrong' };
const COLOURS: Readonly<Record<FindingState, string>> = { ok: '32', warning: '33', wrong: '31' };
const GAP = 2;
/** Control characters of a file's name or of what a server said would command the terminal. */
const CONTROLS = /\p{Cc}/gu;

const clean = (text: string): string => text.replace(CONTROLS, ' ');
const widest = (words: readonly string[]): number => Math.max(0, ...words.map((word) => word.length)) + GAP;

/**
 * What a check found, a line each in aligned columns, and below it what to do.
 * @param hasColours whether the state's word is coloured
 */
export function findingLines(findings: readonly Finding[], hasColours: boolean): string[] {
  const stateWidth = widest(Object.values(WORDS));
  const whatWidth = widest(findings.map(({ what }) => what));
  return findings.flatMap(({ what, state, says, remedy }) => {
    const word = WORDS[state].padEnd(stateWidth);
    const shown = hasColours ? `\u001b[${COLOURS[state]}m${word}\u001b[0m` : word;
    const line = `${shown}${what.padEnd(whatWidth)}${clean(says)}`;
    const indent = ' '.repeat(stateWidth + whatWidth);
    return remedy === null ? [line] : [line, `${indent}→ ${clean(remedy)}`];
  });
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** The last line: how much is wrong. */
export function summaryLine(findings: readonly Finding[]): string {
  const wrong = findings.filter(({ state }) => state === 'wrong').length;
  const warnings = findings.filter(({ state }) => state === 'warning').length;
  if (wrong + warnings === 0) return 'Nothing is wrong.';
  const told = warnings === 0 ? '' : `, ${counted(warnings, 'warning', 'warnings')}`;
  return `${wrong === 0 ? 'Nothing is wrong' : counted(wrong, 'thing is wrong', 'things are wrong')}${told}.`;
}
