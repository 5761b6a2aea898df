type Ok<T> = { ok: true; value: T };
type Failed<E> = { ok: false; error: E };

export type Result<T, E = Refusal> = Ok<T> | Failed<E>;

/** Why an input is refused, a sentence. `field` names the wrong input; null for the whole. */
export type Refusal = { field: string | null; message: string };

export const ok = <T>(value: T): Ok<T> => ({ ok: true, value });

export const failed = <E>(error: E): Failed<E> => ({ ok: false, error });

export const refuse = (message: string, field: string | null = null): Failed<Refusal> =>
  failed({ field, message });

/** The name of a nested field: 'conditions[0]' and 'lhs' give 'conditions[0].lhs'. */
export const fieldPath = (outer: string, inner: string | null): string =>
  inner === null ? outer : `${outer}.${inner}`;

/** The index in a field's name: 'columns[3].id' in the list 'columns' gives 3; null for any other field. */
export function indexIn(list: string, field: string | null): number | null {
  const rest = field?.startsWith(`${list}[`) ? field.slice(list.length + 1) : '';
  const index = Number.parseInt(rest, 10);
  return Number.isNaN(index) ? null : index;
}

export const within = <T>(outer: string, checked: Result<T>): Result<T> =>
  checked.ok ? checked : refuse(checked.error.message, fieldPath(outer, checked.error.field));
