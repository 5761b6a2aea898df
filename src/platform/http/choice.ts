import { t } from 'elysia';

/**
 * One of some texts, in what is sent: `UnionEnum` without the default it brings, which would take a missing value for the
 * first one.
 *
 * @param error the sentence for anything else, and for a missing value where one is needed
 */
export const choice = <const T extends string>(values: readonly [T, ...T[]], error?: string) =>
  t.Unsafe<T>({ ...t.UnionEnum(values, error === undefined ? {} : { error }), default: undefined });
