import { text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { connectionsAnswer, connectionTestAnswer } from './answers/reachability.ts';

/** The other servers that are set up here, and whether they can be used. */
export const REACHABILITY = {
  'GET /api/admin/connections': {
    access: 4,
    tag: 'Hosting',
    summary: 'List the sources, chat platforms, model and backup target that are set up',
    description:
      'Only those that another server gives: a simulated market asks nobody. `costs` is true of the model.',
    answer: connectionsAnswer,
    example: {},
  },
  'POST /api/admin/connections/:key/test': {
    access: 4,
    tag: 'Hosting',
    summary: 'Try one of them now',
    description:
      'Asks the other server once, within eight seconds, the model for one token within 30, the backup target what it holds within 20. Nothing is sent to anybody. ' +
      'A server that can not be used is an answer like any other; `remedy` says what to do.',
    params: object({ key: sent(text, { maxLength: 40 }) }),
    answer: connectionTestAnswer,
    refusals: {
      404: 'There is nothing of that name set up here.',
      409: 'Another test runs; they are made one at a time.',
      429: 'Too many tests within a minute.',
    },
    example: { params: { key: 'model' } },
  },
} as const satisfies RouteContracts;
