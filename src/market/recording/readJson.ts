import { type CalendarEvent, applyEventPatch, readStoredEvent } from '../calendar/rules/calendarEvent.ts';
import { type PreOpenSnapshot, SECURITY_TYPES, STOCK_STATUSES, type Trend } from '../rules/stock.ts';
import { isRecord, type JsonRecord } from '#lib/json.ts';
import { readIsoTime, readNumber, readTime } from '#lib/read.ts';
import { withoutMarks } from '#lib/text.ts';
import type { Release } from '#sources/announcements/source.ts';
import { damaged } from './errors.ts';
import type { OtherEvent } from './eventWriter.ts';
import type { Texts } from './stockTable.ts';

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const oneOf = <T extends string>(choices: readonly T[], value: unknown): T => {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw damaged();
  return found;
};

const list = <T>(value: unknown, read: (item: unknown) => T): T[] => {
  if (!Array.isArray(value)) throw damaged();
  return value.map(read);
};

function readString(value: unknown): string {
  if (typeof value !== 'string') throw damaged();
  return value;
}

function readTrend(value: unknown): Trend | null {
  if (!isRecord(value)) return null;
  const count = (name: keyof Trend): number => readNumber(value[name]) ?? 0;
  return {
    daysUp: count('daysUp'),
    daysDown: count('daysDown'),
    weeksUp: count('weeksUp'),
    weeksDown: count('weeksDown'),
  };
}

/** What of a stock is no number. @throws RecordingError for what is not that */
export function readTexts(value: unknown): Texts {
  if (!isRecord(value)) throw damaged();
  return {
    name: withoutMarks(readString(value['name'])),
    status: oneOf(STOCK_STATUSES, value['status']),
    sector: text(value['sector']),
    securityType: oneOf(SECURITY_TYPES, value['securityType']),
    trend: readTrend(value['trend']),
    ...(isRecord(value['yearRange']) && {
      yearRange: { high: readNumber(value['yearRange']['high']), low: readNumber(value['yearRange']['low']) },
    }),
    ...(isRecord(value['preOpen']) && { preOpen: { snapshot: readSnapshot(value['preOpen']['snapshot']) } }),
  };
}

function readRelease(value: unknown): Release {
  const time = isRecord(value) ? readTime(value['time']) : null;
  if (!isRecord(value) || time === null) throw damaged();
  return {
    id: readString(value['id']),
    code: readString(value['code']),
    headline: readString(value['headline']),
    url: text(value['url']),
    document: text(value['document']),
    announcementTypes: list(value['announcementTypes'], readString),
    isPriceSensitive: value['isPriceSensitive'] === true,
    time,
  };
}

function readCalendarEvent(value: unknown): CalendarEvent {
  const id = isRecord(value) ? text(value['id']) : null;
  if (!isRecord(value) || id === null || readIsoTime(value['dateUtc']) === null) throw damaged();
  return readStoredEvent(applyEventPatch(id, undefined, value as Partial<CalendarEvent>));
}

/** An event that is not of stocks; null for one of no known kind. @throws RecordingError for what is not well formed */
export function readOther(value: JsonRecord, time: number): OtherEvent | null {
  switch (value['kind']) {
    case 'remove':
      return { time, kind: 'remove', codes: list(value['codes'], readString) };
    case 'announcements':
      return { time, kind: 'announcements', releases: list(value['releases'], readRelease) };
    case 'withdrawn':
      return { time, kind: 'withdrawn', ids: list(value['ids'], readString) };
    case 'calendar':
      return {
        time,
        kind: 'calendar',
        events: list(value['events'], readCalendarEvent),
        removed: list(value['removed'], readString),
      };
    default:
      return null;
  }
}

const orNull = (value: unknown): number | null => readNumber(value);

function readSnapshot(value: unknown): PreOpenSnapshot {
  const capturedAt = isRecord(value) ? readIsoTime(value['capturedAt']) : null;
  if (!isRecord(value) || capturedAt === null) throw damaged();
  return {
    capturedAt,
    indicativeChangePercent: orNull(value['indicativeChangePercent']),
    match_price: orNull(value['match_price']),
    match_vol: orNull(value['match_vol']),
    match_value: orNull(value['match_value']),
    buy_surplus: orNull(value['buy_surplus']),
  };
}

/** What a base state holds besides the figures of its stocks. */
export type BaseRest = {
  releases: Release[];
  events: CalendarEvent[];
  /** When the Market took the last quote of a stock whose provider states no time, epoch ms. */
  taken: Record<string, number>;
};

/** @throws RecordingError for what is not well formed */
export function readBaseRest(value: unknown): BaseRest {
  if (!isRecord(value) || !isRecord(value['taken'])) throw damaged();
  const taken = Object.entries(value['taken']).map(([code, time]) => [code, readTime(time) ?? 0] as const);
  return {
    releases: list(value['releases'], readRelease),
    events: list(value['events'], readCalendarEvent),
    taken: Object.fromEntries(taken),
  };
}
