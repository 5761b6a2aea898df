import {
  readBoolean,
  readChoice,
  readCount,
  readIsoTime,
  readList,
  readMap,
  readNumber,
  readText,
  readTime,
} from '../read.ts';

/** What JSON Schema says of a value beside its type, and `error`, the sentence that a refused one is answered with. */
export type FormOptions = Readonly<{
  description?: string;
  default?: unknown;
  minimum?: number;
  multipleOf?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  error?: string;
  additionalProperties?: boolean;
}>;

/** How a value looks on the wire, as plain data: the server makes its schemas of it, and tests make answers of it. */
export type Form =
  | { is: 'text' | 'time' | 'epochMs' | 'number' | 'integer' | 'boolean' | 'null' | 'anything' }
  /** Text in upper case. */
  | { is: 'capitals' }
  /** A number of an address, where it stands as text. */
  | { is: 'numeric' }
  | { is: 'literal'; of: boolean }
  | { is: 'choice'; of: readonly (string | number)[] }
  /** A calendar date, YYYY-MM-DD. */
  | { is: 'date' }
  /** The bytes of a file, which come instead of JSON. */
  | { is: 'file' }
  | { is: 'list' | 'map' | 'orNull' | 'optional'; of: Form }
  | { is: 'anyOf'; of: readonly Form[] }
  /** A form that many answers hold: the documentation shows it once, under its name. */
  | { is: 'named'; name: string; of: Form }
  | { is: 'object'; of: Readonly<Record<string, { readonly form: Form; readonly isOurs?: true }>> }
  /** Checked as `checkedAs` where the rules say which of these values are right. */
  | { is: 'sent'; of: Form; checkedAs?: Form; check: FormOptions | null; tell: FormOptions };

declare const WIRE: unique symbol;

/**
 * A value of a request or an answer: its form on the wire, and how a browser reads it, which never throws.
 * `W` is what the server promises, `K` what is known of it once it was read from a server of any version.
 */
export type Field<W, K = W | null> = {
  readonly form: Form;
  readonly read: (value: unknown) => K;
  readonly [WIRE]?: W;
};
export type AnyField = Field<unknown, unknown>;

/** What the server promises of a field. */
export type Wire<F> = F extends Field<infer W, unknown> ? W : never;
/** What is known of a field that could be read. */
export type Known<F extends AnyField> = NonNullable<ReturnType<F['read']>>;

/** Any text; a number in its plain form too. */
export const text: Field<string> = { form: { is: 'text' }, read: readText };
/** Text that says something: empty text counts as none. */
export const words: Field<string> = { form: { is: 'text' }, read: (value) => readText(value) || null };
export const number: Field<number> = { form: { is: 'number' }, read: readNumber };
/** A whole number on the wire; what is read may be any. */
export const integer: Field<number> = { form: { is: 'integer' }, read: readNumber };
/** A whole number of things, 0 or more. */
export const count: Field<number> = { form: { is: 'integer' }, read: readCount };
/** A boolean that is 1 or 0 on the wire; 0 where it can't be read. */
export const flag: Field<0 | 1, 0 | 1> = {
  form: { is: 'choice', of: [0, 1] },
  read: (value) => (readBoolean(value) ? 1 : 0),
};
export const boolean: Field<boolean> = { form: { is: 'boolean' }, read: readBoolean };
/** ISO 8601. */
export const isoTime: Field<string> = { form: { is: 'time' }, read: readIsoTime };
/** YYYY-MM-DD; what is read may have a time behind it. */
export const date: Field<string> = {
  form: { is: 'date' },
  read: (value) => /^\d{4}-\d{2}-\d{2}/.exec(readText(value) ?? '')?.[0] ?? null,
};
/** Epoch ms. */
export const epochMs: Field<number> = { form: { is: 'epochMs' }, read: readTime };

/** As `words`, without blanks at its ends. */
export const trimmed: Field<string> = {
  form: { is: 'text' },
  read: (value) => readText(value)?.trim() || null,
};
/** As `trimmed`, in upper case: the code of a stock. */
export const capitals: Field<string> = {
  form: { is: 'capitals' },
  read: (value) => trimmed.read(value)?.toUpperCase() ?? null,
};
/** A number of a request's address. */
export const numeric: Field<number> = { form: { is: 'numeric' }, read: readNumber };
/** That a change was made; what is read may be false, as `readRefusal` has it. */
export const done: Field<true, boolean | null> = { form: { is: 'literal', of: true }, read: readBoolean };
/** That it was not made, in the form of a refusal. */
export const notDone: Field<false, boolean | null> = {
  form: { is: 'literal', of: false },
  read: readBoolean,
};
export const nothing: Field<null> = { form: { is: 'null' }, read: () => null };

/** A file, which a browser saves; what is read of it is its text. */
export const file: Field<Response, string | null> = { form: { is: 'file' }, read: readText };

export const anything: Field<unknown, unknown> = { form: { is: 'anything' }, read: (value) => value };

/** One of several texts. */
export const choice = <const T extends string>(of: readonly T[]): Field<T> => ({
  form: { is: 'choice', of },
  read: readChoice(of),
});

/** A field that may be null on the wire. */
export const orNull = <W, K>({ form, read }: Field<W, K>): Field<W | null, K> => ({
  form: { is: 'orNull', of: form },
  read,
});

/** A field with what it is taken for where it can't be read. */
export const or = <W, K, const D>({ form, read }: Field<W, K>, missing: D): Field<W, NonNullable<K> | D> => ({
  form,
  read: (value) => read(value) ?? missing,
});

/** A field of the same form that is read in a way of its own. */
export const readBy = <W, K>({ form }: Field<W, unknown>, read: (value: unknown) => K): Field<W, K> => ({
  form,
  read,
});

/** A field that counts as not read where what was read is not right. */
export const where = <W, K>(
  { form, read }: Field<W, K>,
  isRight: (known: NonNullable<K>) => boolean,
): Field<W, K | null> => ({
  form,
  read(value) {
    const known = read(value) ?? null;
    return known === null || isRight(known) ? known : null;
  },
});

/** A field whose form the documentation shows once, under this name. */
export const named = <W, K>(name: string, { form, read }: Field<W, K>): Field<W, K> => ({
  form: { is: 'named', name, of: form },
  read,
});

/** A value in one of several forms, which `read` tells apart. */
export const anyOf = <F extends AnyField, K>(
  fields: readonly F[],
  read: (value: unknown) => K,
): Field<Wire<F>, K> => ({ form: { is: 'anyOf', of: fields.map(({ form }) => form) }, read });

/** The members that can be read; empty for what is no list. */
export const list = <W, K>({ form, read }: Field<W, K>): Field<W[], NonNullable<K>[]> => ({
  form: { is: 'list', of: form },
  read: (value) => readList<NonNullable<K>>(value, (item) => read(item) ?? null),
});

/** As `list`, but null for what is no list. */
export const listOrNone = <W, K>(one: Field<W, K>): Field<W[], NonNullable<K>[] | null> => {
  const { form, read } = list(one);
  return { form, read: (value) => (Array.isArray(value) ? read(value) : null) };
};

/** The members that can be read, by their keys; none for what is no object. */
export const map = <W, K>({
  form,
  read,
}: Field<W, K>): Field<Record<string, W>, Record<string, NonNullable<K>>> => ({
  form: { is: 'map', of: form },
  read: (value) => readMap<NonNullable<K>>(value, (member) => read(member) ?? null),
});
