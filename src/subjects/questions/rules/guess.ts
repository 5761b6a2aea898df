import { phaseAt } from '#market/rules/sessionClock.ts';
import type { QuestionLevel } from './question.ts';
import { type MoverScanner, type ToolName, toolsFor } from './tools.ts';

/** A call as a model would have made it. */
export type GuessedCall = { name: ToolName; argumentsText: string };

const MAX_SYMBOLS = 2;
/** Whether a word is a code is looked up, so only these many words are looked at. */
const MAX_WORDS = 400;

/** Words that are codes and yet mostly words. */
const WORDS: ReadonlySet<string> = new Set([
  'ALL',
  'ANY',
  'ARE',
  'ASX',
  'CAN',
  'DAY',
  'FOR',
  'HAS',
  'HOW',
  'NOW',
  'THE',
  'TOP',
  'WAS',
  'WHO',
  'WHY',
]);

/** The codes that a question names, in its order: written in capitals, or any way when a $ or ASX: stands before. */
export function namedCodes(question: string, codes: { has(code: string): boolean }): string[] {
  const found = new Set<string>();
  const words = question.split(/[^\w$:]/, MAX_WORDS);
  for (const word of words) {
    const isMarked = /^(?:\$|ASX:)\w/i.test(word);
    const code = word.replace(/^(?:\$|ASX:)/i, '');
    const isCode = isMarked || (code === code.toUpperCase() && !WORDS.has(code));
    if (isCode && codes.has(code.toUpperCase())) found.add(code.toUpperCase());
    if (found.size === MAX_SYMBOLS) break;
  }
  return [...found];
}

/** The scanners that matter at a time of day. @param now epoch ms on the market's clock */
const scannersAt = (now: number): MoverScanner[] =>
  phaseAt(now).phase === 'pre-open' ? ['preMarket'] : ['intraDaySmall', 'intraDayMidLarge'];

const call = (name: ToolName, args: object = {}): GuessedCall => ({
  name,
  argumentsText: JSON.stringify(args),
});

/**
 * The calls that a question would need, as far as can be guessed without a model: the codes that it names, else the
 * movers; the calendar; the leaderboard.
 * @param context.codes the live list, upper case
 */
export function dataFor(
  question: string,
  context: { codes: { has(code: string): boolean }; level: QuestionLevel; now: number },
): GuessedCall[] {
  const symbols = namedCodes(question, context.codes);
  const calls = [
    ...symbols.map((symbol) => call('quote', { symbol })),
    ...symbols.slice(0, 1).map((symbol) => call('announcements', { symbol })),
    ...scannersAt(context.now)
      .slice(0, symbols.length > 0 ? 1 : 2)
      .map((scanner) => call('movers', { scanner, limit: 5 })),
    call('calendar'),
    call('leaderboard'),
  ];
  const allowed = new Set(toolsFor(context.level).map(({ name }) => name));
  return calls.filter(({ name }) => allowed.has(name));
}
