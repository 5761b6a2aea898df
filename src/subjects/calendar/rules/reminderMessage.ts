import { plainLine } from '#texts/plainText.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { formatDate, formatTime } from '#texts/format.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { timeOf } from '#market/calendar/rules/days.ts';
import { formatExactFigure } from './figures.ts';
import { formatCountdown } from './nextEvent.ts';
import { SURPRISES, surpriseOf } from './surprise.ts';

export type ReminderContext = {
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
