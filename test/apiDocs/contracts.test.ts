import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import type { RouteContract } from '../../src/texts/routeContract.ts';
import { createDocument } from '../../src/apiDocs/document.ts';
import { CONTRACTS } from '../../src/apiDocs/routes.ts';
import { plainSchema } from '../../src/apiDocs/operation.ts';
import { routeSchemas, toldSchema } from '../../src/platform/http/contract.ts';
import { answersOf, bareAnswer } from '../support/contractAnswers.ts';
import { createSchemaCheck } from '../support/jsonSchema.ts';
import { readSources } from '../support/sourceGraph.ts';
import { createTestApp } from '../support/testApp.ts';
import { memberVariants } from '../support/variants.ts';

/** Files that write forms by hand: the schema of a token's claims, and the readers of the market's stream. They only become fewer. */
const BY_HAND = { schemas: 1, readers: 5 };

const stage = createTestApp();
const routes = new Map(stage.app.routes.map(({ method, path, hooks }) => [`${method} ${path}`, hooks]));
stage.close();

const files = await readSources(join(import.meta.dir, '../..'), ['src', 'web']);
const contracts = Object.entries<RouteContract>(CONTRACTS);
/** Those of them whose answer is JSON. */
const answers = contracts.flatMap(([name, { answer }]) => (answer ? [{ name, answer }] : []));
const { components } = createDocument(stage.app, { version: '' });
const wrongWith = createSchemaCheck(components);

test('every route has a contract', () => {
  expect([...routes.keys()].filter((name) => !(name in CONTRACTS))).toEqual([]);
});

test('no file more writes schemas or readers by hand: a contract says both', () => {
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
    const { params, body, query, response } = (routes.get(name) ?? {}) as Record<string, unknown>;
    const checks = JSON.parse(JSON.stringify({ params, body, query, response })) as unknown;
    expect(checks).toEqual(JSON.parse(JSON.stringify(routeSchemas(contract))));
  });
});

describe.each(answers)('$name', ({ answer }) => {
  test('any answer fits what is told of it', () => {
    const schema = { type: 'array', items: plainSchema(toldSchema(answer)) };
    const many = fc.array(answersOf(answer), { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(many, (given) => expect(wrongWith(schema, given)).toEqual([])),
      { numRuns: 2 },
    );
  });

  test('what was read of an answer is read the same again', () => {
    fc.assert(
      fc.property(answersOf(answer), (given) => {
        const known = answer.read(given);
        expect(known).not.toBeNull();
        expect(answer.read(known)).toEqual(known);
      }),
      { numRuns: 50 },
    );
  });

  test('with just what the specification names an answer is read', () => {
    fc.assert(
      fc.property(answersOf(answer), (given) =>
        expect(answer.read(bareAnswer(answer, given))).not.toBeNull(),
      ),
      { numRuns: 50 },
    );
  });

  test('with one member missing or of another form, what was read is read the same again', () => {
    const spoiled = answersOf(answer).chain((given) => memberVariants(given));
    fc.assert(
      fc.property(spoiled, ({ answer: given }) => {
        const known = answer.read(given);
        expect(answer.read(known)).toEqual(known);
      }),
    );
  });
});

/**
 * What these are of no use without is left out when they are read, as a path without bars, or conditions not all of which
 * are known; or it follows from other members, as the key of a family from its place.
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
  'GET /api/settings/',
  'POST /api/settings/table-columns',
  'GET /api/scan-alerts',
  'POST /api/scan-alerts',
  'PATCH /api/scan-alerts/:id',
  'POST /api/scan-alerts/:id/mutes',
];

describe.each(answers.filter(({ name }) => !PICKED.includes(name)))('$name', ({ answer }) => {
  test('of an answer of this server nothing is lost', () => {
    fc.assert(
      fc.property(answersOf(answer), (given) => expect(answer.read(given)).toEqual(given)),
      { numRuns: 50 },
    );
  });
});
