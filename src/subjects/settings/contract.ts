import { changed, notChanged } from '../../lib/contract/changes.ts';
import { text } from '../../lib/contract/fields.ts';
import { object } from '../../lib/contract/objects.ts';
import { sent } from '../../lib/contract/requests.ts';
import type { RouteContracts } from '../../texts/routeContract.ts';

/** What a user has set. The tables' columns are not said here yet: the document names their forms for several routes. */
export const QUOTE_SITE = {
  'POST /api/settings/quote-site': {
    tag: 'Settings',
    summary: 'Choose where quote links lead',
    body: object({ site: sent(text, { default: '', maxLength: 40 }) }),
    answer: changed,
    refusalForms: { 400: notChanged },
    example: { body: { site: 'asx' } },
  },
} as const satisfies RouteContracts;
