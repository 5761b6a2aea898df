import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import type { RouteContract } from '../../src/texts/routeContract.ts';
import { CONTRACTS } from '../../src/apiDocs/routes/index.ts';
import { plainSchema } from '../../src/apiDocs/plainSchema.ts';
import { routeSchemas, toldSchema } from '../../src/platform/http/contract.ts';
import { answersOf, bareAnswer } from '../support/contractAnswers.ts';
import { createSchemaCheck } from '../support/jsonSchema.ts';
import { readSources } from '../support/sourceGraph.ts';
import { createTestApp } from '../support/testApp.ts';
import { memberVariants } from '../support/variants.ts';
import { BY_HAND, WITHOUT_CONTRACT } from '../support/withoutContract.ts';

const stage = createTestApp();
const routes = new Map(stage.app.routes.map(({ method, path, hooks }) => [`${method} ${path}`, hooks]));
stage.close();

const files = await readSources(join(import.meta.dir, '../..'), ['src', 'web']);
const contracts = Object.entries<RouteContract>(CONTRACTS);
const wrongWith = createSchemaCheck({});

test('a new route has a contract: the list of those without one only becomes shorter', () => {
  const without = [...routes.keys()].filter((name) => !(name in CONTRACTS));
  expect(without.sort()).toEqual(WITHOUT_CONTRACT.toSorted());
});

test('no file more writes schemas or readers by hand: a contract says both', () => {
  const schemas = files.filter(
    ({ path, code }) =>
      !path.endsWith('http/contract.ts') && /\bt\.(Object|Record|Array|Union|Unsafe)\(/.test(code),
  );
  const readers = files.filter(({ path }) => /\bweb\/(?:.*\/)?read[A-Z]\w*\.ts$/.test(path));
  expect({ schemas: schemas.length, readers: readers.length }).toEqual(BY_HAND);
});

describe.each(contracts)('%s', (name, contract) => {
  const { answer } = contract;

  test('is checked by its contract and by nothing else', () => {
    const { params, body, query, response } = (routes.get(name) ?? {}) as Record<string, unknown>;
    const checks = JSON.parse(JSON.stringify({ params, body, query, response })) as unknown;
    expect(checks).toEqual(JSON.parse(JSON.stringify(routeSchemas(contract))));
  });

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

/** What these are of no use without is left out when they are read, as a path without bars, or moments that go back. */
const PICKED = [
  'GET /api/calls/:publicId',
  'GET /api/calls/by/:name',
  'GET /api/data/auction',
  'GET /api/data/bars',
  'GET /api/data/day-lines',
];

describe.each(contracts.filter(([name]) => !PICKED.includes(name)))('%s', (_, { answer }) => {
  test('of an answer of this server nothing is lost', () => {
    fc.assert(
      fc.property(answersOf(answer), (given) => expect(answer.read(given)).toEqual(given)),
      { numRuns: 50 },
    );
  });
});
