import { refuse, type Result } from '../lib/result.ts';

/** The name of a field inside another one: 'conditions[0]' and 'lhs' give 'conditions[0].lhs'. */
export const fieldPath = (outer: string, inner: string | null): string =>
  inner === null ? outer : `${outer}.${inner}`;

/** A check of what stands inside a field, its refusal naming the place from outside. */
export const within = <T>(outer: string, checked: Result<T>): Result<T> =>
  checked.ok ? checked : refuse(checked.error.message, fieldPath(outer, checked.error.field));
