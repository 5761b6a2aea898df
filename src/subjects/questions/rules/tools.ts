import { readCode } from '#platform/chatClients/rules/chatCommand.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { isRecord, type JsonRecord, parseJson } from '#lib/json.ts';
import { readChoice, readCount, readText } from '#lib/read.ts';
import { failed, ok, type Result } from '#lib/result.ts';
import { quoted } from '#texts/quoted.ts';
import type { QuestionLevel } from './question.ts';

/** Scanners whose rows are the same for everybody: the custom scanner's are each user's own. */
export const MOVER_SCANNERS = [
  'preMarket',
  'intraDaySmall',
  'intraDayMidLarge',
  'intraDayLargeCap',
] as const satisfies readonly ScannerKey[];
export type MoverScanner = (typeof MOVER_SCANNERS)[number];

/** A call of a tool whose arguments were checked. */
export type ToolInput =
  | { name: 'quote' | 'announcements'; symbol: string }
  | { name: 'movers'; scanner: MoverScanner; limit: number }
  | { name: 'calendar' | 'leaderboard' };
export type ToolName = ToolInput['name'];

/** A tool as a model is told of it; `parameters` is a JSON Schema of an object. */
export type Tool = { name: ToolName; description: string; parameters: JsonRecord };

export const MAX_MOVERS = 20;
const DEFAULT_MOVERS = 10;

const object = (properties: JsonRecord, required: readonly string[] = []): JsonRecord => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const SYMBOL = { type: 'string', description: 'Code of a stock on the ASX, for instance BHP' };

/** Every tool, with the least level that may use it. What a visitor sees on the Calls page is public. */
const TOOLS: readonly (Tool & { minLevel: QuestionLevel })[] = [
  {
    name: 'quote',
    description: 'Price of one stock now, with its previous close and change',
    parameters: object({ symbol: SYMBOL }, ['symbol']),
    minLevel: 0,
  },
  {
    name: 'leaderboard',
    description: 'Results of those who submit trade ideas (Calls), best first',
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

/** The tools of a level. */
export const toolsFor = (level: QuestionLevel): Tool[] =>
  TOOLS.filter(({ minLevel }) => level >= minLevel).map(({ minLevel: _, ...tool }) => tool);

/** Arguments that a model writes are a few words. */
const MAX_ARGUMENTS = 2000;
const ARGUMENTS_DEPTH = 4;
const CODE = /^[A-Z0-9]{1,8}$/;

/** What a model wrote as arguments, as an object; null when it is none. Nothing at all is no arguments. */
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

/**
 * Checks a call that a model made.
 * @returns the call, or a sentence for the model
 */
export function readToolCall(
  call: { name: string; argumentsText: string },
  level: QuestionLevel,
): Result<ToolInput, string> {
  const tools = toolsFor(level);
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool) {
    const names = tools.map(({ name }) => name).join(', ');
    return failed(`There is no tool "${quoted(call.name)}". The tools are ${names}.`);
  }
  const args = readArguments(call.argumentsText);
  if (args === null) return failed('The arguments are no JSON object.');
  return readInput(tool.name, args);
}
