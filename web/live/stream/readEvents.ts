import type { EventPatch } from '#market/rules/stream.ts';
import { IMPACTS, POTENCIES } from '#subjects/calendar/rules/calendarEvent.ts';
import { readBoolean, readIsoTime, readNumber, readText } from '#lib/read.ts';
import { type MemberReader, objectOf, readMembers } from './readMembers.ts';

const oneOf =
  (words: readonly string[]): MemberReader =>
  (value) =>
    words.includes(String(value)) ? value : null;

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
  revised: readNumber,
  unit: readText,
  potency: oneOf(POTENCIES),
  volatility: oneOf(IMPACTS),
  isBetterThanExpected: readBoolean,
  isSpeech: readBoolean,
  isReport: readBoolean,
  isAllDay: readBoolean,
  isHoliday: readBoolean,
  isTentative: readBoolean,
  isPreliminary: readBoolean,
});

/** Economic events, or patches of them, by id: what can't be read is unknown, an event that is no object is left out. */
export function readEvents(value: unknown): Record<string, EventPatch> {
  const events = readMembers<EventPatch>(value, readEvent);
  for (const [id, event] of Object.entries(events)) event.id = id;
  return events;
}
