import type { Wire } from '#lib/contract/fields.ts';
import type { reminder } from '../answers/reminders.ts';
import { refuse, ok, type Result } from '#lib/result.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { timeOf } from '#market/calendar/rules/days.ts';

const MINUTE_MS = 60_000;

/** How long before an event somebody is told of it. */
export const TOLD_BEFORE_MS = 5 * MINUTE_MS;
/** A reminder that could not be told in time, as the server was down, is told so late at most. */
const LATEST_MS = 10 * MINUTE_MS;
/** An event that moved by less is not told again. */
const MOVED_MS = 5 * MINUTE_MS;
/** A figure that is so late is not waited for any more when somebody asks for it. */
const FIGURE_WAIT_MS = 60 * MINUTE_MS;

export const MAX_REMINDERS = 50;

/** A user's wish to be told of an event. */
export type Reminder = Wire<typeof reminder>;
/** What a user wants to be told of an event. */
export type ReminderChoice = Omit<Reminder, 'eventId'>;

/** Whether an event ever has a figure. */
export const hasFigure = ({
  isSpeech,
  isReport,
  isAllDay,
}: Pick<CalendarEvent, 'isSpeech' | 'isReport' | 'isAllDay'>): boolean => !isSpeech && !isReport && !isAllDay;

/** Whether it can still be told that the event comes. @param now by the clock of the calendar, epoch ms */
const isAhead = (event: CalendarEvent, now: number): boolean => !event.isAllDay && (timeOf(event) ?? 0) > now;

/** Whether the figure is still to come. */
const isAwaited = (event: CalendarEvent, now: number): boolean =>
  hasFigure(event) && event.actual === null && (timeOf(event) ?? 0) > now - FIGURE_WAIT_MS;

/** Whether anything of what is wanted can still be told. */
export const canBeTold = ({ before, figure }: ReminderChoice, event: CalendarEvent, now: number): boolean =>
  (before && isAhead(event, now)) || (figure && isAwaited(event, now));

/**
 * Checks a choice of reminders for an event.
 * @param now by the clock of the calendar, epoch ms
 */
export function checkReminder(
  choice: ReminderChoice,
  event: CalendarEvent,
  now: number,
): Result<ReminderChoice> {
  if (event.isAllDay) return refuse('This event lasts all day, so there is no time to remind you of.');
  if (choice.figure && !hasFigure(event)) {
    return refuse('This event has no figure.', 'figure');
  }
  return canBeTold(choice, event, now) ? ok(choice) : refuse('This event is over.');
}

/** When an event is told of the next time: from `at` on; who was told since `toldSince` is told already. */
export type BeforeDue = { time: number; toldSince: number };

/**
 * Whether it is to be told now that an event comes. Who was told, and the event was put off afterwards, is told again.
 * @param now by the clock of the calendar, epoch ms
 */
export function beforeDue(event: CalendarEvent, now: number): BeforeDue | null {
  const time = timeOf(event);
  if (time === null || event.isAllDay || event.actual !== null) return null;
  const isDue = now >= time - TOLD_BEFORE_MS && now < time + LATEST_MS;
  return isDue ? { time, toldSince: time - TOLD_BEFORE_MS - MOVED_MS } : null;
}
