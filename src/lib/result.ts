/** Why something was refused: the field it is about, where it is about one, and a sentence for whoever asked. */
export type Refusal = { field: string | null; message: string };

/** What a check gives: the value in its one form, or why there is none. */
export type Result<T, E = Refusal> = { ok: true; value: T } | { ok: false; refusal: E };

export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });

/** @param field the name of the refused field; null when the whole is refused */
export const refuse = (message: string, field: string | null = null): { ok: false; refusal: Refusal } => ({
  ok: false,
  refusal: { field, message },
});
