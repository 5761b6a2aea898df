import { text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { sectionsAnswer, snapshotAnswer } from './answers/state.ts';

/** The Server State Inspector (specification 7.7). */
export const INTERNAL_STATE = {
  'GET /api/admin/internal-state': {
    access: 4,
    tag: 'Administration',
    summary: 'List sections of the server’s internal state',
    answer: sectionsAnswer,
    example: {},
  },
  'GET /api/admin/internal-state/:key': {
    access: 4,
    tag: 'Administration',
    summary: 'Read a section of the server’s internal state',
    description: 'Lists are cut to 200 items. Secrets are omitted.',
    params: object({ key: sent(text, { maxLength: 100 }) }),
    answer: snapshotAnswer,
    refusals: { 404: 'There is no such section. Reload the list.', 500: 'The section could not be read.' },
    example: { params: { key: 'outbox' } },
  },
} as const satisfies RouteContracts;
