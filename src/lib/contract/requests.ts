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

/** A value that is sent. The route checks it by `check`; its documentation says `tell`. */
export const sent = <W, K>(
  { form, read }: Field<W, K>,
  check: FormOptions,
  tell: FormOptions = check,
): Field<W, K> => ({ form: { is: 'sent', of: form, check, tell }, read });

/** A value that is checked in a wider form than the documentation tells: the rules say which of the values are right. */
export const sentAs = <W, K>(
  told: AnyField,
  { form, read }: Field<W, K>,
  check: FormOptions,
): Field<W, K> => ({ form: { is: 'sent', of: told.form, checkedAs: form, check, tell: {} }, read });

/** A value whose form the route does not look at: the rules say what is wrong with it, and what is missing. */
export const byRules = <W, K>(
  { form, read }: Field<W, K>,
  tell: FormOptions = {},
): Field<W, K> & { readonly isOptional: true } => ({
  form: { is: 'sent', of: form, check: null, tell },
  read,
  isOptional: true,
});

/** A value of an answer that is told and not checked: the server made it of checked values. */
export const unchecked = <W, K>({ form, read }: Field<W, K>): Field<W, K> => ({
  form: { is: 'sent', of: form, check: null, tell: {} },
  read,
});

/** A field with what its documentation says of it. */
export const described = <W, K>(field: Field<W, K>, description: string): Field<W, K> =>
  sent(field, {}, { description });

/** An object with what its documentation says of its members: these words are not loaded by the browser, which knows the object alone. */
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

/** What a change is answered with that says of itself whether it was made (specification, 7.1). */
export const changed = object({ success: done, error: nothing });

/** Its refusal. */
export const notChanged = object({ success: notDone, error: text, field: optional(text) });

/** What a change is answered with that says no more than that it was made. */
export const succeeded = object({ success: done });

/** A one-time address of a file: good for a minute, without a session. */
export const downloadAnswer = object({ url: words }, ['url']);

/** What that address is asked by. */
export const ticketQuery = object({ ticket: sent(text, { default: '', maxLength: 200 }) });
