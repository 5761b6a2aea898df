import { boolean, list, or, orNull, text, words } from '#lib/contract/fields.ts';
import { object, ours } from '#lib/contract/objects.ts';

/** What a user wants to be told of an event. */
export const reminder = object(
  {
    eventId: words,
    /** Five minutes before it. */
    before: or(boolean, false),
    /** When its figure is out. */
    figure: or(boolean, false),
  },
  ['eventId'],
);

/** `GET /api/calendar/reminders/`. */
export const remindersAnswer = object({ reminders: list(reminder) });

/** `PUT /api/calendar/reminders/:eventId`. */
export const savedAnswer = object({
  ...reminder.members,
  /** What keeps the reminder from reaching its user; null when nothing does. */
  note: ours(orNull(text)),
});
