import type { Known } from '#lib/contract/fields.ts';
import { readerOf, request } from '#web/api/client.ts';
import { historyAnswer, reminder, remindersAnswer, savedAnswer } from '../answers/calendar.ts';

/** A reminder as it is kept. */
export type Reminder = Known<typeof reminder>;
/** What the user wants to be told of an event. */
export type ReminderChoice = Pick<Reminder, 'before' | 'figure'>;

/** The user's reminders. @throws ApiError with the server's sentence */
export async function fetchReminders(): Promise<Reminder[]> {
  return (await request('GET /api/calendar/reminders', { read: readerOf(remindersAnswer) })).reminders;
}

/**
 * Says what the user wants to be told of an event; nothing at all removes it.
 * @returns the reminder as it is kept, null when the answer does not tell, and what else there is to say
 * @throws ApiError with the server's sentence
 */
export async function putReminder(
  eventId: string,
  choice: ReminderChoice,
): Promise<{ reminder: Reminder | null; note: string | null }> {
  // Ids come from outside, and a path is sent as it is.
  const path = encodeURIComponent(eventId);
  const body = await request('PUT /api/calendar/reminders/:eventId', {
    params: { eventId: path },
    body: choice,
  });
  return { reminder: reminder.read(body), note: savedAnswer.read(body)?.note ?? null };
}

export type EventHistory = Known<typeof historyAnswer>;
export type PastRelease = EventHistory['releases'][number];

/**
 * The last releases of an event's series, newest first. @param symbol of a stock that is shown too; null for none
 * @throws ApiError with the server's sentence
 */
export const fetchHistory = (eventId: string, symbol: string | null): Promise<EventHistory> =>
  request('GET /api/calendar/events/:eventId/history', {
    params: { eventId },
    query: symbol === null ? {} : { symbol },
    read: readerOf(historyAnswer),
  });
