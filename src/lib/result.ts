export type Ok<T> = { ok: true; value: T };
export type Failed<E> = { ok: false; error: E };

/** What a rule gives that may say no: its value, or why there is none. */
export type Result<T, E = Refusal> = Ok<T> | Failed<E>;

/**
 * Why an input is refused.
 * `field` is the name of the input that is at fault, null when it is the whole; `message` is a sentence for the person.
 */
export type Refusal = { field: string | null; message: string };

export const ok = <T>(value: T): Ok<T> => ({ ok: true, value });

export const failed = <E>(error: E): Failed<E> => ({ ok: false, error });

export const refuse = (message: string, field: string | null = null): Failed<Refusal> =>
  failed({ field, message });
