import {
  type AnyField,
  done,
  type Field,
  type FormOptions,
  notDone,
  nothing,
  text,
  words,
} from './fields.ts';
import { object, type ObjectField, optional } from './objects.ts';

/** A value of a request. The route checks `check`; the documentation shows `document`. */
export const sent = <W, K>(
  { form, read }: Field<W, K>,
  check: FormOptions,
  document: FormOptions = check,
): Field<W, K> => ({ form: { is: 'sent', of: form, check, document }, read });

/** A value whose check is wider than its documentation, because the rules decide which values are right. */
export const sentAs = <W, K>(
  documented: AnyField,
  { form, read }: Field<W, K>,
  check: FormOptions,
): Field<W, K> => ({ form: { is: 'sent', of: documented.form, checkedAs: form, check, document: {} }, read });

/** A value that the route does not check, because the rules report what is wrong or missing. */
export const byRules = <W, K>(
  { form, read }: Field<W, K>,
  document: FormOptions = {},
): Field<W, K> & { readonly isOptional: true } => ({
  form: { is: 'sent', of: form, check: null, document },
  read,
  isOptional: true,
});

/** A documented value of an answer that is not checked, because the server built it from checked values. */
export const unchecked = <W, K>({ form, read }: Field<W, K>): Field<W, K> => ({
  form: { is: 'sent', of: form, check: null, document: {} },
  read,
});

export const described = <W, K>(field: Field<W, K>, description: string): Field<W, K> =>
  sent(field, {}, { description });

export const inWords = <M, K, W>(
  field: Field<W, K> & Pick<ObjectField<M, K>, 'members'>,
  words: { readonly [N in keyof M]?: string },
): Field<W, K> => {
  const members = Object.entries<AnyField>(field.members as Record<string, AnyField>).map(
    ([name, member]) => {
      const description = words[name as keyof M];
      return [
        name,
        description === undefined ? member : { ...member, ...described(member, description) },
      ] as const;
    },
  );
  return { form: { is: 'object', of: Object.fromEntries(members) }, read: field.read };
};

/** The answer to a change that states its outcome (specification, 7.1). */
export const changed = object({ success: done, error: nothing });

export const notChanged = object({ success: notDone, error: text, field: optional(text) });

export const succeeded = object({ success: done });

export const downloadAnswer = object({ url: words }, ['url']);

export const ticketQuery = object({ ticket: sent(text, { default: '', maxLength: 200 }) });
