import { type CalendarEvent, emptyEvent, IMPACTS, POTENCIES } from '#market/calendar/rules/calendarEvent.ts';
import { isRecord, type JsonRecord } from '#lib/json.ts';
import {
  readBoolean,
  readChoice,
  readCount,
  readIsoTime,
  readLine,
  readNumber,
  readUtcTime,
} from '#lib/read.ts';
import { failed, ok, type Result } from '#lib/result.ts';
import type { RowField } from '#sources/rowFields.ts';

/** An event, and when the provider last changed it: unix seconds, 0 when it does not say. */
export type ReadEvent = { event: CalendarEvent; lastUpdated: number };

const ID = /^[\w-]{1,80}$/;
const COUNTRY = /^[A-Z]{2,3}$/;
const CURRENCY = /^[A-Z]{3}$/;
const DAY_MS = 86_400_000;

/** Other writings of the two regions that have no code of two letters of their own here. */
const REGIONS: Readonly<Record<string, string>> = { GB: 'UK', EU: 'EMU', EA: 'EMU', EZ: 'EMU' };

const readPotency = readChoice(POTENCIES);
const readImpact = readChoice(IMPACTS);

function regionOf(value: unknown): string {
  const code = readLine(value, 8)?.toUpperCase() ?? '';
  return REGIONS[code] ?? (COUNTRY.test(code) ? code : '');
}

function currencyOf(value: unknown): string {
  const code = readLine(value, 8)?.toUpperCase() ?? '';
  return CURRENCY.test(code) ? code : '';
}

type Figures = Pick<CalendarEvent, 'actual' | 'consensus' | 'previous' | 'revised' | 'unit' | 'potency'>;

/** The figures with what they are counted in. In a potency that is not known they would be wrong by thousands. */
function figuresOf(given: JsonRecord): Figures | null {
  const potency = readPotency(given['potency'] ?? 'ZERO');
  if (potency === null) return null;
  return {
    actual: readNumber(given['actual']),
    consensus: readNumber(given['consensus']),
    previous: readNumber(given['previous']),
    revised: readNumber(given['revised']),
    unit: readLine(given['unit'], 8),
    potency,
  };
}

/** One that can't be read costs the event nothing: its name tells what it belongs to. */
function seriesOf(value: unknown): string | null {
  const id = readLine(value, 100);
  return id !== null && ID.test(id) ? id : null;
}

const is = (value: unknown): boolean => readBoolean(value) ?? false;

/** What each event has; figures and periods only some. */
export const EVENT_FIELDS: readonly RowField[] = [
  { name: 'ids', isIn: ({ id }) => readLine(id, 100) !== null },
  { name: 'names', isIn: ({ name }) => readLine(name, 160) !== null },
  { name: 'times', isIn: ({ dateUtc }) => readUtcTime(dateUtc) !== null },
  { name: 'countries', isIn: ({ countryCode }) => regionOf(countryCode) !== '' },
  { name: 'currencies', isIn: ({ currencyCode }) => currencyOf(currencyCode) !== '' },
  { name: 'impacts', isIn: ({ volatility }) => readImpact(volatility) !== null },
  { name: 'series', isIn: ({ eventId }) => seriesOf(eventId) !== null },
];

/**
 * Reads one event.
 * @returns the event, of which what can't be read is null; or why it can't be used, naming its id where it has one
 */
export function readEvent(value: unknown): Result<ReadEvent, string> {
  if (!isRecord(value)) return failed('an event is no object');
  const id = readLine(value['id'], 100);
  if (id === null || !ID.test(id)) return failed('an event without a usable id');
  const name = readLine(value['name'], 160);
  if (name === null) return failed(`${id}: no name`);
  const time = readUtcTime(value['dateUtc']);
  if (time === null) return failed(`${id}: no date`);
  const isAllDay = is(value['isAllDay']);
  const period = readUtcTime(value['periodDateUtc']);
  const event: CalendarEvent = {
    ...emptyEvent(id),
    dateUtc: new Date(isAllDay ? Math.floor(time / DAY_MS) * DAY_MS : time).toISOString(),
    countryCode: regionOf(value['countryCode']),
    currencyCode: currencyOf(value['currencyCode']),
    name,
    periodDateUtc: readIsoTime(period),
    periodType: readLine(value['periodType'], 20)?.toUpperCase() ?? null,
    ...figuresOf(value),
    volatility: readImpact(value['volatility']) ?? 'LOW',
    isBetterThanExpected: readBoolean(value['isBetterThanExpected']),
    isSpeech: is(value['isSpeech']),
    isReport: is(value['isReport']),
    isAllDay,
    isHoliday: isAllDay && value['volatility'] === 'NONE',
    isTentative: is(value['isTentative']),
    isPreliminary: is(value['isPreliminary']),
    series: seriesOf(value['eventId']),
  };
  return ok({ event, lastUpdated: readCount(value['lastUpdated']) ?? 0 });
}
