import { anything, file, list, map, readBy, text } from '../lib/contract/fields.ts';
import { object } from '../lib/contract/objects.ts';
import { readRecord } from '../lib/read.ts';
import type { RouteContracts } from '../texts/routeContract.ts';

const part = readBy(map(anything), readRecord);

export const API_DOCS = {
  'GET /openapi': {
    access: 'anyone',
    tag: 'Server',
    summary: 'Read this documentation as a page',
    answer: file,
    answerType: 'text/html',
    example: {},
  },
  'GET /openapi/json': {
    access: 'anyone',
    tag: 'Server',
    summary: 'Read this documentation as an OpenAPI document',
    answer: object({
      openapi: text,
      info: part,
      servers: list(part),
      tags: list(part),
      paths: part,
      components: part,
    }),
    example: {},
  },
} as const satisfies RouteContracts;
