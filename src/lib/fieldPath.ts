import { refuse, type Result } from './result.ts';

/** The name of a field inside another one: 'conditions[0]' and 'lhs' give 'conditions[0].lhs'. */
export const fieldPath = (outer: string, inner: string | null): string =>
  inner === null ? outer : `${outer}.${inner}`;

/** The place in a list that a field names: 'columns[3].id' in the list 'columns' gives 3; null for any other field. */
export function indexIn(list: string, field: string | null): number | null {
  const rest = field?.startsWith(`${list}[`) ? field.slice(list.length + 1) : '';
  const index = Number.parseInt(rest, 10);
  return Number.isNaN(index) ? null : index;
}

/** A check of what stands inside a field, its refusal naming the place from outside. */
export const within = <T>(outer: string, checked: Result<T>): Result<T> =>
  checked.ok ? checked : refuse(checked.error.message, fieldPath(outer, checked.error.field));
