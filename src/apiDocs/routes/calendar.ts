import type { RouteDescriptions } from '../description.ts';

/** Reminders of the economic calendar. */
export const CALENDAR: RouteDescriptions = {
  'GET /api/calendar/reminders/': { tag: 'Calendar', summary: 'List the reminders', example: {} },
  'PUT /api/calendar/reminders/:eventId': {
    tag: 'Calendar',
    summary: 'Be reminded of an event',
    description: 'Five minutes before it, of its figure, both, or (with both false) no longer.',
    refusals: { 404: 'The event is not in the calendar any more.' },
    example: { params: { eventId: 'event-1' }, body: { before: true, figure: false } },
  },
};
