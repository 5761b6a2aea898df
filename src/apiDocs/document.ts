import { toOpenAPISchema } from '@elysiajs/openapi/openapi';
import type { AnyElysia, TSchema } from 'elysia';
import { CONTRACTS } from '../contracts.ts';
import type { Form } from '../lib/contract/fields.ts';
import { isRecord, type JsonRecord } from '../lib/json.ts';
import { capitalised } from '../lib/wording.ts';
import { declaredLevel } from '../platform/http/auth.ts';
import { namedSchemas, toldSchema } from '../platform/http/contract.ts';
import type { About } from '../platform/install/about.ts';
import { alert } from '../subjects/alerts/answers/alert.ts';
import { logic, ref } from '../subjects/conditions/answers/logic.ts';
import { column } from '../subjects/scanners/answers/columns.ts';
import {
  KEYS,
  type RouteContract,
  type RouteContracts,
  type RouteWords,
  TAGS,
} from '../texts/routeContract.ts';

/** The documented text of a route, and the schemas of its values. */
type RouteDescription = RouteWords & {
  body?: TSchema;
  /** Set if the documented schema differs from the one in the route. */
  answer?: TSchema;
  /** By status. Only refusals that hold more than a sentence. */
  refusalForms: Readonly<Record<string, TSchema>>;
};

function saysMore(form: Form): boolean {
  if (form.is === 'named' || form.is === 'sent') return true;
  if (form.is === 'object') return Object.values(form.of).some((member) => saysMore(member.form));
  if (form.is === 'anyOf') return form.of.some(saysMore);
  return form.is === 'list' || form.is === 'map' || form.is === 'orNull' || form.is === 'optional'
    ? saysMore(form.of)
    : false;
}

/** Describes a contract. Address parameters and unchanged schemas come from the route itself. */
function describedBy({
  params: _p,
  query: _q,
  answer,
  refusalForms = {},
  body,
  ...words
}: RouteContract): RouteDescription {
  const forms = Object.entries(refusalForms).flatMap(([status, field]) =>
    saysMore(field.form) ? [[status, toldSchema(field)] as const] : [],
  );
  return {
    ...words,
    ...(body ? { body: toldSchema(body) } : {}),
    ...(answer && saysMore(answer.form) ? { answer: toldSchema(answer) } : {}),
    refusalForms: Object.fromEntries(forms),
  };
}

/** Keywords that only our checks use, and the `nullable` of older OpenAPI versions. */
const LEFT_OUT = new Set(['error', 'transform', 'nullable']);

/** Address parameters are checked as a number or as its text. */
const isNumericText = (one: unknown): boolean =>
  isRecord(one) && (one['format'] === 'numeric' || one['format'] === 'integer');

function alternatives(list: unknown[]): unknown {
  const kept = list.filter((one) => !isNumericText(one));
  return kept.length === 1 && kept.length < list.length ? plainSchema(kept[0]) : null;
}

/**
 * Makes a plain JSON Schema. Keywords of our checks are removed; the error sentence becomes the description
 * if there is none.
 * @param schema of a route, as the plugin generates it
 */
export function plainSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plainSchema);
  if (!isRecord(schema)) return schema;
  const single = Array.isArray(schema['anyOf']) ? alternatives(schema['anyOf']) : null;
  if (single !== null) return single;
  const plain: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (LEFT_OUT.has(key) || value === undefined || typeof value === 'function') continue;
    plain[key] =
      key === 'properties' && isRecord(value)
        ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainSchema(member)]))
        : plainSchema(value);
  }
  // TypeBox adds the first value of a choice as its default, but the server never fills in a missing value.
  if (Array.isArray(plain['enum']) && plain['default'] === plain['enum'][0]) delete plain['default'];
  const { type, enum: values } = plain;
  if (Array.isArray(type) && type.includes('null') && Array.isArray(values) && !values.includes(null)) {
    plain['enum'] = [...(values as unknown[]), null];
  }
  const sentence = schema['error'];
  if (typeof sentence === 'string' && plain['description'] === undefined) {
    plain['description'] = `Otherwise refused: “${sentence}”`;
  }
  return plain;
}

export type Operation = JsonRecord & { parameters?: Parameter[]; responses: Record<string, JsonRecord> };
type Parameter = { name: string; in: string; required: boolean; schema: unknown; example?: string | number };

const REFUSAL_REFERENCE = { $ref: '#/components/schemas/Refusal' };

const LEVELS = ['Anyone', 'Signed in', 'Basic or above', 'Premium or above', 'Administrators'];

export const levelText = (level: number, key?: keyof typeof KEYS): string =>
  key === undefined ? (LEVELS[level] ?? `Level ${level}`) : `Needs a key: ${KEYS[key]}`;

const refusal = (description: string, schema: unknown = REFUSAL_REFERENCE): JsonRecord => ({
  description,
  content: { 'application/json': { schema } },
});

/** Refusals that every route of this kind shares, by status. */
function commonRefusals(level: number, takesInput: boolean): Record<string, string> {
  const words: Record<string, string> = {};
  if (takesInput) words['400'] = 'Something in the request is missing or wrong; `field` names it.';
  if (level > 0) words['401'] = 'No token, or the session has ended.';
  if (level > 1) words['403'] = `Not allowed at this level. Needed: ${levelText(level).toLowerCase()}.`;
  return words;
}

function responsesOf(
  generated: JsonRecord,
  { answer, answerType, refusals = {}, refusalForms, example }: RouteDescription,
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

type DeclaredRoute = {
  generated: JsonRecord;
  /** The plugin omits the body schema of a route with its own parser. */
  body: unknown;
  /** The lowest level of its callers; 0 for anyone. */
  level: number;
};

function describedOperation(route: DeclaredRoute, description: RouteDescription): Operation {
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

/** Its patterns are those of JSON Schema 2020-12, like the schemas of the routes. */
const VERSION = '3.1.0';

const INTRODUCTION = `Every address of this server, for scripts and dashboards.

- Log in, and send the token that you are given in the \`Authorization\` header, without a word before it.
- A request whose body is JSON needs \`Content-Type: application/json\`.
- What is refused has one form: \`error\` is a sentence, \`field\` names the input at fault and is absent when that is the whole.
- 429 and 503 tell in \`Retry-After\` how many seconds to wait.
- Levels: 0 anyone, 1 signed in, 2 Basic, 3 Premium, 4 administrator. A level includes those below it.`;

const REFUSAL = {
  type: 'object',
  description: 'What was refused, and why.',
  properties: { error: { type: 'string' }, field: { type: 'string' } },
  required: ['error'],
};

export type ApiDocument = {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: JsonRecord };
};

const keySchemes = Object.fromEntries(
  Object.entries(KEYS).map(([name, description]) => [
    name,
    {
      type: 'apiKey',
      in: 'header',
      description: `${capitalised(description)}.`,
      name: name === 'relayToken' ? 'X-Bellbird-Relay' : 'Authorization',
    },
  ]),
);
const NAMED = Object.entries(namedSchemas([alert, logic, ref, column])).map(
  ([name, schema]) => [name, plainSchema(schema)] as const,
);
const COMPONENTS = {
  schemas: { Refusal: REFUSAL, ...Object.fromEntries(NAMED) },
  securitySchemes: {
    session: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: 'The `accessToken` that logging in gives. The level that a route needs stands beside it.',
    },
    ...keySchemes,
  },
};

/** Shows a route without a contract anyway; a test reports it. */
const undescribed = (summary: string): RouteContract => ({
  access: 'anyone',
  tag: 'Server',
  summary,
  answer: null,
  example: {},
});

const documentPath = (path: string): string => path.replaceAll(/:(\w{1,60})/g, '{$1}');

export function createDocument(
  app: AnyElysia,
  { version }: Pick<About, 'version'>,
  contracts: RouteContracts = CONTRACTS,
): ApiDocument {
  const generated = toOpenAPISchema(app, { staticFile: false }, undefined, undefined, VERSION).paths;
  const paths: ApiDocument['paths'] = {};
  for (const { method, path, hooks } of app.routes) {
    const address = documentPath(path);
    const verb = method.toLowerCase();
    const operation: unknown = (generated[address] as JsonRecord | undefined)?.[verb];
    if (!isRecord(operation)) continue;
    const name = `${method} ${path}`;
    const { detail, body } = hooks as { detail?: Parameters<typeof declaredLevel>[0]; body?: unknown };
    const route = { generated: operation, body, level: declaredLevel(detail) ?? 0 };
    paths[address] ??= {};
    paths[address][verb] = describedOperation(route, describedBy(contracts[name] ?? undescribed(name)));
  }
  return {
    openapi: VERSION,
    info: { title: 'Bellbird', version, description: INTRODUCTION },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([tag, description]) => ({ name: tag, description })),
    paths,
    components: COMPONENTS,
  };
}
