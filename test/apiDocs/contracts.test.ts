import fc from 'fast-check';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type ApiDocument, type Operation, plainSchema } from '#src/apiDocs/document.ts';
import { CONTRACTS } from '#src/contracts.ts';
import { isRecord } from '#lib/json.ts';
import { declaredLevel } from '#platform/http/auth.ts';
import { routeSchemas, answerSchema } from '#platform/http/contract.ts';
import { type RouteContract, type RouteContracts, TAGS } from '#texts/routeContract.ts';
import { createExamples } from '../support/apiExamples.ts';
import { answersOf, bareAnswer, spoiledAnswers } from '../support/contractAnswers.ts';
import { startFakeModel } from '../support/fakeModel.ts';
import { readSources } from '../support/sourceGraph.ts';
import { createTestApp } from '../support/testApp.ts';

const DOCUMENT = 'document';
const contractOf = (name: string): RouteContract | undefined => (CONTRACTS as RouteContracts)[name];

function prepared(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((one) => prepared(one));
  if (!isRecord(schema)) return schema;
  const { $ref } = schema;
  if (typeof $ref === 'string') return { $ref: `${DOCUMENT}${$ref}` };
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, prepared(value)]));
  const isOpen = 'additionalProperties' in schema || 'patternProperties' in schema;
  return schema['type'] === 'object' && isRecord(schema['properties']) && !isOpen
    ? { ...inner, additionalProperties: false }
    : inner;
}

/** Lists the errors of a value against a schema. Members that the schema does not name are errors too. */
function createSchemaCheck(components: unknown): (schema: unknown, value: unknown) => string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, inlineRefs: false });
  addFormats(ajv);
  ajv.addSchema({ $id: DOCUMENT, components: prepared(components) });
  return (schema, value) => {
    const check = ajv.compile(prepared(schema) as object);
    if (check(value)) return [];
    return (check.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

const model = startFakeModel();
const examples = await createExamples(model);
afterAll(async () => {
  await examples.close();
  await model.stop();
});

const fixture = createTestApp();
const sent = await fixture.request('GET', '/openapi/json');
const document = sent.json as ApiDocument;
const page = await fixture.request('GET', '/openapi');
const routes = fixture.api.routes.map(({ method, path, hooks }) => ({
  name: `${method} ${path}`,
  hooks,
  verb: method.toLowerCase(),
  address: path.replaceAll(/:(\w+)/g, '{$1}'),
  level: declaredLevel((hooks as { detail?: Parameters<typeof declaredLevel>[0] }).detail),
}));
fixture.close();

const wrongWith = createSchemaCheck(document.components);
const operationOf = ({ address, verb }: (typeof routes)[number]): Operation | undefined =>
  document.paths[address]?.[verb];
const schemaOf = (answer: unknown): { type: string; schema: unknown } => {
  const content = isRecord(answer) && isRecord(answer['content']) ? answer['content'] : {};
  const [type = '', media] = Object.entries(content)[0] ?? [];
  return { type, schema: isRecord(media) ? media['schema'] : undefined };
};

describe('the document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(
      structuredClone(document) as unknown as Record<string, unknown>,
    );
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  test('describes only existing routes', () => {
    const names = new Set(routes.map(({ name }) => name));
    expect(Object.keys(CONTRACTS).filter((name) => !names.has(name))).toEqual([]);
  });

  test('does not reveal this server’s configuration', async () => {
    const secret = 'marked-secret-of-the-tests-0123456789';
    const app = createTestApp({
      env: { BELLBIRD_INGEST_KEY: secret, BELLBIRD_AI_KEY: secret, BELLBIRD_TELEGRAM_TOKEN: secret },
    });
    const { text } = await app.request('GET', '/openapi/json');
    expect(text).toBe(sent.text);
    expect(text).not.toContain(secret);
    app.close();
  });
});

describe('every route is described', () => {
  for (const route of routes) {
    const description = contractOf(route.name);
    test(`${route.name}: its contract has a description`, () => {
      if (!description) {
        throw new Error(
          `Add an entry '${route.name}' with tag, summary and example to the contract of its subject, and what ` +
            'its example needs to be there to test/support/apiExamples.ts.',
        );
      }
      expect(Object.keys(TAGS)).toContain(description.tag);
      expect(description.summary).toMatch(/^[A-Z][a-z]+ .{2,72}[^.]$/);
      expect(description.description?.match(/[.!?](?= |$)/g)?.length ?? 0).toBeLessThanOrEqual(2);
    });
    test(`${route.name}: level, answer, errors and parameters`, () => {
      const operation = operationOf(route);
      expect(operation?.['x-level']).toBe(route.level);
      const answers = operation?.responses ?? {};
      expect(Object.keys(answers).some((status) => status.startsWith('2'))).toBe(true);
      const expected = [(route.level ?? 0) > 0 ? '401' : '', (route.level ?? 0) > 1 ? '403' : ''];
      expect(Object.keys(answers)).toEqual(
        expect.arrayContaining(expected.filter((status) => status !== '')),
      );
      for (const answer of Object.values(answers)) {
        expect(schemaOf(answer).type).not.toBe('');
        // A schema that accepts anything documents nothing.
        expect(schemaOf(answer).schema).not.toEqual({});
      }
      const names = (operation?.parameters ?? []).map(({ name }) => `{${name}}`);
      expect(names).toEqual(expect.arrayContaining(route.address.match(/\{\w+\}/g) ?? []));
    });
  }
});

describe('every example works', () => {
  for (const route of routes) {
    const { name, level } = route;
    const description = contractOf(name);
    if (!description || level === null) continue;
    const status = description.example.status ?? 200;
    test(`${name}: ${status}`, async () => {
      const operation = operationOf(route);
      const body = schemaOf(operation?.['requestBody']);
      if (description.example.body !== undefined) {
        expect(wrongWith(body.schema, description.example.body)).toEqual([]);
      }
      const response = await examples.send(name, level, description.example);
      const { type, schema } = schemaOf(operation?.responses[String(status)]);
      const isStream = type === 'text/event-stream';
      const text = isStream ? '' : await response.text();
      expect({ status: response.status, refusal: response.ok || status >= 400 ? '' : text }).toEqual({
        status,
        refusal: '',
      });
      expect(response.headers.get('content-type')).toStartWith(type);
      if (type === 'application/json') expect(wrongWith(schema, JSON.parse(text))).toEqual([]);
      if (isStream) await response.body?.cancel();
    });
  }
});

describe('the page', () => {
  test('shows every route, runs no script and fetches nothing', () => {
    expect(page.status).toBe(200);
    for (const { address } of routes) expect(page.text).toContain(`>${address}<`);
    // An address in an example body is plain text.
    expect(page.text).not.toMatch(/<script|<link|<img|src=|url\(|(?<!&quot;)https?:\/\//i);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toStartWith("default-src 'none'; style-src 'sha256-");
    const style = page.text.match(/<style>([^]*?)<\/style>/)?.[1] ?? '';
    const hash = new Bun.CryptoHasher('sha256').update(style).digest('base64');
    expect(policy).toContain(`'sha256-${hash}'`);
  });

  test('writes text from a route as text', async () => {
    const { pageOf } = await import('#src/apiDocs/document.ts');
    const hostile = structuredClone(document);
    const operation = hostile.paths['/api/app']?.['get'];
    if (operation) operation['summary'] = '<img src=x onerror=alert(1)>';
    expect(pageOf(hostile, () => '<b>')).not.toMatch(/<img|<b>/);
  });
});

/** Files that write schemas by hand: the claims of a token, and the readers of the market’s stream. This list may only shrink. */
const BY_HAND = { schemas: 1, readers: 5 };

const files = await readSources(join(import.meta.dir, '../..'), ['src', 'web']);
const contracts = Object.entries<RouteContract>(CONTRACTS);
const answers = contracts.flatMap(([name, { answer }]) => (answer ? [{ name, answer }] : []));

test('no other file writes schemas or readers by hand, because a contract generates both', () => {
  const schemas = files.filter(
    ({ path, code }) =>
      !path.endsWith('http/contract.ts') && /\bt\.(Object|Record|Array|Union|Unsafe)\(/.test(code),
  );
  const readers = files.filter(({ path }) => /\bweb\/(?:.*\/)?read[A-Z]\w*\.ts$/.test(path));
  expect(schemas.length).toBeLessThanOrEqual(BY_HAND.schemas);
  expect(readers.length).toBeLessThanOrEqual(BY_HAND.readers);
});

describe.each(contracts)('%s', (name, contract) => {
  test('is checked by its contract and by nothing else', () => {
    const { params, body, query, response } = (routes.find((route) => route.name === name)?.hooks ??
      {}) as Record<string, unknown>;
    const checks = JSON.parse(JSON.stringify({ params, body, query, response })) as unknown;
    expect(checks).toEqual(JSON.parse(JSON.stringify(routeSchemas(contract))));
  });
});

describe.each(answers)('$name', ({ answer }) => {
  test('any answer fits its documented schema', () => {
    const schema = { type: 'array', items: plainSchema(answerSchema(answer)) };
    const many = fc.array(answersOf(answer), { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(many, (given) => expect(wrongWith(schema, given)).toEqual([])),
      { numRuns: 2 },
    );
  });

  test('reads an answer with only the specified members', () => {
    fc.assert(
      fc.property(answersOf(answer), (given) =>
        expect(answer.read(bareAnswer(answer, given))).not.toBeNull(),
      ),
      { numRuns: 50 },
    );
  });

  test('reads an answer with a missing or malformed member, and reading it again changes nothing', () => {
    const spoiled = answersOf(answer).chain(spoiledAnswers);
    fc.assert(
      fc.property(spoiled, (given) => {
        const known = answer.read(given);
        expect(answer.read(known)).toEqual(known);
      }),
    );
  });
});

/**
 * The readers drop incomplete items, such as paths without bars or unknown conditions, and derive some members from others, such as the key of a
 * family from its place.
 */
const PICKED = [
  'GET /api/alerts',
  'POST /api/alerts',
  'PATCH /api/alerts/:id',
  'POST /api/alerts/:id/undo',
  'POST /api/alerts/rehearse',
  'GET /api/calls/:publicId',
  'GET /api/calls/by/:name',
  'POST /api/conditions/read',
  'GET /api/data/auction',
  'GET /api/data/bars',
  'GET /api/data/day-lines',
  'GET /api/data/tape',
  'GET /api/data/tape/changes',
  'GET /api/indicators/catalog/tv',
  'GET /api/indicators/catalog/custom',
  'GET /api/indicators/prefs',
  'POST /api/indicators/prefs',
  'GET /api/indicators/scans',
  'POST /api/indicators/scans',
  'PUT /api/indicators/scans/:id',
  'GET /api/odds/saved',
  'POST /api/odds/saved',
  'GET /api/settings',
  'POST /api/settings/table-columns',
  'GET /api/scan-alerts',
  'POST /api/scan-alerts',
  'PATCH /api/scan-alerts/:id',
  'POST /api/scan-alerts/:id/mutes',
];

describe.each(answers.filter(({ name }) => !PICKED.includes(name)))('$name', ({ answer }) => {
  test('loses nothing when reading an answer of this server', () => {
    fc.assert(
      fc.property(answersOf(answer), (given) => expect(answer.read(given)).toEqual(given)),
      { numRuns: 50 },
    );
  });
});
