import { isRecord, type JsonRecord } from './json.ts';

/** Never copied, because this key would change an object's prototype. */
const isSafe = (key: string): boolean => key !== '__proto__';

/**
 * Applies a JSON Merge Patch (RFC 7396): objects are merged, `null` removes, everything else replaces. It
 * does not change its arguments. Unchanged objects keep their identity at every depth, so `result === target`
 * means "nothing changed".
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return isSame(target, patch) ? target : patch;
  const base: JsonRecord = isRecord(target) ? target : {};
  let result: JsonRecord | null = isRecord(target) ? null : {};
  for (const key of Object.keys(patch)) {
    if (!isSafe(key)) continue;
    const value = patch[key];
    if (value === undefined) continue;
    if (value === null) {
      if (Object.hasOwn(result ?? base, key)) {
        result ??= { ...base };
        delete result[key];
      }
      continue;
    }
    const had = Object.hasOwn(base, key);
    const before = had ? base[key] : undefined;
    // Most members are numbers, and a call for each takes 30 % of the time.
    const after = typeof value === 'object' ? mergePatch(before, value) : value;
    if (had && after === before) continue;
    result ??= { ...base };
    result[key] = after;
  }
  return result ?? target;
}

export type KnownPatches = Map<unknown, { from: unknown; patch: unknown }>;

/**
 * The smallest merge patch from `before` to `after`; `undefined` if they are equal. As in RFC 7396, a null or
 * undefined member counts as absent.
 * @param known patches of members, used if they start from the identical object
 */
export function diffPatch(before: unknown, after: unknown, known?: KnownPatches): unknown {
  if (before === after) return undefined;
  if (!isRecord(after)) return isSame(before, after) ? undefined : after;
  if (!isRecord(before)) return withoutNulls(after);
  let patch: JsonRecord | undefined;
  let kept = 0;
  for (const key of Object.keys(after)) {
    const next = after[key];
    const had = Object.hasOwn(before, key);
    const previous = had ? before[key] : undefined;
    if (had && (next === previous || !isAbsent(next))) kept += 1;
    if (next === previous || isAbsent(next) || !isSafe(key)) continue;
    const made = known && typeof next === 'object' ? known.get(next) : undefined;
    const change = made && had && made.from === previous ? made.patch : diffPatch(previous, next);
    if (change !== undefined) (patch ??= {})[key] = change;
  }
  const keys = Object.keys(before);
  if (kept === keys.length) return patch;
  for (const key of keys) {
    if (isAbsent(before[key]) || !isSafe(key)) continue;
    if (isAbsent(Object.hasOwn(after, key) ? after[key] : undefined)) (patch ??= {})[key] = null;
  }
  return patch;
}

export function withoutNulls(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const result: JsonRecord = {};
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (!isAbsent(member) && isSafe(key)) result[key] = withoutNulls(member);
  }
  return result;
}

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  );
}
