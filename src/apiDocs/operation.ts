import { isRecord, type JsonRecord } from '../lib/json.ts';
import { KEYS } from '../texts/routeContract.ts';
import type { RouteDescription } from './description.ts';
import { plainSchema } from './plainSchema.ts';

/** One route in the document. */
export type Operation = JsonRecord & { parameters?: Parameter[]; responses: Record<string, JsonRecord> };
type Parameter = { name: string; in: string; required: boolean; schema: unknown; example?: string | number };

const REFUSAL = { $ref: '#/components/schemas/Refusal' };

const LEVELS = ['Anyone', 'Signed in', 'Basic or above', 'Premium or above', 'Administrators'];

/** Who may call a route, in words. */
export const levelText = (level: number, key?: keyof typeof KEYS): string =>
  key === undefined ? (LEVELS[level] ?? `Level ${level}`) : `Whoever has the key: ${KEYS[key]}`;

const refusal = (description: string, schema: unknown = REFUSAL): JsonRecord => ({
  description,
  content: { 'application/json': { schema } },
});

/** What every route of its kind may be refused with, by status. */
function commonRefusals(level: number, takesInput: boolean): Record<string, string> {
  const words: Record<string, string> = {};
  if (takesInput) words['400'] = 'Something in the request is missing or wrong; `field` names it.';
  if (level > 0) words['401'] = 'No token, or the session has ended.';
  if (level > 1) words['403'] = `Not allowed at this level. Needed: ${levelText(level).toLowerCase()}.`;
  return words;
}

/** The answers, with those that the plugin could not know of. */
function responsesOf(
  generated: JsonRecord,
  { answer, answerType, refusals = {}, refusalForms = {}, example }: RouteDescription,
  level: number,
  takesInput: boolean,
): Operation['responses'] {
  const responses: Operation['responses'] = {};
  const given = isRecord(generated['responses']) ? generated['responses'] : {};
  const words: Record<string, string> = { ...commonRefusals(level, takesInput), ...refusals };
  for (const [status, one] of Object.entries(given)) {
    if (!isRecord(one)) continue;
    responses[status] = {
      description: Number(status) < 400 ? 'Done.' : (words[status] ?? 'Refused.'),
      content: plainSchema(one['content']) as JsonRecord,
    };
  }
  for (const [status, sentence] of Object.entries(words)) responses[status] ??= refusal(sentence);
  for (const [status, form] of Object.entries(refusalForms)) {
    responses[status] = refusal(words[status] ?? 'Refused.', plainSchema(form));
  }
  const done = String(Math.min(example.status ?? 200, 299));
  if (answerType !== undefined) {
    responses[done] = { description: 'Done.', content: { [answerType]: { schema: { type: 'string' } } } };
  } else if (answer) {
    const content = { 'application/json': { schema: plainSchema(answer) } };
    responses[done] = { description: 'Done.', content };
  }
  responses['default'] = refusal('Any other refusal, in the same form.');
  return responses;
}

function requestBodyOf(
  { generated, body: checked }: DeclaredRoute,
  { body, example }: RouteDescription,
): JsonRecord | null {
  const sent = isRecord(generated['requestBody']) ? generated['requestBody'] : null;
  const types = sent && isRecord(sent['content']) ? sent['content'] : {};
  const json = types['application/json'];
  const schema = body ?? (isRecord(json) ? json['schema'] : checked);
  if (schema === undefined) return null;
  const media = {
    schema: plainSchema(schema),
    ...(example.body === undefined ? {} : { example: example.body }),
  };
  return { required: true, content: { 'application/json': media } };
}

function parametersOf(generated: JsonRecord, { example }: RouteDescription): Parameter[] {
  const list = (Array.isArray(generated['parameters']) ? generated['parameters'] : []) as Parameter[];
  const examples: Record<string, string> = { ...example.params, ...example.query };
  const typed = (text: string, schema: unknown): string | number =>
    isRecord(schema) && (schema['type'] === 'number' || schema['type'] === 'integer') ? Number(text) : text;
  return list.map(({ name, in: place, required, schema: sent }) => {
    const schema = plainSchema(sent);
    const text = examples[name];
    const parameter = { name, in: place, required, schema };
    return text === undefined ? parameter : { ...parameter, example: typed(text, schema) };
  });
}

/** What a route says of itself. */
export type DeclaredRoute = {
  /** The plugin's operation. */
  generated: JsonRecord;
  /** The schema of its body, which the plugin leaves out where the route has a parser of its own. */
  body: unknown;
  /** The least level of its callers; 0 for anyone. */
  level: number;
};

/** One route of the document: what the plugin read from the route, and what its description adds. */
export function describedOperation(route: DeclaredRoute, description: RouteDescription): Operation {
  const { generated, level } = route;
  const { tag, summary, key } = description;
  const parameters = parametersOf(generated, description);
  const requestBody = requestBodyOf(route, description);
  const who = `${levelText(level, key)}.`;
  return {
    operationId: String(generated['operationId']).replaceAll(/-(\w)/g, (_, letter: string) =>
      letter.toUpperCase(),
    ),
    tags: [tag],
    summary,
    description: description.description === undefined ? who : `${who} ${description.description}`,
    'x-level': level,
    security: key === undefined ? generated['security'] : [{ [key]: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === null ? {} : { requestBody }),
    responses: responsesOf(generated, description, level, parameters.length > 0 || requestBody !== null),
  };
}
