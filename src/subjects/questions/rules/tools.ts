import { isRecord, type JsonRecord, parseJson } from '#lib/json.ts';
import { readChoice, readCount, readText } from '#lib/read.ts';
import { failed, ok, type Result } from '#lib/result.ts';
import { phaseAt } from '#market/rules/sessionClock.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { readCode } from '#platform/chatClients/rules/chatCommand.ts';
import { quoted } from '#lib/wording.ts';
import type { QuestionLevel } from './question.ts';

/** Scanners that questions can read. The custom scanner is left out, because each user configures it. */
const MOVER_SCANNERS = [
  'preMarket',
  'intraDaySmall',
  'intraDayMidLarge',
  'intraDayLargeCap',
] as const satisfies readonly ScannerKey[];
export type MoverScanner = (typeof MOVER_SCANNERS)[number];

export type ToolInput =
  | { name: 'quote' | 'announcements'; symbol: string }
  | { name: 'movers'; scanner: MoverScanner; limit: number }
  | { name: 'calendar' | 'leaderboard' };
type ToolName = ToolInput['name'];

/** `parameters` is a JSON Schema of an object. */
type Tool = { name: ToolName; description: string; parameters: JsonRecord };

const MAX_MOVERS = 20;
const DEFAULT_MOVERS = 10;

const object = (properties: JsonRecord, required: readonly string[] = []): JsonRecord => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const SYMBOL = { type: 'string', description: 'Code of a stock on the ASX, for instance BHP' };

/** The tools; `minLevel` is the lowest level that may use one. The Calls page shows some values to visitors. */
const TOOLS: readonly (Tool & { minLevel: QuestionLevel })[] = [
  {
    name: 'quote',
    description: 'Price of one stock now, with its previous close and change',
    parameters: object({ symbol: SYMBOL }, ['symbol']),
    minLevel: 0,
  },
  {
    name: 'leaderboard',
    description: 'Results of users who submit trade ideas (Calls), best first',
    parameters: object({}),
    minLevel: 0,
  },
  {
    name: 'movers',
    description:
      'Today’s movers of a scanner: preMarket (gap ups before the open), intraDaySmall (opened under $1), ' +
      'intraDayMidLarge (opened at $1 or over), intraDayLargeCap (market cap of a billion or over)',
    parameters: object(
      {
        scanner: { type: 'string', enum: MOVER_SCANNERS },
        limit: { type: 'integer', minimum: 1, maximum: MAX_MOVERS, default: DEFAULT_MOVERS },
      },
      ['scanner'],
    ),
    minLevel: 2,
  },
  {
    name: 'announcements',
    description: 'The newest announcements of one company, with their times; they may be weeks old',
    parameters: object({ symbol: SYMBOL }, ['symbol']),
    minLevel: 2,
  },
  {
    name: 'calendar',
    description: 'Economic events of today in Sydney, with their figures',
    parameters: object({}),
    minLevel: 2,
  },
];

export const toolsFor = (level: QuestionLevel): Tool[] =>
  TOOLS.filter(({ minLevel }) => level >= minLevel).map(({ minLevel: _, ...tool }) => tool);

/** Limit in characters; real arguments are a few words. */
const MAX_ARGUMENTS = 2000;
const ARGUMENTS_DEPTH = 4;
const CODE = /^[A-Z0-9]{1,8}$/;

/** Reads arguments; null if they are not an object. An empty text means no arguments. */
export function readArguments(text: string): JsonRecord | null {
  if (text.trim() === '') return {};
  if (text.length > MAX_ARGUMENTS) return null;
  const parsed = parseJson(text, { maxDepth: ARGUMENTS_DEPTH });
  return parsed.ok && isRecord(parsed.value) ? parsed.value : null;
}

const readScanner = readChoice(MOVER_SCANNERS);

function readSymbol(args: JsonRecord): string | null {
  const code = readCode(readText(args['symbol']) ?? '');
  return CODE.test(code) ? code : null;
}

function readInput(name: ToolName, args: JsonRecord): Result<ToolInput, string> {
  if (name === 'calendar' || name === 'leaderboard') return ok({ name });
  if (name === 'movers') {
    const scanner = readScanner(args['scanner']);
    if (!scanner) return failed(`The argument "scanner" must be one of ${MOVER_SCANNERS.join(', ')}.`);
    const limit = Math.max(1, readCount(args['limit']) ?? DEFAULT_MOVERS);
    return ok({ name, scanner, limit: Math.min(limit, MAX_MOVERS) });
  }
  const symbol = readSymbol(args);
  return symbol === null
    ? failed('The argument "symbol" must be the code of a stock, for instance BHP.')
    : ok({ name, symbol });
}

/** @returns the checked call, or a sentence for the model */
export function readToolCall(
  call: { name: string; argumentsText: string },
  level: QuestionLevel,
): Result<ToolInput, string> {
  const tools = toolsFor(level);
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool) {
    const names = tools.map(({ name }) => name).join(', ');
    return failed(`Unknown tool "${quoted(call.name)}". The tools are ${names}.`);
  }
  const args = readArguments(call.argumentsText);
  if (args === null) return failed('The arguments must be a JSON object.');
  return readInput(tool.name, args);
}

type GuessedCall = { name: ToolName; argumentsText: string };

const MAX_SYMBOLS = 2;
/** Limit of words that are looked up as codes. */
const MAX_WORDS = 400;

/** Codes that usually are ordinary words. */
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

/** Codes in a question, in order: words in capitals, or in any case after $ or ASX:. */
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

/** @param now epoch ms by the market's clock */
const scannersAt = (now: number): MoverScanner[] =>
  phaseAt(now).phase === 'pre-open' ? ['preMarket'] : ['intraDaySmall', 'intraDayMidLarge'];

const call = (name: ToolName, args: object = {}): GuessedCall => ({
  name,
  argumentsText: JSON.stringify(args),
});

/**
 * Guesses the calls for a question without a model: of the codes in it, otherwise of the movers; of the calendar; of
 * the leaderboard.
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
