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

/** JSON Schema keywords of a value, and `error`, the sentence that answers a refused one. */
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

/**
 * The form of a value on the wire, as plain data. The server builds schemas from it, and tests build answers.
 */
export type Form =
  | { is: 'text' | 'time' | 'epochMs' | 'number' | 'integer' | 'boolean' | 'null' | 'anything' }
  | { is: 'capitals' }
  | { is: 'numeric' }
  | { is: 'literal'; of: boolean }
  | { is: 'choice'; of: readonly (string | number)[] }
  /** A calendar date, YYYY-MM-DD. */
  | { is: 'date' }
  | { is: 'file' }
  | { is: 'list' | 'map' | 'orNull' | 'optional'; of: Form }
  | { is: 'anyOf'; of: readonly Form[] }
  /** A form shared by many answers. The documentation shows it once, under its name. */
  | { is: 'named'; name: string; of: Form }
  | { is: 'object'; of: Readonly<Record<string, { readonly form: Form; readonly isExtension?: true }>> }
  /** `checkedAs` is a wider form, used if the rules decide which values are right. */
  | { is: 'sent'; of: Form; checkedAs?: Form; check: FormOptions | null; document: FormOptions };

declare const WIRE: unique symbol;

/**
 * A value of a request or an answer: its wire form and its reader, which never throws. `W` is what the server
 * promises, `K` what a browser gets from a server of any version.
 */
export type Field<W, K = W | null> = {
  readonly form: Form;
  readonly read: (value: unknown) => K;
  readonly [WIRE]?: W;
};
export type AnyField = Field<unknown, unknown>;

export type Wire<F> = F extends Field<infer W, unknown> ? W : never;
export type Known<F extends AnyField> = NonNullable<ReturnType<F['read']>>;

/** Any text; also a number in its plain form. */
export const text: Field<string> = { form: { is: 'text' }, read: readText };
/** Text; an empty one counts as missing. */
export const words: Field<string> = { form: { is: 'text' }, read: (value) => readText(value) || null };
export const number: Field<number> = { form: { is: 'number' }, read: readNumber };
export const integer: Field<number> = { form: { is: 'integer' }, read: readNumber };
export const count: Field<number> = { form: { is: 'integer' }, read: readCount };
export const flag: Field<0 | 1, 0 | 1> = {
  form: { is: 'choice', of: [0, 1] },
  read: (value) => (readBoolean(value) ? 1 : 0),
};
export const boolean: Field<boolean> = { form: { is: 'boolean' }, read: readBoolean };
export const isoTime: Field<string> = { form: { is: 'time' }, read: readIsoTime };
/** YYYY-MM-DD; the reader drops a time after it. */
export const date: Field<string> = {
  form: { is: 'date' },
  read: (value) => /^\d{4}-\d{2}-\d{2}/.exec(readText(value) ?? '')?.[0] ?? null,
};
export const epochMs: Field<number> = { form: { is: 'epochMs' }, read: readTime };

export const trimmed: Field<string> = {
  form: { is: 'text' },
  read: (value) => readText(value)?.trim() || null,
};
/** As `trimmed`, in upper case: the code of a stock. */
export const capitals: Field<string> = {
  form: { is: 'capitals' },
  read: (value) => trimmed.read(value)?.toUpperCase() ?? null,
};
export const numeric: Field<number> = { form: { is: 'numeric' }, read: readNumber };
/** A change was made. The reader accepts false too, because `readRefusal` uses it. */
export const done: Field<true, boolean | null> = { form: { is: 'literal', of: true }, read: readBoolean };
export const notDone: Field<false, boolean | null> = {
  form: { is: 'literal', of: false },
  read: readBoolean,
};
export const nothing: Field<null> = { form: { is: 'null' }, read: () => null };

export const file: Field<Response, string | null> = { form: { is: 'file' }, read: readText };

export const anything: Field<unknown, unknown> = { form: { is: 'anything' }, read: (value) => value };

export const choice = <const T extends string>(of: readonly T[]): Field<T> => ({
  form: { is: 'choice', of },
  read: readChoice(of),
});

export const orNull = <W, K>({ form, read }: Field<W, K>): Field<W | null, K> => ({
  form: { is: 'orNull', of: form },
  read,
});

export const or = <W, K, const D>({ form, read }: Field<W, K>, missing: D): Field<W, NonNullable<K> | D> => ({
  form,
  read: (value) => read(value) ?? missing,
});

export const readBy = <W, K>({ form }: Field<W, unknown>, read: (value: unknown) => K): Field<W, K> => ({
  form,
  read,
});

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

export const named = <W, K>(name: string, { form, read }: Field<W, K>): Field<W, K> => ({
  form: { is: 'named', name, of: form },
  read,
});

export const anyOf = <F extends AnyField, K>(
  fields: readonly F[],
  read: (value: unknown) => K,
): Field<Wire<F>, K> => ({ form: { is: 'anyOf', of: fields.map(({ form }) => form) }, read });

export const list = <W, K>({ form, read }: Field<W, K>): Field<W[], NonNullable<K>[]> => ({
  form: { is: 'list', of: form },
  read: (value) => readList<NonNullable<K>>(value, (item) => read(item) ?? null),
});

export const listOrNone = <W, K>(one: Field<W, K>): Field<W[], NonNullable<K>[] | null> => {
  const { form, read } = list(one);
  return { form, read: (value) => (Array.isArray(value) ? read(value) : null) };
};

export const map = <W, K>({
  form,
  read,
}: Field<W, K>): Field<Record<string, W>, Record<string, NonNullable<K>>> => ({
  form: { is: 'map', of: form },
  read: (value) => readMap<NonNullable<K>>(value, (member) => read(member) ?? null),
});
