import type { CalendarEvent } from '../rules/calendarEvent.ts';
import { formatFigure } from '../rules/figures.ts';
import { surpriseOf, SURPRISES } from '../rules/surprise.ts';

type Events = ReadonlyMap<string, CalendarEvent>;

/** So many are read out one by one. */
const MAX_TOLD = 3;

/** Events whose figure is there, and was not before. */
export function arrivedFigures(before: Events, after: Events): CalendarEvent[] {
  return [...after.values()].filter((event) => {
    const known = before.get(event.id);
    return known !== event && known?.actual === null && event.actual !== null;
  });
}

function figureSentence(event: CalendarEvent): string {
  const surprise = surpriseOf(event);
  const compared = surprise === null ? '' : `, ${SURPRISES[surprise].text.toLowerCase()}`;
  return `${event.countryCode} ${event.name}: ${formatFigure(event.actual, event)}${compared}.`;
}

/** What a screen reader is told of figures that arrived. */
export function arrivalWords(events: readonly CalendarEvent[]): string {
  const told = events.slice(0, MAX_TOLD).map(figureSentence);
  const others = events.length - told.length;
  return [...told, ...(others > 0 ? [`And ${others} more.`] : [])].join(' ');
}
