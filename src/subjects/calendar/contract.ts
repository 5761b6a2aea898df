import { boolean, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { historyAnswer, remindersAnswer, savedAnswer } from './answers/calendar.ts';

/** Reminders of the economic calendar: each route with what it is sent, what it answers, and its words. */
export const CALENDAR = {
  'GET /api/calendar/reminders': {
    access: 1,
    tag: 'Calendar',
    summary: 'List the reminders',
    answer: remindersAnswer,
    example: {},
  },
  'GET /api/calendar/events/:eventId/history': {
    access: 'visitor',
    tag: 'Calendar',
    summary: 'See what earlier figures of an event were, and what the market did',
    description:
      'The last eight releases of the event’s series: the surprise, in standard deviations of the earlier ones, and the ' +
      'cap-weighted change of the 50 largest stocks, and of one stock of yours, 5 and 30 minutes after it.',
    params: object({ eventId: sent(text, { minLength: 1, maxLength: 100 }) }),
    query: object({ symbol: optional(sent(text, { maxLength: 20 })) }),
    answer: historyAnswer,
    refusals: {
      404: 'The event is not in the calendar any more.',
      503: 'Very many wait.',
    },
    example: { params: { eventId: 'event-1' }, query: { symbol: 'BHP' } },
  },
  'PUT /api/calendar/reminders/:eventId': {
    access: 1,
    tag: 'Calendar',
    summary: 'Be reminded of an event',
    description: 'Five minutes before it, of its figure, both, or (with both false) no longer.',
    params: object({ eventId: sent(text, { minLength: 1, maxLength: 100 }) }),
    body: object({
      before: sent(boolean, { error: 'Say whether you want to be reminded before the event.' }),
      figure: sent(boolean, { error: 'Say whether you want to be told the figure.' }),
    }),
    answer: savedAnswer,
    refusals: { 404: 'The event is not in the calendar any more.' },
    example: { params: { eventId: 'event-1' }, body: { before: true, figure: false } },
  },
} as const satisfies RouteContracts;
