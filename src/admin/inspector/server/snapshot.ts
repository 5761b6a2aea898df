import type { Stopwatch } from '#lib/clock.ts';
import { inSlices } from '#lib/turns.ts';
import { type Redactor, SECRET_KEY } from '#lib/redact.ts';
import { LongList } from '#lib/inspection.ts';

/** The members of a list, map or object. Only the first ones are read. */
type Children = {
  kind: 'list' | 'map' | 'object';
  size: number;
  /** At most this many members with their names; members of a list have none. */
  entries(most: number): Iterable<readonly [string, unknown]>;
};

const nameOf = (key: unknown): string =>
  typeof key === 'string' || typeof key === 'number' ? String(key) : `[${typeof key}]`;

const listed = (items: Iterable<unknown>, size: number): Children => ({
  kind: 'list',
  size,
  entries: (most) =>
    Iterator.from(items)
      .take(most)
      .map((item) => ['', item] as const),
});

/** Reads a member; a getter may throw. */
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

/** The text of an object that is a single value; null for a list, map or object with members. */
function asText(value: object): string | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no time' : value.toISOString();
  // The stack is left out, because it names files.
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value instanceof RegExp || value instanceof URL) return String(value);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  return null;
}

function children(value: object): Children | string {
  const text = asText(value);
  if (text !== null) return text;
  if (Array.isArray(value)) return listed(value, value.length);
  if (value instanceof LongList) return listed(value.items(), value.size);
  if (value instanceof Set) return listed(value, value.size);
  if (value instanceof Map) {
    const named = (most: number) => value.entries().take(most);
    return {
      kind: 'map',
      size: value.size,
      entries: (most) => named(most).map(([key, one]) => [nameOf(key), one]),
    };
  }
  const keys = Object.keys(value);
  return { kind: 'object', size: keys.length, entries: (most) => ofObject(value, keys.slice(0, most)) };
}

export type SnapshotLimits = {
  /** Limit of shown members per list or map. The others are counted. */
  items: number;
  depth: number;
  values: number;
  chars: number;
};

export const LIMITS: SnapshotLimits = { items: 200, depth: 8, values: 15_000, chars: 250_000 };

/** Longer texts are not read, because removing their secrets would take too long. */
const MAX_READ = 32_768;
const MAX_SHOWN = 1000;
const SLICE_MS = 5;

const HIDDEN = '[redacted]';

export type Snapshot = {
  data: unknown;
  /** Approximate size of the whole as JSON: measured for what was read, otherwise estimated. */
  approxBytes: number;
};

/** The shown part of a value, and its bytes as JSON; null if it was not read. */
type Walked = { shown: unknown; bytes: number | null };

type Walk = {
  limits: SnapshotLimits;
  left: { values: number; chars: number };
  redactor: Redactor;
  texts: Map<string, string>;
  secretKeys: Map<string, boolean>;
};

const counted = (count: number): string => count.toLocaleString('en-AU');

function remembered<T>(known: Map<string, T>, text: string, make: (text: string) => T): T {
  const before = known.get(text);
  if (before !== undefined) return before;
  const made = make(text);
  known.set(text, made);
  return made;
}

/** A text without secrets. It is truncated afterwards, because half a secret would not be recognised. */
function clean(walk: Walk, text: string): string {
  walk.left.chars -= Math.min(text.length, MAX_READ);
  if (text.length > MAX_READ) return `[text of ${counted(text.length)} characters]`;
  const hidden = remembered(walk.texts, text, walk.redactor.text);
  return hidden.length > MAX_SHOWN
    ? `${hidden.slice(0, MAX_SHOWN)}… (${counted(text.length)} characters)`
    : hidden;
}

function leaf(walk: Walk, value: unknown): Walked {
  switch (typeof value) {
    case 'string':
      return { shown: clean(walk, value), bytes: value.length + 2 };
    case 'number':
      return { shown: Number.isFinite(value) ? value : String(value), bytes: String(value).length };
    case 'boolean':
      return { shown: value, bytes: 5 };
    case 'bigint':
      return { shown: String(value), bytes: String(value).length };
    case 'function':
    case 'symbol':
      return { shown: `[${typeof value}]`, bytes: 0 };
    default:
      return { shown: null, bytes: 4 };
  }
}

const isSecretKey = (walk: Walk, key: string): boolean =>
  remembered(walk.secretKeys, key, (text) => SECRET_KEY.test(text));

const unread = ({ kind, size }: Children): string => `[${kind} of ${counted(size)}]`;

/** Estimates the bytes of all members from the measured ones. */
function inProportion(size: number, measured: number, bytes: number): number | null {
  if (size === 0) return 0;
  return measured === 0 ? null : Math.round((bytes / measured) * size);
}

/** The read members as one value, with a note on the others. */
function together(isList: boolean, shown: readonly [string, unknown][], rest: number): unknown {
  const more = rest > 0 ? `and ${counted(rest)} more` : null;
  if (isList) {
    const items = shown.map(([, item]) => item);
    if (more !== null) items.push(`… ${more}`);
    return items;
  }
  const named = Object.fromEntries(shown);
  if (more !== null) named['…'] = more;
  return named;
}

function* members(walk: Walk, value: object, above: readonly object[]): Generator<void, Walked> {
  const found = children(value);
  if (typeof found === 'string') return { shown: clean(walk, found), bytes: found.length + 2 };
  if (above.includes(value)) return { shown: '[circular]', bytes: 0 };
  if (above.length >= walk.limits.depth) return { shown: unread(found), bytes: null };
  const within = [...above, value];
  const isList = found.kind === 'list';
  const shown: [string, unknown][] = [];
  const total = { read: 0, bytes: 0 };
  let seen = 0;
  for (const [name, child] of found.entries(walk.limits.items)) {
    if (walk.left.values <= 0 || walk.left.chars <= 0) break;
    seen += 1;
    if (child === undefined && !isList) continue;
    walk.left.values -= 1;
    const key = isList ? '' : clean(walk, name);
    const isHidden = !isList && child !== null && isSecretKey(walk, name);
    const walked: Walked = isHidden
      ? { shown: HIDDEN, bytes: HIDDEN.length }
      : typeof child === 'object' && child !== null
        ? yield* members(walk, child, within)
        : leaf(walk, child);
    if (typeof child === 'string' && child.length > MAX_SHOWN) yield;
    shown.push([key, walked.shown]);
    if (walked.bytes === null) continue;
    total.read += 1;
    total.bytes += walked.bytes + 1 + (isList ? 0 : name.length + 3);
  }
  yield;
  const bytes = inProportion(found.size, total.read, total.bytes);
  return {
    shown: together(isList, shown, found.size - seen),
    bytes: bytes === null ? null : bytes + 2,
  };
}

/**
 * A value as an administrator may see it: without secrets, and of limited size. It is read over several turns of the
 * event loop, so its parts may be from different times.
 */
export async function snapshotOf(
  value: unknown,
  { redactor, clock, limits = LIMITS }: { redactor: Redactor; clock: Stopwatch; limits?: SnapshotLimits },
): Promise<Snapshot> {
  const walk: Walk = {
    limits,
    redactor,
    texts: new Map(),
    secretKeys: new Map(),
    left: { values: limits.values, chars: limits.chars },
  };
  if (typeof value !== 'object' || value === null) {
    const { shown, bytes } = leaf(walk, value);
    return { data: shown, approxBytes: bytes ?? 0 };
  }
  const { shown, bytes } = await inSlices(clock, members(walk, value, []), SLICE_MS);
  return { data: shown, approxBytes: bytes ?? 0 };
}
