import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import type { Surprise } from '../rules/figures.ts';
import { timeOf } from '#market/calendar/rules/days.ts';
import { DASH } from '#texts/format.ts';

const LOCALE = 'en-AU';

/** Returns a formatter for times of day, HH:MM; create it once for many events. @param zone an IANA name */
export function timesIn(zone: string): (event: CalendarEvent) => string {
  const format = new Intl.DateTimeFormat(LOCALE, {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const textOf = (event: CalendarEvent): string => {
    if (event.isAllDay) return 'All day';
    const time = timeOf(event);
    if (time === null) return DASH;
    return event.isTentative ? `~${format.format(time)}` : format.format(time);
  };
  // Texts are cached, because a new figure replaces only one of hundreds of events.
  const known = new WeakMap<CalendarEvent, string>();
  return (event) => {
    const text = known.get(event) ?? textOf(event);
    known.set(event, text);
    return text;
  };
}

const monthFormat = new Intl.DateTimeFormat(LOCALE, { timeZone: 'UTC', month: 'short', year: 'numeric' });
const dayFormat = new Intl.DateTimeFormat(LOCALE, {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** The period of a figure: 'Oct 2026', 'Q3 2026', '2026', '16 Nov 2026'; a dash if unknown. */
export function periodText({ periodDateUtc, periodType }: CalendarEvent): string {
  const time = periodDateUtc === null ? Number.NaN : Date.parse(periodDateUtc);
  if (Number.isNaN(time)) return DASH;
  const date = new Date(time);
  switch (periodType?.toUpperCase()) {
    case 'MONTH':
      return monthFormat.format(date);
    case 'QUARTER':
      return `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${date.getUTCFullYear()}`;
    case 'YEAR':
      return String(date.getUTCFullYear());
    default:
      return dayFormat.format(date);
  }
}

function kindText({ isAllDay, isHoliday, isSpeech, isReport }: CalendarEvent): string {
  if (isHoliday) return 'Holiday';
  if (isAllDay) return 'All day';
  if (isSpeech) return 'Speech';
  return isReport ? 'Report' : 'Data';
}

/** The type of an event with qualifiers: 'Data, preliminary', 'Speech', 'Report', 'Holiday'. */
export function typeText(event: CalendarEvent): string {
  const { isTentative, isPreliminary } = event;
  return [kindText(event), isTentative && 'tentative', isPreliminary && 'preliminary']
    .filter(Boolean)
    .join(', ');
}

export const SURPRISE_WORDS: Readonly<Record<Surprise, string>> = {
  better: 'better',
  worse: 'worse',
  asExpected: 'as expected',
  above: 'above',
  below: 'below',
};

/** 'Sunday 22 November 10:30'. @param zone an IANA name */
export function momentText(time: number, zone: string): string {
  return new Intl.DateTimeFormat(LOCALE, {
    timeZone: zone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
    .format(time)
    .replaceAll(',', '')
    .replace(' at ', ' ');
}

/** 'Sun 22 Nov'. @param date YYYY-MM-DD */
export function shortDate(date: string): string {
  return new Intl.DateTimeFormat(LOCALE, {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  })
    .format(Date.parse(`${date}T00:00:00Z`))
    .replaceAll(',', '');
}
