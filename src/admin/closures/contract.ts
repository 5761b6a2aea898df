import { choice, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { byRules, described, sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { closuresAnswer } from './answers/closures.ts';
import { MAX_REASON, SPECIAL_DAY_KINDS } from './rules/specialDayForm.ts';

const answer = closuresAnswer;
const OFTEN = 'Too many changes in one minute.';

/** Days that differ from the rules of the exchange calendar. */
export const CLOSURES = {
  'GET /api/admin/market-closures': {
    access: 4,
    tag: 'Administration',
    summary: 'List special trading days',
    description: 'Does not include regular holidays and early closes.',
    answer,
    example: {},
  },
  'POST /api/admin/market-closures': {
    access: 4,
    tag: 'Administration',
    summary: 'Add a special trading day',
    description: '`date` is today or later. After 07:00, the current session can only get an early close.',
    body: byRules(
      object({
        date: described(text, 'A weekday as YYYY-MM-DD, Sydney time.'),
        kind: described(choice(SPECIAL_DAY_KINDS), '`normal` is a trading day that the rules would close.'),
        closesAt: optional(described(text, 'Only for `early`: HH:MM in Sydney, from 10:15 to 15:59.')),
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
    summary: 'Remove a special trading day',
    description:
      'Past days cannot be removed. Days from `BELLBIRD_MARKET_CLOSURES` must be removed from that setting.',
    params: object({ date: text }),
    answer,
    refusals: { 404: 'There is no special trading day on this date.', 429: OFTEN },
    example: { params: { date: '2027-09-22' } },
  },
} as const satisfies RouteContracts;
