import { anything, count, isoTime, list, or, orNull, readBy, text, words } from '#lib/contract/fields.ts';
import { always, object } from '#lib/contract/objects.ts';
import { isRecord } from '#lib/json.ts';
import { DASH } from '#texts/format.ts';

const person = { id: count, display: or(words, DASH) };
const doer = always(object(person));

/** What stood there: any JSON, null for nothing. */
const side = readBy(anything, (value): unknown => value ?? null);

/** Something that an administrator did. */
const auditEntry = object(
  {
    id: count,
    at: isoTime,
    /** Null for what the server did by itself. */
    by: readBy(orNull(doer), (value) => (value === null ? null : doer.read(value))),
    action: or(words, DASH),
    target: or(words, DASH),
    before: side,
    after: side,
    reason: orNull(words),
  },
  ['id'],
);

/** `GET /api/admin/audit`. */
export const auditAnswer = object({
  /** Newest first. */
  entries: list(auditEntry),
  /** Where the next page begins: `before` of its request; null when there is none. */
  next: orNull(count),
  /** What can be asked for. */
  actions: list(text),
  administrators: list(object(person, ['id'])),
});

/** One value that differs between two sides; null where that side has none. */
export type Difference = { what: string; before: string | null; after: string | null };

const MAX_SHOWN = 40;
const MAX_DEPTH = 6;
const MAX_TEXT = 300;

/** 'telegramId' as 'telegram id', 'send_daily' as 'send daily'. */
const spacedOut = (key: string): string =>
  key
    .replaceAll('_', ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase();

function textOf(value: unknown): string {
  if (value === null || value === '') return DASH;
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? DASH);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

/** The values of a side by the path that leads to each. */
function leavesOf(side: unknown, path: readonly string[], into: Map<string, string>): Map<string, string> {
  const members = Array.isArray(side)
    ? side.map((member, index) => [String(index + 1), member] as const)
    : isRecord(side)
      ? Object.entries(side)
      : null;
  if (members === null || members.length === 0 || path.length === MAX_DEPTH) {
    into.set(path.map(spacedOut).join(' › '), textOf(side));
    return into;
  }
  for (const [key, member] of members) leavesOf(member, [...path, key], into);
  return into;
}

/**
 * What differs between two sides of an action, in spacedOut. Values of lists and objects are compared one by one; what both
 * sides have alike is left out.
 *
 * @param before any JSON; null for no such side
 * @returns the differences, 40 at most, and how many there are besides
 */
export function differences(before: unknown, after: unknown): { shown: Difference[]; more: number } {
  const old = before === null || before === undefined ? new Map() : leavesOf(before, [], new Map());
  const now = after === null || after === undefined ? new Map() : leavesOf(after, [], new Map());
  const all = [...new Set([...old.keys(), ...now.keys()])]
    .map((what) => ({ what, before: old.get(what) ?? null, after: now.get(what) ?? null }))
    .filter((one) => one.before !== one.after);
  return { shown: all.slice(0, MAX_SHOWN), more: Math.max(0, all.length - MAX_SHOWN) };
}
