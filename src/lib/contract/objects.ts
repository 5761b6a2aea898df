import { isRecord } from '../json.ts';
import type { AnyField, Field, Wire } from './fields.ts';

export type Members = Readonly<Record<string, AnyField>>;
type IsOptional = { readonly isOptional: true };
/** A member outside of the specification, so a server of another version may omit it. */
export type IsExtension = { readonly isExtension: true };

type OptionalOf<M> = { [N in keyof M]: M[N] extends IsOptional ? N : never }[keyof M];
type Flat<T> = { [N in keyof T]: T[N] };
type WireOf<M> = Flat<
  { -readonly [N in keyof M as N extends OptionalOf<M> ? never : N]: Wire<M[N]> } & {
    -readonly [N in keyof M as N extends OptionalOf<M> ? N : never]?: Wire<M[N]>;
  }
>;
type ReadOf<F> = F extends Field<unknown, infer K> ? K : never;
type LeftOut<M> = {
  [N in keyof M]: unknown extends ReadOf<M[N]> ? never : undefined extends ReadOf<M[N]> ? N : never;
}[keyof M];
type KnownOf<M, Needed> = Flat<
  {
    -readonly [N in keyof M as N extends LeftOut<M> ? never : N]: N extends Needed
      ? NonNullable<ReadOf<M[N]>>
      : ReadOf<M[N]>;
  } & { -readonly [N in keyof M as N extends LeftOut<M> ? N : never]?: NonNullable<ReadOf<M[N]>> }
>;
export type ObjectField<M, K> = Field<WireOf<M>, K> & { readonly members: M };

export const optional = <W, K>({ form, read }: Field<W, K>): Field<W, K> & IsOptional => ({
  form: { is: 'optional', of: form },
  read,
  isOptional: true,
});

/** Like `optional`, but the result contains the member only if it is known. */
export const whereKnown = <W, K>({
  form,
  read,
}: Field<W, K>): Field<W, NonNullable<K> | undefined> & IsOptional => ({
  form: { is: 'optional', of: form },
  read: (value) => read(value) ?? undefined,
  isOptional: true,
});

export const extension = <F extends AnyField>(field: F): F & IsExtension => ({ ...field, isExtension: true });

/**
 * An object of named members. Unknown members are dropped; null if it is not an object.
 * @param needed null if one of these is unreadable
 */
export function object<M extends Members, Needed extends keyof M & string = never>(
  members: M,
  needed: readonly Needed[] = [],
): ObjectField<M, KnownOf<M, Needed> | null> {
  const fields = Object.entries<AnyField>(members);
  return {
    form: { is: 'object', of: members },
    members,
    read(value) {
      if (!isRecord(value)) return null;
      const known: Record<string, unknown> = {};
      for (const [name, { read }] of fields) {
        const member = read(value[name]);
        if (member !== undefined) known[name] = member;
      }
      return needed.some((name) => known[name] === null) ? null : (known as KnownOf<M, Needed>);
    },
  };
}

/** Reads the members even if there is no object; each is then its default. */
export const always = <M, K>(field: ObjectField<M, K>): ObjectField<M, NonNullable<K>> => ({
  ...field,
  read: (value) => field.read(isRecord(value) ? value : {}) as NonNullable<K>,
});

export const alwaysOrNull = <M, K>(
  field: ObjectField<M, K>,
): Field<WireOf<M> | null, NonNullable<K> | null> => {
  const { form, read } = always(field);
  return { form: { is: 'orNull', of: form }, read: (value) => (value == null ? null : read(value)) };
};

export const withMore = <M extends Members, K, N extends Members, L>(
  field: ObjectField<M, K>,
  more: ObjectField<N, L>,
): Field<Flat<WireOf<M> & Partial<WireOf<N>>>, (NonNullable<K> & Partial<NonNullable<L>>) | null> => {
  const optionals = Object.entries<AnyField>(more.members).map(
    ([name, member]) => [name, extension(optional(member))] as const,
  );
  return {
    form: { is: 'object', of: { ...field.members, ...Object.fromEntries(optionals) } },
    read(value) {
      const known = field.read(value);
      return known ? ({ ...known, ...more.read(value) } as NonNullable<K> & Partial<NonNullable<L>>) : null;
    },
  };
};
