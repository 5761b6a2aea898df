import { isRecord, type JsonRecord } from '#lib/json.ts';

/*
 * Readers of merge patches. They change what they are given in place, as they run over every price that comes in; it
 * was parsed for them alone.
 */

/** Brings a member into its form; null, which means unknown, when it can't be read. */
export type MemberReader = (value: unknown) => unknown;

/** An object whose members are named here; others mean nothing to this page. */
export function objectOf(readers: Readonly<Record<string, MemberReader>>): MemberReader {
  const known = new Map(Object.entries(readers));
  return (value) => {
    if (!isRecord(value)) return null;
    for (const key in value) {
      const read = known.get(key);
      // Undefined changes nothing when it is merged, and costs less than to delete the member.
      if (read === undefined) value[key] = undefined;
      else readMember(value, key, read);
    }
    return value;
  };
}

/** An object with any keys whose members are all of one form. */
export const mapOf =
  (read: MemberReader): MemberReader =>
  (value) => {
    if (!isRecord(value)) return null;
    for (const key in value) readMember(value, key, read);
    return value;
  };

/** Null stays: in a merge patch it removes. What has its form already is not written again. */
function readMember(record: JsonRecord, key: string, read: MemberReader): void {
  const value = record[key];
  if (value === null) return;
  const right = read(value);
  if (right !== value) record[key] = right;
}

/** The objects of a map, each read; what is none is taken out. */
export function readMembers<T extends object>(value: unknown, read: MemberReader): Record<string, T> {
  if (!isRecord(value)) return {};
  for (const key in value) if (read(value[key]) === null) delete value[key];
  return value as Record<string, T>;
}
