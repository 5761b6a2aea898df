import type { Result } from '#lib/result.ts';

/** The sentence of a refusal; null when the check said yes. */
export const messageOf = (checked: Result<unknown>): string | null =>
  checked.ok ? null : checked.error.message;

/** The refusal as its field and sentence; null when the check said yes. */
export const refusalOf = (checked: Result<unknown>): [field: string | null, message: string] | null =>
  checked.ok ? null : [checked.error.field, checked.error.message];
