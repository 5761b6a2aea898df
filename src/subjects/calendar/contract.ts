import { boolean, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { companyEventsAnswer, historyAnswer, remindersAnswer, savedAnswer } from './answers/calendar.ts';

export const CALENDAR = {
  'GET /api/calendar/reminders': {
    access: 1,
    tag: 'Calendar',
    summary: 'List reminders',
    answer: remindersAnswer,
    example: {},
  },
  'GET /api/calendar/events/:eventId/history': {
    access: 'visitor',
    tag: 'Calendar',
    summary: 'Read past releases and market reactions of an event',
    description:
      'The last eight releases with their surprise and the cap-weighted change of the top 50 stocks after 5 and 30 minutes. `symbol` adds the change of one stock.',
    params: object({ eventId: sent(text, { minLength: 1, maxLength: 100 }) }),
    query: object({ symbol: optional(sent(text, { maxLength: 20 })) }),
    answer: historyAnswer,
    refusals: {
      404: 'The event is no longer in the calendar.',
      503: 'Too many requests are waiting.',
    },
    example: { params: { eventId: 'event-1' }, query: { symbol: 'BHP' } },
  },
  'GET /api/calendar/company-events': {
    access: 'visitor',
    tag: 'Calendar',
    summary: 'List company events that announcements state',
    description:
      'Trading halts and capital raisings since the previous trading day, and ex-dividend dates since yesterday that a headline states.',
    answer: companyEventsAnswer,
    example: {},
  },
  'PUT /api/calendar/reminders/:eventId': {
    access: 1,
    tag: 'Calendar',
    summary: 'Set a reminder for an event',
    description:
      '`before` reminds you five minutes before the event and `figure` when its figure is published. Send both as false to remove the reminder.',
    params: object({ eventId: sent(text, { minLength: 1, maxLength: 100 }) }),
    body: object({
      before: sent(boolean, { error: '`before` must be true or false.' }),
      figure: sent(boolean, { error: '`figure` must be true or false.' }),
    }),
    answer: savedAnswer,
    refusals: { 404: 'The event is no longer in the calendar.' },
    example: { params: { eventId: 'event-1' }, body: { before: true, figure: false } },
  },
} as const satisfies RouteContracts;
