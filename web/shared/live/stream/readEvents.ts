import type { CalendarEvent } from '../../../../src/domain/market/stream.ts';
import { readBoolean, readIsoTime, readNumber, readText } from '../../../../src/lib/read.ts';
import { objectOf, readMembers } from './readMembers.ts';

/** The members of an economic event (specification 3). */
const readEvent = objectOf({
  dateUtc: readIsoTime,
  countryCode: readText,
  currencyCode: readText,
  name: readText,
  periodDateUtc: readIsoTime,
  periodType: readText,
  actual: readNumber,
  consensus: readNumber,
  previous: readNumber,
  unit: readText,
  volatility: readText,
  isSpeech: readBoolean,
  isReport: readBoolean,
});

/** Economic events, or patches of them, by id: what can't be read is unknown, an event that is no object is left out. */
export function readEvents(value: unknown): Record<string, CalendarEvent> {
  const events = readMembers<CalendarEvent>(value, readEvent);
  for (const [id, event] of Object.entries(events)) event.id = id;
  return events;
}
