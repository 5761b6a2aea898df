import { LongList } from '../../../lib/inspection.ts';

/** The members of a list or a map, of which only the first are read. */
export type Children = {
  kind: 'list' | 'map' | 'object';
  size: number;
  /** The first so many, with their names; those of a list have none. */
  entries(most: number): Iterable<readonly [string, unknown]>;
};

const nameOf = (key: unknown): string =>
  typeof key === 'string' || typeof key === 'number' ? String(key) : `[${typeof key}]`;

function* listed(items: Iterable<unknown>, most: number): Iterable<readonly [string, unknown]> {
  let count = 0;
  if (most === 0) return;
  for (const item of items) {
    yield ['', item];
    count += 1;
    if (count >= most) return;
  }
}

function* mapped(map: ReadonlyMap<unknown, unknown>, most: number): Iterable<readonly [string, unknown]> {
  let count = 0;
  for (const [key, value] of map) {
    if (count >= most) return;
    count += 1;
    yield [nameOf(key), value];
  }
}

/** A member of an object; a getter may throw. */
function memberOf(object: object, key: string): unknown {
  try {
    return (object as Record<string, unknown>)[key];
  } catch {
    return '[could not be read]';
  }
}

function* ofObject(object: object, keys: readonly string[]): Iterable<readonly [string, unknown]> {
  for (const key of keys) yield [key, memberOf(object, key)];
}

/** What is told of an object that is one value; null for a list or a map. */
function asText(value: object): string | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no time' : value.toISOString();
  // Its stack tells of files, which help nobody here.
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value instanceof RegExp || value instanceof URL) return String(value);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  return null;
}

/** The members of a list or a map; the text of an object that is one value. */
export function children(value: object): Children | string {
  const text = asText(value);
  if (text !== null) return text;
  if (Array.isArray(value)) {
    return { kind: 'list', size: value.length, entries: (most) => listed(value, most) };
  }
  if (value instanceof LongList) {
    return { kind: 'list', size: value.size, entries: (most) => listed(value.items(), most) };
  }
  if (value instanceof Set) return { kind: 'list', size: value.size, entries: (most) => listed(value, most) };
  if (value instanceof Map) return { kind: 'map', size: value.size, entries: (most) => mapped(value, most) };
  const keys = Object.keys(value);
  return { kind: 'object', size: keys.length, entries: (most) => ofObject(value, keys.slice(0, most)) };
}
