import type { Field } from './fields.ts';
import type { FormOptions } from './form.ts';

/** A value that is sent. The route checks it by `check`; its documentation says `tell`. */
export const sent = <W, K>(
  { form, read }: Field<W, K>,
  check: FormOptions,
  tell: FormOptions = check,
): Field<W, K> => ({ form: { is: 'sent', of: form, check, tell }, read });

/** A value whose form the route does not look at: the rules say what is wrong with it, and what is missing. */
export const byRules = <W, K>(
  { form, read }: Field<W, K>,
  tell: FormOptions = {},
): Field<W, K> & { readonly isOptional: true } => ({
  form: { is: 'sent', of: form, check: null, tell },
  read,
  isOptional: true,
});
