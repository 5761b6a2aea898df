import type { Known } from '#lib/contract/fields.ts';
import { readerOf, request } from '#web/api/client.ts';
import { historyAnswer, reminder, remindersAnswer, savedAnswer } from '../answers/calendar.ts';

export type Reminder = Known<typeof reminder>;
export type ReminderChoice = Pick<Reminder, 'before' | 'figure'>;

export async function fetchReminders(): Promise<Reminder[]> {
  return (await request('GET /api/calendar/reminders', { read: readerOf(remindersAnswer) })).reminders;
}

/** An empty choice removes the reminder. @returns the stored reminder, null if the answer lacks it, and a note */
export async function putReminder(
  eventId: string,
  choice: ReminderChoice,
): Promise<{ reminder: Reminder | null; note: string | null }> {
  // Ids come from the source, and the path is not encoded otherwise.
  const path = encodeURIComponent(eventId);
  const body = await request('PUT /api/calendar/reminders/:eventId', {
    params: { eventId: path },
    body: choice,
  });
  return { reminder: reminder.read(body), note: savedAnswer.read(body)?.note ?? null };
}

export type EventHistory = Known<typeof historyAnswer>;
export type PastRelease = EventHistory['releases'][number];

/** The last releases of a series, newest first. @param symbol of an additional stock; null for none */
export const fetchHistory = (eventId: string, symbol: string | null): Promise<EventHistory> =>
  request('GET /api/calendar/events/:eventId/history', {
    params: { eventId },
    query: symbol === null ? {} : { symbol },
    read: readerOf(historyAnswer),
  });
