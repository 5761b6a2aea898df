import { readBoolean, readList, readRecord, readText } from '../../../lib/read.ts';
import { api, readAnswer, unwrap } from '../../../../web/api/client.ts';

/** What a user wants to be told of an event. */
export type Reminder = {
  eventId: string;
  /** Five minutes before it. */
  before: boolean;
  /** When its figure is out. */
  figure: boolean;
};

function readReminder(value: unknown): Reminder | null {
  const { eventId, before, figure } = readRecord(value);
  const id = readText(eventId);
  return id
    ? { eventId: id, before: readBoolean(before) ?? false, figure: readBoolean(figure) ?? false }
    : null;
}

/** The user's reminders. @throws ApiError with the server's sentence */
export async function fetchReminders(): Promise<Reminder[]> {
  const { reminders } = await unwrap(api.calendar.reminders.get(), (body) => ({
    reminders: readList(readAnswer(body).reminders, readReminder),
  }));
  return reminders;
}

/**
 * Says what the user wants to be told of an event; nothing at all removes it.
 * @returns the reminder as it is kept, null when the answer does not tell, and what else there is to say
 * @throws ApiError with the server's sentence
 */
export async function putReminder(
  eventId: string,
  wish: { before: boolean; figure: boolean },
): Promise<{ reminder: Reminder | null; note: string | null }> {
  // Ids come from outside, and a path is sent as it is.
  const path = encodeURIComponent(eventId);
  const body = await unwrap(api.calendar.reminders({ eventId: path }).put(wish));
  return { reminder: readReminder(body), note: readText(readRecord(body).note) };
}
