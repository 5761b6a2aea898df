import { isRecord, type JsonRecord } from '../lib/json.ts';
import type { ApiDocument } from './document.ts';
import { escaped } from './escape.ts';
import type { Operation } from './operation.ts';
import { PAGE_STYLE } from './pageStyle.ts';
import { schemaText } from './schemaText.ts';

/** Text with `code` in it. */
const prose = (text: string): string => escaped(text).replaceAll(/`([^`]{1,200})`/g, '<code>$1</code>');

/** Paragraphs and lists of an introduction. */
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

/** The example as a line for a shell; the address is written so that it can be copied and edited. */
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

/** The forms that several routes share. */
const formsOf = ({ components }: ApiDocument): string => {
  const forms = Object.entries(components.schemas).map(([name, schema]) => form(name, schema));
  return `<h2>Forms</h2><p>What several addresses take or give.</p>${forms.join('')}`;
};

/** The document as a page: no script, nothing that is fetched from elsewhere. */
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
