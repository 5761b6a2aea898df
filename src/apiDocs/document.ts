import { toOpenAPISchema } from '@elysiajs/openapi/openapi';
import type { AnyElysia } from 'elysia';
import type { About } from '../about.ts';
import { declaredLevel } from '../platform/http/auth.ts';
import { isRecord, type JsonRecord } from '../lib/json.ts';
import { KEYS, TAGS } from '../texts/routeContract.ts';
import type { RouteDescription, RouteDescriptions } from './description.ts';
import { describedOperation, type Operation } from './operation.ts';
import { plainSchema } from './plainSchema.ts';
import { DESCRIPTIONS } from './routes/index.ts';
import { NAMED } from './schemas.ts';

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
    { type: 'apiKey', in: 'header', name: 'Authorization', description },
  ]),
);
const COMPONENTS = {
  schemas: {
    Refusal: REFUSAL,
    ...Object.fromEntries(Object.entries(NAMED).map(([name, schema]) => [name, plainSchema(schema)])),
  },
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

/** A route that nobody has described yet: it is shown all the same, and a test says so. */
const undescribed = (summary: string): RouteDescription => ({ tag: 'Server', summary, example: {} });

const documentPath = (path: string): string => path.replaceAll(/:(\w{1,60})/g, '{$1}');

/**
 * The OpenAPI document of an application.
 *
 * @param descriptions by method and path; the product's own unless a test gives others
 */
export function createDocument(
  app: AnyElysia,
  { version }: Pick<About, 'version'>,
  descriptions: RouteDescriptions = DESCRIPTIONS,
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
    paths[address][verb] = describedOperation(route, descriptions[name] ?? undescribed(name));
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
