import { hasFigure } from '../../../market/calendar/rules/calendarEvent.ts';
import { MINUTE_MS } from '#lib/units.ts';
import type { Wire } from '#lib/contract/fields.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { timeOf } from '#market/calendar/rules/days.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { formatDate, formatTime } from '#texts/format.ts';
import { plainLine } from '#texts/plainText.ts';
import type { reminder } from '../answers/calendar.ts';
import { formatExactFigure, surpriseOf, SURPRISES } from './figures.ts';
import { formatCountdown } from './nextEvent.ts';

type ReminderContext = {
  /** By the calendar's clock, epoch ms. */
  now: number;
  /** Label of the source: 'Simulated', 'FXStreet'. */
  label: string;
  publicUrl: string | null;
};

/** Characters of a name, so that a title fits in a notification. */
const MAX_NAME = 80;
const MAX_WORD = 20;
const PAGE = '#/fx-news';

function titleOf({ currencyCode, name }: CalendarEvent): string {
  const currency = plainLine(currencyCode, MAX_WORD);
  return [currency, plainLine(name, MAX_NAME)].filter((word) => word !== '').join(' ');
}

/** '11:30 Sydney', with the date if it is not today. */
function momentText(time: number, now: number): string {
  const date = sydneyDate(time);
  const day = date === sydneyDate(now) ? '' : `, ${formatDate(date)}`;
  return `${formatTime(time)} Sydney${day}`;
}

const joined = (parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join(' · ');

function eventLine(event: CalendarEvent, now: number): string {
  const time = timeOf(event);
  const impact = event.isHoliday ? null : `${event.volatility} impact`;
  const moment = time === null ? null : momentText(time, now);
  return joined([moment, impact, event.isTentative ? 'time not confirmed' : null]);
}

/** 'Previous 2.5%', with its correction if there is one. */
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

/** The reminder before an event. If it is late, it says that the event has passed. */
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
      ahead > 0 ? '' : 'This reminder is late. It could not be sent earlier.',
    ],
    context,
  );
}

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

/** How long before an event the reminder is sent, ms. */
const REMIND_BEFORE_MS = 5 * MINUTE_MS;
/** How long after an event a delayed reminder is still sent, for example after downtime. */
const LATEST_MS = 10 * MINUTE_MS;
/** If an event is shifted by less than this (ms), it is not announced again. */
const MOVED_MS = 5 * MINUTE_MS;
/** A figure that is later than this (ms) is no longer expected. */
const FIGURE_WAIT_MS = 60 * MINUTE_MS;

export const MAX_REMINDERS = 50;

export type Reminder = Wire<typeof reminder>;
export type ReminderChoice = Omit<Reminder, 'eventId'>;

/** @param now by the calendar's clock, epoch ms */
const isAhead = (event: CalendarEvent, now: number): boolean => !event.isAllDay && (timeOf(event) ?? 0) > now;

const isAwaited = (event: CalendarEvent, now: number): boolean =>
  hasFigure(event) && event.actual === null && (timeOf(event) ?? 0) > now - FIGURE_WAIT_MS;

export const canBeNotified = (
  { before, figure }: ReminderChoice,
  event: CalendarEvent,
  now: number,
): boolean => (before && isAhead(event, now)) || (figure && isAwaited(event, now));

/** Checks a user's choice of reminders for an event. @param now by the calendar's clock, epoch ms */
export function checkReminder(
  choice: ReminderChoice,
  event: CalendarEvent,
  now: number,
): Result<ReminderChoice> {
  if (event.isAllDay) return refuse('This event lasts all day, so it has no time for a reminder.');
  if (choice.figure && !hasFigure(event)) {
    return refuse('This event has no figure.', 'figure');
  }
  return canBeNotified(choice, event, now) ? ok(choice) : refuse('This event is over.');
}

/** `time` is the event's; users who were notified since `toldSince` get no second reminder. */
export type BeforeDue = { time: number; notifiedSince: number };

/**
 * The reminder that is due for an event; null for none. An event that was postponed is announced again.
 * @param now by the calendar's clock, epoch ms
 */
export function beforeDue(event: CalendarEvent, now: number): BeforeDue | null {
  const time = timeOf(event);
  if (time === null || event.isAllDay || event.actual !== null) return null;
  const isDue = now >= time - REMIND_BEFORE_MS && now < time + LATEST_MS;
  return isDue ? { time, notifiedSince: time - REMIND_BEFORE_MS - MOVED_MS } : null;
}
