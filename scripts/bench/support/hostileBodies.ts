import { isRecord } from '#lib/json.ts';
import type { Sent } from './attacker.ts';

export type Operation = { method: string; path: string; level: number; largest: Sent; smallest: Sent };

const MAX_BYTES = 64 * 1024;
const MAX_BYTES_OF_VISITORS = 4 * 1024;
/** Values of a body; 2,000 are allowed. */
const MAX_VALUES = 1900;
/** Marks that take long to sort. */
const MARKS = '\u0300\u0316';

const marks = (length: number): string => MARKS.repeat(Math.ceil(length / 2)).slice(0, length);

/** A value of any form: deeply nested objects with many names, up to the limit. */
function anything(values: number): unknown {
  const wide = Object.fromEntries(
    Array.from({ length: values }, (_, index) => [`${marks(4)}${index}`, index]),
  );
  let deep: unknown = wide;
  for (let depth = 0; depth < 25; depth += 1) deep = { conditions: [deep] };
  return deep;
}

function largestOf(schema: unknown, values: number): unknown {
  if (!isRecord(schema)) return anything(values);
  const { type, properties, items, anyOf, enum: choices } = schema;
  if (Array.isArray(choices)) return choices[0] as unknown;
  if ('const' in schema) return schema['const'];
  if (Array.isArray(anyOf)) return largestOf(anyOf.at(-1), values);
  const kind: unknown = Array.isArray(type) ? type[0] : type;
  if (kind === 'string') return marks(Math.min(Number(schema['maxLength'] ?? 2000), 2000));
  if (kind === 'number' || kind === 'integer') return Number(schema['maximum'] ?? 999_999_999);
  if (kind === 'boolean') return true;
  if (kind === 'array') {
    const length = Math.min(Number(schema['maxItems'] ?? 100), 100);
    return Array.from({ length }, () => largestOf(items, Math.floor(values / length)));
  }
  if (!isRecord(properties)) return anything(values);
  const members = Object.entries(properties);
  const each = Math.max(1, Math.floor(values / Math.max(1, members.length)));
  return Object.fromEntries(members.map(([name, member]) => [name, largestOf(member, each)]));
}

function largestBody(path: string, schema: unknown): string {
  const max = /^\/api\/(login|register)$/.test(path) ? MAX_BYTES_OF_VISITORS : MAX_BYTES;
  for (let values = MAX_VALUES; values >= 1; values = Math.floor(values / 2)) {
    const body = JSON.stringify(largestOf(schema, values));
    const bytes = Buffer.byteLength(body);
    if (bytes <= max) return body + ' '.repeat(max - bytes);
  }
  return '{}';
}

const schemaOf = (content: unknown): unknown => {
  const types = isRecord(content) && isRecord(content['content']) ? content['content'] : null;
  const [media] = types === null ? [] : Object.values(types);
  return isRecord(media) ? media['schema'] : null;
};

function addressOf(path: string, parameters: readonly unknown[], isLargest: boolean): string {
  const query = new URLSearchParams();
  for (const parameter of parameters) {
    if (!isRecord(parameter) || parameter['in'] !== 'query') continue;
    const value = isLargest ? String(largestOf(parameter['schema'], 1)).slice(0, 2000) : '!';
    query.set(String(parameter['name']), value);
  }
  const filled = path.replaceAll(/\{\w{1,40}\}/g, isLargest ? 'x'.repeat(100) : '!');
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

/** Every operation of the API document with its largest request and its smallest refused one. */
export function operationsOf(document: unknown): Operation[] {
  const paths = isRecord(document) && isRecord(document['paths']) ? document['paths'] : {};
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(isRecord(methods) ? methods : {}).flatMap(([verb, operation]): Operation[] => {
      if (!isRecord(operation)) return [];
      const method = verb.toUpperCase();
      const parameters = Array.isArray(operation['parameters']) ? operation['parameters'] : [];
      const schema = schemaOf(operation['requestBody']);
      const headers = { 'content-type': 'application/json' };
      const [large, small] = [true, false].map((isLargest) => addressOf(path, parameters, isLargest));
      const withBody = (address: string | undefined, body: string): Sent =>
        schema === null
          ? { method, path: address ?? path, headers: {} }
          : { method, path: address ?? path, headers, body };
      return [
        {
          method,
          path,
          level: Number(operation['x-level'] ?? 0),
          largest: withBody(large, largestBody(path, schema)),
          smallest: withBody(small, '0'),
        },
      ];
    }),
  );
}
