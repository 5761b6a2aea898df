import { toOpenAPISchema } from '@elysiajs/openapi/openapi';
import type { AnyElysia } from 'elysia';
import { CONTRACTS } from '../contracts.ts';
import type { About } from '../platform/install/about.ts';
import { declaredLevel } from '../platform/http/auth.ts';
import { capitalised } from '../lib/text.ts';
import { isRecord, type JsonRecord } from '../lib/json.ts';
import { KEYS, type RouteContract, type RouteContracts, TAGS } from '../texts/routeContract.ts';
import { namedSchemas } from '../platform/http/contract.ts';
import { alert } from '../subjects/alerts/answers/alert.ts';
import { logic, ref } from '../subjects/conditions/answers/logic.ts';
import { column } from '../subjects/scanners/answers/columns.ts';
import { describedBy, describedOperation, type Operation, plainSchema } from './operation.ts';

/** Patterns of JSON Schema 2020-12, which the schemas of the routes are. */
const VERSION = '3.1.0';

const INTRODUCTION = `Every address of this server, for scripts and dashboards.

- Log in, and send the token that you are given in the \`Authorization\` header, without a word before it.
- A request whose body is JSON needs \`Content-Type: application/json\`.
- What is refused has one form: \`error\` is a sentence, \`field\` names the input at fault and is absent when that is the whole.
- 429 and 503 tell in \`Retry-After\` how many seconds to wait.
- Levels: 0 anyone, 1 signed in, 2 Basic, 3 Premium, 4 administrator. A level includes those below it.`;

const REFUSAL = {
  type: 'object',
  description: 'What was refused, and why.',
  properties: { error: { type: 'string' }, field: { type: 'string' } },
  required: ['error'],
};

export type ApiDocument = {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: JsonRecord };
};

const keySchemes = Object.fromEntries(
  Object.entries(KEYS).map(([name, description]) => [
    name,
    {
      type: 'apiKey',
      in: 'header',
      description: `${capitalised(description)}.`,
      name: name === 'relayToken' ? 'X-Bellbird-Relay' : 'Authorization',
    },
  ]),
);
/** Forms that several routes share, by their names in the document. */
const NAMED = Object.entries(namedSchemas([alert, logic, ref, column])).map(
  ([name, schema]) => [name, plainSchema(schema)] as const,
);
const COMPONENTS = {
  schemas: { Refusal: REFUSAL, ...Object.fromEntries(NAMED) },
  securitySchemes: {
    session: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: 'The `accessToken` that logging in gives. The level that a route needs stands beside it.',
    },
    ...keySchemes,
  },
};

/** A route that has no contract yet: it is shown all the same, and a test says so. */
const undescribed = (summary: string): RouteContract => ({
  access: 'anyone',
  tag: 'Server',
  summary,
  answer: null,
  example: {},
});

const documentPath = (path: string): string => path.replaceAll(/:(\w{1,60})/g, '{$1}');

/**
 * The OpenAPI document of an application.
 *
 * @param contracts the product's own unless a test gives others
 */
export function createDocument(
  app: AnyElysia,
  { version }: Pick<About, 'version'>,
  contracts: RouteContracts = CONTRACTS,
): ApiDocument {
  const generated = toOpenAPISchema(app, { staticFile: false }, undefined, undefined, VERSION).paths;
  const paths: ApiDocument['paths'] = {};
  for (const { method, path, hooks } of app.routes) {
    const address = documentPath(path);
    const verb = method.toLowerCase();
    const operation: unknown = (generated[address] as JsonRecord | undefined)?.[verb];
    if (!isRecord(operation)) continue;
    const name = `${method} ${path}`;
    const { detail, body } = hooks as { detail?: Parameters<typeof declaredLevel>[0]; body?: unknown };
    const route = { generated: operation, body, level: declaredLevel(detail) ?? 0 };
    paths[address] ??= {};
    paths[address][verb] = describedOperation(route, describedBy(contracts[name] ?? undescribed(name)));
  }
  return {
    openapi: VERSION,
    info: { title: 'Bellbird', version, description: INTRODUCTION },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([tag, description]) => ({ name: tag, description })),
    paths,
    components: COMPONENTS,
  };
}
