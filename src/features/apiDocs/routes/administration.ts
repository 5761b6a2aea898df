import { t } from 'elysia';
import type { RouteDescriptions } from '../description.ts';

/** What only administrators may do; moderation of calls stands with the calls. */
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
};
