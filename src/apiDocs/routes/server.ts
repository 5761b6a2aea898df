import { t } from 'elysia';
import type { RouteDescriptions } from '../description.ts';

/** What is about the program itself, and the demo data of test mode. */
export const SERVER: RouteDescriptions = {
  'GET /healthz': {
    tag: 'Server',
    summary: 'Whether the process answers, and which program it is',
    example: {},
  },
  'GET /metrics': {
    tag: 'Server',
    summary: 'Figures of the running server for Prometheus',
    description:
      'Prometheus text 0.0.4, with the key as bearer token. Without a key in the settings there is no such address.',
    key: 'metricsKey',
    answerType: 'text/plain',
    refusals: { 401: 'The key is missing or wrong.', 404: 'The server has no key for this.' },
    example: {},
  },
  'GET /api/app': { tag: 'Server', summary: 'What every page needs to know of this server', example: {} },
  'GET /openapi': {
    tag: 'Server',
    summary: 'This description as a page',
    answerType: 'text/html',
    example: {},
  },
  'GET /openapi/json': {
    tag: 'Server',
    summary: 'This description as an OpenAPI document',
    answer: t.Object(
      { openapi: t.String(), info: t.Object({}, { additionalProperties: true }) },
      { additionalProperties: true },
    ),
    example: {},
  },
  'GET /api/test/status': {
    tag: 'Test mode',
    summary: 'Whether this server is in test mode',
    example: {},
  },
  'POST /api/test/seed': {
    tag: 'Test mode',
    summary: 'Make a demo user with demo data, and log in as them',
    description: 'Only in test mode is there such an address.',
    refusals: {
      404: 'The server is not in test mode.',
      409: 'The name belongs to somebody who is no demo user.',
    },
    example: { body: { username: 'demo' } },
  },
};
