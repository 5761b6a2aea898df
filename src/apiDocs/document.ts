import { toOpenAPISchema } from '@elysiajs/openapi/openapi';
import type { AnyElysia, TSchema } from 'elysia';
import { CONTRACTS } from '../contracts.ts';
import type { Form } from '../lib/contract/fields.ts';
import { isRecord, type JsonRecord } from '../lib/json.ts';
import { capitalised } from '../lib/wording.ts';
import { declaredLevel } from '../platform/http/auth.ts';
import { namedSchemas, answerSchema } from '../platform/http/contract.ts';
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

/** The documentation of a route, and the schemas of its values. */
type RouteDescription = RouteWords & {
  body?: TSchema;
  /** Set if the documented schema differs from the one in the route. */
  answer?: TSchema;
  refusalForms: Readonly<Record<string, TSchema>>;
};

function hasDescription(form: Form): boolean {
  if (form.is === 'named' || form.is === 'sent') return true;
  if (form.is === 'object') return Object.values(form.of).some((member) => hasDescription(member.form));
  if (form.is === 'anyOf') return form.of.some(hasDescription);
  return form.is === 'list' || form.is === 'map' || form.is === 'orNull' || form.is === 'optional'
    ? hasDescription(form.of)
    : false;
}

/** The documentation in a contract. Address parameters and unchanged schemas come from the route itself. */
function describedBy({
  params: _p,
  query: _q,
  answer,
  refusalForms = {},
  body,
  ...words
}: RouteContract): RouteDescription {
  const forms = Object.entries(refusalForms).flatMap(([status, field]) =>
    hasDescription(field.form) ? [[status, answerSchema(field)] as const] : [],
  );
  return {
    ...words,
    ...(body ? { body: answerSchema(body) } : {}),
    ...(answer && hasDescription(answer.form) ? { answer: answerSchema(answer) } : {}),
    refusalForms: Object.fromEntries(forms),
  };
}

/** Keywords that only our own checks use, and `nullable` of older OpenAPI versions. */
const LEFT_OUT = new Set(['error', 'transform', 'nullable']);

/** Recognises an address parameter that accepts a number or its text. */
const isNumericText = (one: unknown): boolean =>
  isRecord(one) && (one['format'] === 'numeric' || one['format'] === 'integer');

function alternatives(list: unknown[]): unknown {
  const kept = list.filter((one) => !isNumericText(one));
  return kept.length === 1 && kept.length < list.length ? plainSchema(kept[0]) : null;
}

/**
 * Converts to plain JSON Schema. Keywords of our checks are removed; the error sentence becomes the description if
 * there is none.
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
  // TypeBox adds the first value of a choice as the default, but the server never fills in a missing value.
  if (Array.isArray(plain['enum']) && plain['default'] === plain['enum'][0]) delete plain['default'];
  const { type, enum: values } = plain;
  if (Array.isArray(type) && type.includes('null') && Array.isArray(values) && !values.includes(null)) {
    plain['enum'] = [...(values as unknown[]), null];
  }
  const sentence = schema['error'];
  if (typeof sentence === 'string' && plain['description'] === undefined) {
    plain['description'] = `Error if invalid: “${sentence}”`;
  }
  return plain;
}

export type Operation = JsonRecord & { parameters?: Parameter[]; responses: Record<string, JsonRecord> };
type Parameter = { name: string; in: string; required: boolean; schema: unknown; example?: string | number };

const REFUSAL_REFERENCE = { $ref: '#/components/schemas/Refusal' };

const LEVELS = ['Anyone', 'Signed in', 'Basic or above', 'Premium or above', 'Administrators'];

export const levelText = (level: number, key?: keyof typeof KEYS): string =>
  key === undefined ? (LEVELS[level] ?? `Level ${level}`) : `Requires ${KEYS[key]}`;

const refusal = (description: string, schema: unknown = REFUSAL_REFERENCE): JsonRecord => ({
  description,
  content: { 'application/json': { schema } },
});

/** Refusals that every route of this kind shares, by status. */
function commonRefusals(level: number, takesInput: boolean): Record<string, string> {
  const words: Record<string, string> = {};
  if (takesInput) words['400'] = 'Something in the request is missing or wrong; see `field`.';
  if (level > 0) words['401'] = 'The token is missing, or the session has ended.';
  if (level > 1) words['403'] = `Your level is too low. Required: ${levelText(level).toLowerCase()}.`;
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
      description: Number(status) < 400 ? 'Done.' : (words[status] ?? 'Error.'),
      content: plainSchema(one['content']) as JsonRecord,
    };
  }
  for (const [status, sentence] of Object.entries(words)) responses[status] ??= refusal(sentence);
  for (const [status, form] of Object.entries(refusalForms)) {
    responses[status] = refusal(words[status] ?? 'Error.', plainSchema(form));
  }
  const done = String(Math.min(example.status ?? 200, 299));
  if (answerType !== undefined) {
    responses[done] = { description: 'Done.', content: { [answerType]: { schema: { type: 'string' } } } };
  } else if (answer) {
    const content = { 'application/json': { schema: plainSchema(answer) } };
    responses[done] = { description: 'Done.', content };
  }
  responses['default'] = refusal('Any other error, in the same format.');
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
  /** The body's schema, which the plugin omits for a route with its own parser. */
  body: unknown;
  /** The lowest access level of its callers; 0 for anyone. */
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

/** Version of OpenAPI whose patterns are those of JSON Schema 2020-12, like the schemas of the routes. */
const VERSION = '3.1.0';

const INTRODUCTION = `The HTTP API of this server, for scripts and dashboards.

- Log in with \`POST /api/login\` and send \`accessToken\` in the \`Authorization\` header, without a prefix.
- Send JSON bodies with \`Content-Type: application/json\`.
- Errors have one format: \`error\` is a sentence, and \`field\` names the invalid input, if there is one.
- After 429 or 503, wait for the seconds in \`Retry-After\`.
- Levels: 0 anyone, 1 signed in, 2 Basic, 3 Premium, 4 administrator. Each level includes the lower ones.`;

const REFUSAL = {
  type: 'object',
  description: 'Why a request failed.',
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
      description: 'The `accessToken` from `POST /api/login`. Each route states the level it requires.',
    },
    ...keySchemes,
  },
};

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

const literal = (value: unknown): string => JSON.stringify(value);

function objectText(schema: Record<string, unknown>, indent: string): string {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []);
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(
    ([name, one]) => `${inner}${name}${required.has(name) ? '' : '?'}: ${schemaText(one, inner)}`,
  );
  const rest = schema['patternProperties'] ?? schema['additionalProperties'];
  if (isRecord(rest)) {
    const one: unknown = schema['patternProperties'] ? Object.values(rest)[0] : rest;
    lines.push(`${inner}[name]: ${schemaText(one, inner)}`);
  }
  return lines.length === 0 ? 'object' : `{\n${lines.join('\n')}\n${indent}}`;
}

function typeText(schema: Record<string, unknown>, type: string, indent: string): string {
  if (type === 'object') return objectText(schema, indent);
  if (type === 'array') return `list of ${schemaText(schema['items'], indent)}`;
  if (schema['format'] === 'date-time') return 'time (ISO 8601)';
  return type;
}

/** A JSON Schema in a short readable form; `anything` if it is not recognised. */
function schemaText(schema: unknown, indent = ''): string {
  if (typeof schema === 'string') return schema;
  if (!isRecord(schema)) return 'anything';
  if (typeof schema['$ref'] === 'string') return schema['$ref'].slice(schema['$ref'].lastIndexOf('/') + 1);
  if (schema['const'] !== undefined) return literal(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map(literal).join(' | ');
  const union = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(union)) return union.map((one) => schemaText(one, indent)).join(' | ');
  const type = schema['type'];
  if (Array.isArray(type)) return type.map((one) => typeText(schema, String(one), indent)).join(' | ');
  return typeof type === 'string' ? typeText(schema, type, indent) : 'anything';
}

/** All styles of the page. The content security policy contains their hash. */
export const PAGE_STYLE = `
:root { color-scheme: dark light; --page: #0f1216; --panel: #171c22; --line: #2b333d; --text: #e4e9ef; --muted: #9aa7b5; --link: #7cc4ff; }
@media (prefers-color-scheme: light) {
  :root { --page: #f6f7f9; --panel: #fff; --line: #d5dbe2; --text: #1b232c; --muted: #52606e; --link: #0a5ea8; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px 16px 64px; max-width: 1000px; background: var(--page); color: var(--text); font: 14px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 22px; }
h2 { margin: 32px 0 4px; font-size: 17px; }
a { color: var(--link); }
p, ul { margin: 4px 0 12px; }
code, pre { font: 12.5px/1.5 ui-monospace, monospace; }
details { margin: 0 0 6px; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); }
summary { display: flex; flex-wrap: wrap; gap: 2px 12px; padding: 8px 12px; cursor: pointer; }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.method { width: 56px; font-weight: 600; }
.path { overflow-wrap: anywhere; }
.who { margin-left: auto; color: var(--muted); }
.summary { flex-basis: 100%; color: var(--muted); }
.body { padding: 0 12px 12px; border-top: 1px solid var(--line); }
h3 { margin: 12px 0 4px; font-size: 13px; }
pre { margin: 0; padding: 8px; overflow-x: auto; border: 1px solid var(--line); border-radius: 4px; background: var(--page); white-space: pre-wrap; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 12px; margin: 0; }
dd { margin: 0; }
`;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

const prose = (text: string): string => escaped(text).replaceAll(/`([^`]{1,200})`/g, '<code>$1</code>');

const introduction = (text: string): string =>
  text
    .split('\n\n')
    .map((block) =>
      block.startsWith('- ')
        ? `<ul>${block
            .split('\n')
            .map((line) => `<li>${prose(line.slice(2))}</li>`)
            .join('')}</ul>`
        : `<p>${prose(block)}</p>`,
    )
    .join('');

const mediaOf = (holder: unknown): [type: string, media: JsonRecord] | null => {
  const content = isRecord(holder) && isRecord(holder['content']) ? holder['content'] : {};
  const [first] = Object.entries(content);
  return first && isRecord(first[1]) ? [first[0], first[1]] : null;
};

const form = (title: string, schema: unknown): string =>
  `<h3>${title}</h3><pre>${escaped(schemaText(schema))}</pre>`;

function commandOf(verb: string, path: string, operation: Operation): string {
  const parameters = operation.parameters ?? [];
  const filled = path.replaceAll(/\{(\w{1,60})\}/g, (whole, name: string) => {
    const example = parameters.find((one) => one.name === name)?.example;
    return example === undefined ? whole : encodeURIComponent(String(example));
  });
  const query = new URLSearchParams(
    parameters.flatMap(({ name, in: place, example }) =>
      place === 'query' && example !== undefined ? [[name, String(example)]] : [],
    ),
  ).toString();
  const body = mediaOf(operation['requestBody'])?.[1]['example'];
  const parts = [verb === 'get' ? 'curl' : `curl -X ${verb.toUpperCase()}`];
  const security = operation['security'];
  if (Array.isArray(security) && security.length > 0) parts.push(`-H "Authorization: $TOKEN"`);
  if (body !== undefined) {
    parts.push(
      `-H 'Content-Type: application/json'`,
      `-d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`,
    );
  }
  parts.push(`"$BELLBIRD${filled}${query === '' ? '' : `?${query}`}"`);
  return parts.join(' \\\n  ');
}

function answersOf({ responses }: Operation): string {
  const rows = Object.entries(responses).map(
    ([status, one]) =>
      `<dt><code>${escaped(status)}</code></dt><dd>${prose(String(one['description']))}</dd>`,
  );
  const done = Object.entries(responses).find(([status]) => status.startsWith('2'));
  const media = done && mediaOf(done[1]);
  const shown =
    media &&
    (media[0] === 'application/json' ? form('Answer', media[1]['schema']) : form('Answer', media[0]));
  return `<h3>Answers</h3><dl>${rows.join('')}</dl>${shown ?? ''}`;
}

function routeHtml(verb: string, path: string, operation: Operation, who: string): string {
  const body = mediaOf(operation['requestBody']);
  const parameters = operation.parameters ?? [];
  const named = parameters.map(
    ({ name, in: place, required, schema }) =>
      `${name}${required ? '' : '?'}: ${schemaText(schema)} (${place})`,
  );
  return [
    `<details id="${escaped(String(operation['operationId']))}"><summary>`,
    `<code class="method">${verb.toUpperCase()}</code><code class="path">${escaped(path)}</code>`,
    `<span class="who">${escaped(who)}</span>`,
    `<span class="summary">${escaped(String(operation['summary']))}</span></summary><div class="body">`,
    `<p>${prose(String(operation['description']))}</p>`,
    parameters.length > 0 ? `<h3>Parameters</h3><pre>${escaped(named.join('\n'))}</pre>` : '',
    body ? form('Body', body[1]['schema']) : '',
    answersOf(operation),
    `<h3>Example</h3><pre>${escaped(commandOf(verb, path, operation))}</pre></div></details>`,
  ].join('');
}

const formsOf = ({ components }: ApiDocument): string => {
  const forms = Object.entries(components.schemas).map(([name, schema]) => form(name, schema));
  return `<h2>Schemas</h2><p>Used by several routes.</p>${forms.join('')}`;
};

export function pageOf(document: ApiDocument, whoOf: (operation: Operation) => string): string {
  const routes = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ verb, path, operation })),
  );
  const sections = document.tags.map(({ name, description }) => {
    const own = routes.filter(({ operation }) => (operation['tags'] as string[]).includes(name));
    if (own.length === 0) return '';
    const list = own.map(({ verb, path, operation }) => routeHtml(verb, path, operation, whoOf(operation)));
    return `<h2>${escaped(name)}</h2><p>${escaped(description)}</p>${list.join('')}`;
  });
  return [
    '<!doctype html><html lang="en-AU"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Bellbird API</title><style>${PAGE_STYLE}</style></head><body>`,
    `<h1>Bellbird API</h1><p>Version ${escaped(document.info.version)}. `,
    'Machine-readable: <a href="/openapi/json">/openapi/json</a>.</p>',
    introduction(document.info.description),
    sections.join(''),
    formsOf(document),
    '</body></html>',
  ].join('');
}

export type MadeDocs = { json: string; html: string; policy: string; etag: string };

const whoOf = ({ 'x-level': level, security }: Operation): string => {
  const [scheme] = Array.isArray(security) ? (security as Record<string, unknown>[]) : [];
  const isKeyed = scheme !== undefined && Object.keys(KEYS).some((name) => name in scheme);
  return isKeyed ? 'Key' : levelText(Number(level));
};

export function makeDocs(app: AnyElysia, about: Pick<About, 'version'>): MadeDocs {
  const document = createDocument(app, about);
  const json = JSON.stringify(document);
  const html = pageOf(document, whoOf);
  const style = new Bun.CryptoHasher('sha256').update(PAGE_STYLE).digest('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${style}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { json, html, policy, etag: Bun.hash(json + html).toString(36) };
}
