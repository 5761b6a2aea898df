import type { Result } from '#lib/result.ts';

/** The message of a rejection; null if the check accepted. */
export const messageOf = (checked: Result<unknown>): string | null =>
  checked.ok ? null : checked.error.message;

/** The rejection as its field and message; null if the check accepted. */
export const refusalOf = (checked: Result<unknown>): [field: string | null, message: string] | null =>
  checked.ok ? null : [checked.error.field, checked.error.message];
