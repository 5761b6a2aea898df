import type { CalendarEvent } from '../rules/calendarEvent.ts';
import { timeOf } from '../rules/days.ts';
import type { TakenColumn } from '#ui/table/types.ts';
import { isoInSydney } from '#web/shared/take/isoInSydney.ts';
import { periodText, typeText } from './eventTexts.ts';

/** Of an all-day event its date. */
function momentOf(event: CalendarEvent): string | null {
  if (event.isAllDay) return event.dateUtc.slice(0, 10);
  const time = timeOf(event);
  return time === null ? null : isoInSydney(time);
}

/** The calendar's columns as a spreadsheet is given them; what a figure is counted in stands in a column of its own. */
export const TAKEN_EVENTS: readonly TakenColumn<CalendarEvent>[] = [
  { label: 'Time', value: momentOf },
  { label: 'Ctry', value: ({ countryCode }) => countryCode },
  { label: 'Cur', value: ({ currencyCode }) => currencyCode },
  { label: 'Event', value: ({ name }) => name },
  { label: 'Period', value: periodText },
  { label: 'Actual', value: ({ actual }) => actual },
  { label: 'Consensus', value: ({ consensus }) => consensus },
  { label: 'Previous', value: ({ previous, revised }) => revised ?? previous },
  { label: 'Unit', value: ({ unit, potency }) => `${potency === 'ZERO' ? '' : potency}${unit ?? ''}` },
  { label: 'Impact', value: ({ volatility }) => volatility },
  { label: 'Type', value: typeText },
];
