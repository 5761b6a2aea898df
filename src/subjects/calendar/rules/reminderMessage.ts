import type { Wire } from '#lib/contract/fields.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { timeOf } from '#market/calendar/rules/days.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { formatDate, formatTime } from '#texts/format.ts';
import { plainLine } from '#texts/plainText.ts';
import type { reminder } from '../answers/calendar.ts';
import { formatExactFigure, surpriseOf, SURPRISES } from './figures.ts';
import { formatCountdown } from './nextEvent.ts';

type ReminderContext = {
  /** By the clock of the calendar, epoch ms. */
  now: number;
  /** Of the source: 'Simulated', 'FXStreet'. */
  label: string;
  /** The server's public address, without a slash at its end; null when it has none. */
  publicUrl: string | null;
};

/** So that a title fits into a notification whatever an event is called. */
const MAX_NAME = 80;
const MAX_WORD = 20;
const PAGE = '#/fx-news';

function titleOf({ currencyCode, name }: CalendarEvent): string {
  const currency = plainLine(currencyCode, MAX_WORD);
  return [currency, plainLine(name, MAX_NAME)].filter((word) => word !== '').join(' ');
}

/** '11:30 Sydney', with the date when that is another than today's. */
function momentText(time: number, now: number): string {
  const date = sydneyDate(time);
  const day = date === sydneyDate(now) ? '' : `, ${formatDate(date)}`;
  return `${formatTime(time)} Sydney${day}`;
}

const joined = (parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join(' · ');

/** The event's time, its impact, and whether its time is certain. */
function eventLine(event: CalendarEvent, now: number): string {
  const time = timeOf(event);
  const impact = event.isHoliday ? null : `${event.volatility} impact`;
  const moment = time === null ? null : momentText(time, now);
  return joined([moment, impact, event.isTentative ? 'time not confirmed' : null]);
}

/** 'Previous 2.5%', with what it was corrected to. */
function previousText(event: CalendarEvent): string | null {
  if (event.previous === null) return null;
  const revised = event.revised === null ? '' : `, revised to ${formatExactFigure(event.revised, event)}`;
  return `Previous ${formatExactFigure(event.previous, event)}${revised}`;
}

function message(
  title: string,
  lines: readonly string[],
  { label, publicUrl }: ReminderContext,
): ChatMessage {
  return {
    title,
    lines: [...lines.filter((line) => line !== ''), `Calendar: ${plainLine(label, MAX_NAME)}`],
    link: publicUrl === null ? null : { text: 'Open FX News in Bellbird', url: `${publicUrl}/${PAGE}` },
    page: PAGE,
    buttons: [],
  };
}

/** Says that an event comes, or, when this could not be said in time, that it came. */
export function beforeMessage(event: CalendarEvent, context: ReminderContext): ChatMessage {
  const ahead = (timeOf(event) ?? context.now) - context.now;
  const when = ahead > 0 ? `in ${formatCountdown(ahead)}` : 'was due';
  const consensus =
    event.consensus === null ? null : `Consensus ${formatExactFigure(event.consensus, event)}`;
  return message(
    `${titleOf(event)} ${when}`,
    [
      eventLine(event, context.now),
      joined([consensus, previousText(event)]),
      ahead > 0 ? '' : 'This reminder is late: it could not be sent earlier.',
    ],
    context,
  );
}

/** Tells the figure of an event. */
export function figureMessage(event: CalendarEvent, context: ReminderContext): ChatMessage {
  const surprise = surpriseOf(event);
  const expected =
    event.consensus === null || surprise === null
      ? null
      : `${SURPRISES[surprise].text} (${formatExactFigure(event.consensus, event)})`;
  const preliminary = event.isPreliminary ? ' (preliminary)' : '';
  return message(
    `${titleOf(event)}: ${formatExactFigure(event.actual, event)}${preliminary}`,
    [joined([expected, previousText(event)]), eventLine(event, context.now)],
    context,
  );
}

const MINUTE_MS = 60_000;

/** How long before an event somebody is told of it. */
const TOLD_BEFORE_MS = 5 * MINUTE_MS;
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
