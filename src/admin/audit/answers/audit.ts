import { anything, count, isoTime, list, or, orNull, readBy, text, words } from '#lib/contract/fields.ts';
import { always, object } from '#lib/contract/objects.ts';
import { DASH } from '#texts/format.ts';

const person = { id: count, display: or(words, DASH) };
const doer = always(object(person));

/** What stood there: any JSON, null for nothing. */
const side = readBy(anything, (value): unknown => value ?? null);

/** Something that an administrator did. */
export const auditEntry = object(
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
