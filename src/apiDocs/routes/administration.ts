import { t } from 'elysia';
import type { RouteDescriptions } from '../description.ts';

/** What only administrators may do and no other file describes; moderation of calls stands with the calls. */
export const ADMINISTRATION: RouteDescriptions = {
  'GET /api/admin/indicators/catalog/tv/status': {
    tag: 'Administration',
    summary: 'How many indicators there are, and since when',
    example: {},
  },
  'POST /api/admin/indicators/catalog/tv/refresh': {
    tag: 'Administration',
    summary: 'Fetch the catalog of indicators anew',
    refusals: { 502: 'The platform gave no usable list; the old one stays.' },
    example: {},
  },
  'POST /api/admin/askai': {
    tag: 'Administration',
    summary: 'Ask the model a question',
    description: 'Nothing is sent until the model has answered.',
    body: t.Object({
      question: t.String(),
      forceAccessLevel: t.Optional(t.Nullable(t.Integer({ minimum: 0, maximum: 4 }))),
    }),
    refusals: { 502: 'The model failed.', 503: 'The model is busy.', 504: 'The model took too long.' },
    example: { body: { question: 'Which stocks gapped up today?' } },
  },
  'GET /api/admin/external-metrics': {
    tag: 'Administration',
    summary: 'Calls to other servers on a day, by endpoint',
    description:
      'A day of Sydney, today without `date`; 30 are kept. Codes and tokens stand as placeholders.',
    example: { query: { date: '2026-11-18' } },
  },
  'GET /api/admin/internal-state': {
    tag: 'Administration',
    summary: 'List what the parts of the running server hold',
    example: {},
  },
  'GET /api/admin/internal-state/:key': {
    tag: 'Administration',
    summary: 'Look into a part of the running server',
    description: 'Of a list 200 items at most; the rest is counted. Secrets are left out.',
    refusals: { 404: 'The server has no such section.', 500: 'The section could not be read.' },
    example: { params: { key: 'outbox' } },
  },
};
