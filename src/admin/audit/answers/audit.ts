import { anything, count, isoTime, list, or, orNull, readBy, text, words } from '#lib/contract/fields.ts';
import { always, object } from '#lib/contract/objects.ts';
import { isRecord } from '#lib/json.ts';
import { DASH } from '#texts/format.ts';

const person = { id: count, display: or(words, DASH) };
const doer = always(object(person));

const side = readBy(anything, (value): unknown => value ?? null);

const auditEntry = object(
  {
    id: count,
    at: isoTime,
    /** The administrator; null if the server acted itself. */
    by: readBy(orNull(doer), (value) => (value === null ? null : doer.read(value))),
    action: or(words, DASH),
    target: or(words, DASH),
    before: side,
    after: side,
    reason: orNull(words),
  },
  ['id'],
);

export const auditAnswer = object({
  entries: list(auditEntry),
  /** `before` of the request for the next page; null on the last page. */
  next: orNull(count),
  actions: list(text),
  administrators: list(object(person, ['id'])),
});

/** A changed value; `before` or `after` is null if that side lacks the value. */
export type Difference = { what: string; before: string | null; after: string | null };

const MAX_SHOWN = 40;
const MAX_DEPTH = 6;
const MAX_TEXT = 300;

/** Spaces out a key: 'telegramId' becomes 'telegram id', 'send_daily' becomes 'send daily'. */
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

/** Adds each value of a side to `into`, by its path. */
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
 * Compares the two sides of an action value by value, also inside lists and objects.
 * @param before any JSON; null if there is no such side
 * @returns at most 40 differences, and the number of further ones
 */
export function differences(before: unknown, after: unknown): { shown: Difference[]; more: number } {
  const old = before === null || before === undefined ? new Map() : leavesOf(before, [], new Map());
  const now = after === null || after === undefined ? new Map() : leavesOf(after, [], new Map());
  const all = [...new Set([...old.keys(), ...now.keys()])]
    .map((what) => ({ what, before: old.get(what) ?? null, after: now.get(what) ?? null }))
    .filter((one) => one.before !== one.after);
  return { shown: all.slice(0, MAX_SHOWN), more: Math.max(0, all.length - MAX_SHOWN) };
}
