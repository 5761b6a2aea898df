import type { AnyElysia } from 'elysia';
import { isRecord, type JsonRecord } from '../lib/json.ts';
import type { About } from '../platform/install/about.ts';
import { KEYS } from '../texts/routeContract.ts';
import { type ApiDocument, createDocument, levelText, type Operation } from './document.ts';

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

/** A short readable form of a JSON Schema; `anything` if it is not understood. */
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

/** The complete style of the page. The content security policy names it by hash. */
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
  return `<h2>Forms</h2><p>What several addresses take or give.</p>${forms.join('')}`;
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
    `<title>Bellbird: the API</title><style>${PAGE_STYLE}</style></head><body>`,
    `<h1>Bellbird: the API</h1><p>Version ${escaped(document.info.version)}. `,
    'The same for programs: <a href="/openapi/json">/openapi/json</a>.</p>',
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
