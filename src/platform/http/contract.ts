import { t, type TSchema } from 'elysia';
import type { AnyField, Wire } from '../../lib/contract/fields.ts';
import type { Form, FormOptions } from '../../lib/contract/form.ts';

/** What a contract says of the values of one route. */
type RouteForms = {
  params?: AnyField;
  query?: AnyField;
  body?: AnyField;
  answer: AnyField;
  refusalForms?: Readonly<Record<number, AnyField>>;
};
/** Whether a schema is for the route, which checks by it, or for its documentation. */
type Use = 'check' | 'tell';

type Schema<F> = ReturnType<typeof t.Unsafe<Wire<F>>>;
type Responses<R extends RouteForms> = { 200: Schema<R['answer']> } & (R extends { refusalForms: infer F }
  ? { -readonly [S in keyof F]: Schema<F[S]> }
  : unknown);
type RouteSchemas<R extends RouteForms> = { response: Responses<R> } & (R extends {
  params: infer P;
}
  ? { params: Schema<P> }
  : unknown) &
  (R extends { query: infer Q } ? { query: Schema<Q> } : unknown) &
  (R extends { body: infer B }
    ? { body: B extends { isOptional: true } ? ReturnType<typeof optionalOf<Schema<B>>> : Schema<B> }
    : unknown);

const optionalOf = <S extends TSchema>(schema: S) => t.Optional(schema);

function makeSchema(form: Form, use: Use, options: FormOptions): TSchema {
  switch (form.is) {
    case 'text':
    case 'capitals':
      return t.String(options);
    case 'time':
      return t.String({ ...options, format: 'date-time' });
    case 'number':
    case 'epochMs':
      return t.Number(options);
    case 'numeric':
      return t.Numeric(options);
    case 'literal':
      return t.Literal(form.of, options);
    case 'integer':
      return t.Integer(options);
    case 'boolean':
      return t.Boolean(options);
    case 'null':
      return t.Null(options);
    case 'anything':
      return t.Unknown(options);
    case 'choice':
      return t.UnionEnum([...form.of] as [string, ...string[]], options);
    case 'list':
      return t.Array(schemaOf(form.of, use), options);
    case 'map':
      return t.Record(t.String(), schemaOf(form.of, use), options);
    case 'orNull':
      return t.Nullable(schemaOf(form.of, use), options);
    case 'optional':
      return optionalOf(schemaOf(form.of, use, options));
    case 'anyOf':
      return t.Union(
        form.of.map((one) => schemaOf(one, use)),
        options,
      );
    case 'object':
      return t.Object(
        Object.fromEntries(
          Object.entries(form.of).map(([name, member]) => [name, schemaOf(member.form, use)]),
        ),
        options,
      );
    case 'sent':
      if (use === 'tell') return schemaOf(form.of, use, form.tell);
      // The default that `UnionEnum` brings would take a missing value for the first one.
      return form.check
        ? schemaOf(form.of, use, { default: undefined, ...form.check })
        : optionalOf(t.Unknown());
  }
}

/** Schemas by their forms: many answers hold the same ones, and each costs its part of a start. */
const made: Record<Use, WeakMap<Form, TSchema>> = { check: new WeakMap(), tell: new WeakMap() };

function schemaOf(form: Form, use: Use, options?: FormOptions): TSchema {
  if (options) return makeSchema(form, use, options);
  const known = made[use].get(form);
  if (known) return known;
  const schema = makeSchema(form, use, {});
  made[use].set(form, schema);
  return schema;
}

/** The schema that the documentation shows of a value. */
export const toldSchema = (field: AnyField): TSchema => schemaOf(field.form, 'tell');

/** The schemas by which a route checks what it is sent and what it answers. */
export function routeSchemas<R extends RouteForms>({
  params,
  query,
  body,
  answer,
  refusalForms = {},
}: R): RouteSchemas<R> {
  const check = (field: AnyField): TSchema => schemaOf(field.form, 'check');
  return {
    ...(params ? { params: check(params) } : {}),
    ...(query ? { query: check(query) } : {}),
    ...(body ? { body: check(body) } : {}),
    response: {
      200: check(answer),
      ...Object.fromEntries(Object.entries(refusalForms).map(([status, form]) => [status, check(form)])),
    },
  } as unknown as RouteSchemas<R>;
}
