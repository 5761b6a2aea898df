import { type InputSchema, t, type TSchema } from 'elysia';
import type { AnyField, Form, FormOptions } from '#lib/contract/fields.ts';

type RouteForms = {
  params?: AnyField;
  query?: AnyField;
  body?: AnyField;
  answer: AnyField | null;
  refusalForms?: Readonly<Record<number, AnyField>>;
};
/** A schema checks values for the route, or describes them for the documentation. */
type Use = 'check' | 'document';

type PlainForm = Exclude<Form, { of: Form | readonly Form[] } | { is: 'object' }>;

function plainSchema(form: PlainForm, options: FormOptions): TSchema {
  switch (form.is) {
    case 'text':
    case 'capitals':
      return t.String(options);
    case 'time':
      return t.String({ ...options, format: 'date-time' });
    case 'date':
      return t.String({ ...options, format: 'date' });
    case 'file':
      return t.Any(options);
    case 'number':
    case 'epochMs':
      return t.Number(options);
    case 'numeric':
      // With options, even empty ones, `Numeric` refuses numbers that are not finite.
      return Object.keys(options).length === 0 ? t.Numeric() : t.Numeric(options);
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
  }
}

function sentSchema(form: Extract<Form, { is: 'sent' }>, use: Use, options: FormOptions): TSchema {
  if (use === 'document') return schemaOf(form.of, use, { ...form.document, ...options });
  if (!form.check) return t.Optional(t.Unknown());
  if (form.checkedAs) return schemaOf(form.checkedAs, use, form.check);
  // The default of `UnionEnum` would replace a missing value by the first one. With the option, even empty, a
  // missing body counts as an empty object, so that the message names the missing member.
  return schemaOf(form.of, use, form.of.is === 'list' ? form.check : { default: undefined, ...form.check });
}

function makeSchema(form: Form, use: Use, options: FormOptions): TSchema {
  switch (form.is) {
    case 'list':
      return t.Array(schemaOf(form.of, use), options);
    case 'map':
      return t.Record(t.String(), schemaOf(form.of, use), options);
    case 'orNull':
      return t.Nullable(schemaOf(form.of, use), options);
    case 'optional':
      return t.Optional(schemaOf(form.of, use, options));
    case 'anyOf': {
      const schemas = form.of.map((one) => schemaOf(one, use));
      return t.Union(schemas, options);
    }
    case 'named':
      return use === 'document'
        ? t.Unsafe({ ...options, $ref: `#/components/schemas/${form.name}` })
        : schemaOf(form.of, use, options);
    case 'object': {
      const members = Object.entries(form.of);
      const schemas = members.map(([name, member]) => [name, schemaOf(member.form, use)] as const);
      return t.Object(Object.fromEntries(schemas), options);
    }
    case 'sent':
      return sentSchema(form, use, options);
    default:
      return plainSchema(form, options);
  }
}

/** Schemas by their forms. Many answers share forms, and each schema costs time at the start. */
const made: Record<Use, WeakMap<Form, TSchema>> = { check: new WeakMap(), document: new WeakMap() };

function schemaOf(form: Form, use: Use, options?: FormOptions): TSchema {
  if (options) return makeSchema(form, use, options);
  const known = made[use].get(form);
  if (known) return known;
  const schema = makeSchema(form, use, {});
  made[use].set(form, schema);
  return schema;
}

export const answerSchema = (field: AnyField): TSchema => schemaOf(field.form, 'document');

export const namedSchemas = (fields: readonly AnyField[]): Record<string, TSchema> =>
  Object.fromEntries(
    fields.flatMap(({ form }) => (form.is === 'named' ? [[form.name, schemaOf(form.of, 'document')]] : [])),
  );

export function routeSchemas({ params, query, body, answer, refusalForms = {} }: RouteForms): InputSchema {
  const check = (field: AnyField): TSchema => schemaOf(field.form, 'check');
  const refusals = Object.entries(refusalForms).map(([status, form]) => [status, check(form)] as const);
  return {
    ...(params ? { params: check(params) } : {}),
    ...(query ? { query: check(query) } : {}),
    ...(body ? { body: check(body) } : {}),
    ...(answer ? { response: { 200: check(answer), ...Object.fromEntries(refusals) } } : {}),
  };
}
