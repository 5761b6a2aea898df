import { describe, expect, test } from 'bun:test';
import { isRecord } from '#lib/json.ts';
import { createTestApp } from '#support/testApp.ts';

/** Texts and lists of a schema without a limit. `unknown` values are checked by the rules of the domain. */
function unlimited(schema: unknown, at: string): string[] {
  if (!isRecord(schema)) return [];
  const { type, maxLength, maxItems, pattern, format } = schema;
  const isFixed = 'const' in schema || 'enum' in schema || maxLength !== undefined;
  const isOpen = type === 'string' && !isFixed && pattern === undefined && format === undefined;
  const own = isOpen || (type === 'array' && maxItems === undefined) ? [at] : [];
  const members = isRecord(schema['properties']) ? Object.entries(schema['properties']) : [];
  const choices = ['anyOf', 'allOf', 'oneOf'].flatMap((key) =>
    Array.isArray(schema[key]) ? schema[key] : [],
  );
  return [
    ...own,
    ...members.flatMap(([name, member]) => unlimited(member, `${at}.${name}`)),
    ...choices.flatMap((choice: unknown) => unlimited(choice, at)),
    ...unlimited(schema['items'], `${at}[]`),
  ];
}

// A whole address has at most 200 characters.
const app = createTestApp({ env: { BELLBIRD_TEST: '1' } });
const schemas = app.api.routes.flatMap(({ method, path, hooks }) =>
  (['body', 'query'] as const).map((part) => ({
    at: `${method} ${path} ${part}`,
    schema: (hooks as Record<string, unknown>)[part],
  })),
);
app.close();

describe('every text and list of a request is limited by its schema, before it is read', () => {
  test('in every route', () => {
    expect(schemas.filter(({ schema }) => schema !== undefined).length).toBeGreaterThan(30);
    // A text without a limit: add `maxLength`, or `maxItems` for a list.
    expect(schemas.flatMap(({ at, schema }) => unlimited(schema, at))).toEqual([]);
  });

  test('and the error states the limit', async () => {
    const fixture = createTestApp();
    const send = async (path: string, body: unknown) =>
      (await fixture.request('POST', path, { as: 'free', body })).json;
    expect(await send('/api/login', { identifier: 'x'.repeat(255), password: 'y' })).toEqual({
      error: 'The field "identifier" of the request body has more than 254 characters.',
      field: 'identifier',
    });
    expect(await send('/api/indicators/prefs', { refs: Array.from({ length: 401 }, () => 1) })).toEqual({
      error: 'The field "refs" of the request body has more than 400 entries.',
      field: 'refs',
    });
    fixture.close();
  });
});
