import { choice, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { byRules, described, sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { closuresAnswer } from './answers/closures.ts';
import { MAX_REASON, SPECIAL_DAY_KINDS } from './rules/specialDayForm.ts';

const answer = closuresAnswer;
const OFTEN = 'Too many changes within a minute.';

/** Days on which the exchange does otherwise than its calendar's rules say. */
export const CLOSURES = {
  'GET /api/admin/market-closures': {
    access: 4,
    tag: 'Administration',
    summary: 'List the special closures of the exchange',
    description: 'Holidays and early closes that follow from the rules of the calendar are not listed.',
    answer,
    example: {},
  },
  'POST /api/admin/market-closures': {
    access: 4,
    tag: 'Administration',
    summary: 'Add a closure, an early close or a usual trading day',
    description: 'From today on. The session of a day that began at 07:00 can only be given an early close.',
    body: byRules(
      object({
        date: described(text, 'YYYY-MM-DD in Sydney, a weekday.'),
        kind: described(choice(SPECIAL_DAY_KINDS), '`normal`: it trades although the rules say otherwise.'),
        closesAt: optional(described(text, 'HH:MM in Sydney from 10:15 to 15:59, for `early` only.')),
        reason: sent(text, { minLength: 1, maxLength: MAX_REASON }),
      }),
    ),
    answer,
    refusals: { 429: OFTEN },
    example: { body: { date: '2027-09-22', kind: 'closed', reason: 'National Day of Mourning' } },
  },
  'DELETE /api/admin/market-closures/:date': {
    access: 4,
    tag: 'Administration',
    summary: 'Remove a special closure',
    description: 'Days that are over stay. Those of `BELLBIRD_MARKET_CLOSURES` are removed there.',
    params: object({ date: text }),
    answer,
    refusals: { 404: 'There is no entry for that date. Reload the list.', 429: OFTEN },
    example: { params: { date: '2027-09-22' } },
  },
} as const satisfies RouteContracts;
