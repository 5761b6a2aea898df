import { isRecord, type JsonRecord } from '#lib/json.ts';
import {
  readList,
  readRecord,
  readText,
  readTime,
  readBoolean,
  readIsoTime,
  readNumber,
  readChoice,
  readCount,
} from '#lib/read.ts';
import type { MarketDelta, MarketSnapshot, MarketMeta } from './protocol.ts';
import type { EventPatch, StockPatch, FeedInfo, ProviderInfo, ReplayInfo } from '#market/rules/stream.ts';
import { IMPACTS, POTENCIES } from '#market/calendar/rules/calendarEvent.ts';
import { newsDate } from '#market/rules/announcements.ts';
import type { SpecialDay } from '#market/rules/tradingDay.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';

/* Readers of merge patches. For speed they modify their argument, which was parsed only for them. */

/** Normalises a value; returns null if it is unreadable. */
type MemberReader = (value: unknown) => unknown;

/** Reads an object with these members; others are ignored. */
function objectOf(readers: Readonly<Record<string, MemberReader>>): MemberReader {
  const known = new Map(Object.entries(readers));
  return (value) => {
    if (!isRecord(value)) return null;
    for (const key in value) {
      const read = known.get(key);
      // In a merge, undefined changes nothing, and setting it is cheaper than deleting.
      if (read === undefined) value[key] = undefined;
      else readMember(value, key, read);
    }
    return value;
  };
}

/** Reads an object with any keys and members of one type. */
const mapOf =
  (read: MemberReader): MemberReader =>
  (value) => {
    if (!isRecord(value)) return null;
    for (const key in value) readMember(value, key, read);
    return value;
  };

/** Reads a member in place. Null stays, because it removes in a merge patch; unchanged values are not written. */
function readMember(record: JsonRecord, key: string, read: MemberReader): void {
  const value = record[key];
  if (value === null) return;
  const right = read(value);
  if (right !== value) record[key] = right;
}

/** Reads an object of objects; other members are dropped. */
function readMembers<T extends object>(value: unknown, read: MemberReader): Record<string, T> {
  if (!isRecord(value)) return {};
  for (const key in value) if (read(value[key]) === null) delete value[key];
  return value as Record<string, T>;
}

/** Limit of the clock's speed: a day per hour. Faster, a page that is open for days would leave the calendar. */
const MAX_CLOCK_SPEED = 3600;

function readFeed(value: unknown): FeedInfo | null {
  if (!isRecord(value)) return null;
  const name = readText(value.name) ?? readText(value.label);
  if (name === null) return null;
  return {
    name,
    label: readText(value.label) ?? name,
    delayMinutes: readNumber(value.delayMinutes) ?? 0,
    lastUpdate: readTime(value.lastUpdate),
    healthy: readBoolean(value.healthy) ?? true,
    problem: readText(value.problem),
  };
}

function readProvider(value: unknown): ProviderInfo | null {
  if (!isRecord(value)) return null;
  const label = readText(value.label);
  if (label === null) return null;
  return {
    label,
    healthy: readBoolean(value.healthy) ?? true,
    problem: readText(value.problem),
    lastUpdate: readTime(value.lastUpdate),
  };
}

function readCalendar(value: unknown): MarketMeta['calendar'] | null {
  const provider = readProvider(value);
  return provider && { ...provider, onMarketClock: readBoolean(readRecord(value).onMarketClock) ?? false };
}

/** Reads YYYY-MM-DD, DD/MM/YYYY or a time as YYYY-MM-DD; null for anything else. */
function readDate(value: unknown): string | null {
  const date = newsDate(readText(value) ?? '');
  if (date !== null && readTime(`${date}T00:00:00Z`) !== null) return date;
  const time = readTime(value);
  return time === null ? null : sydneyDate(time);
}

/** Reads a replay's state; null without bounds, because it then cannot be controlled. */
function readReplay(value: unknown): ReplayInfo | null {
  const { from, until, isPaused, speed, hasEnded, isCutOff, jumps, isOpenToAll } = readRecord(value);
  const [first, last] = [readTime(from), readTime(until)];
  if (first === null || last === null) return null;
  return {
    from: first,
    until: last,
    isPaused: readBoolean(isPaused) ?? false,
    speed: readNumber(speed) ?? 1,
    hasEnded: readBoolean(hasEnded) ?? false,
    isCutOff: readBoolean(isCutOff) ?? false,
    jumps: readCount(jumps) ?? 0,
    isOpenToAll: readBoolean(isOpenToAll) ?? false,
  };
}

const readKind = readChoice(['closed', 'early', 'normal'] as const);

/** Reads a special day; an early close without a readable time is ignored. */
function readSpecialDay(value: unknown): SpecialDay | null {
  const day = readRecord(value);
  const [date, kind] = [readDate(day.date), readKind(day.kind)];
  const [closesAt = null] = /^1\d:[0-5]\d$/.exec(readText(day.closesAt) ?? '') ?? [];
  if (date === null || kind === null || (kind === 'early') !== (closesAt !== null)) return null;
  return { date, kind, closesAt, reason: readText(day.reason) ?? '' };
}

function readClockSpeed(value: unknown): number | null {
  const speed = readNumber(value);
  return speed !== null && speed >= 0 && speed <= MAX_CLOCK_SPEED ? speed : null;
}

/** One reader per member; null if the member is unreadable. */
const MEMBERS: { [K in keyof Required<MarketMeta>]: (meta: JsonRecord) => MarketMeta[K] | null } = {
  stockCount: (meta) => readCount(meta.stockCount),
  dateToday: (meta) => readDate(meta.dateToday),
  flags: (meta) => {
    const ignoreStatus = readBoolean(readRecord(meta.flags).ignoreStatus);
    return ignoreStatus === null ? null : { ignoreStatus };
  },
  feed: (meta) => readFeed(meta.feed),
  announcements: (meta) => readProvider(meta.announcements),
  calendar: (meta) => readCalendar(meta.calendar),
  marketTime: (meta) => readTime(meta.marketTime),
  clockOffsetMs: (meta) => readNumber(meta.clockOffsetMs),
  clockSpeed: (meta) => readClockSpeed(meta.clockSpeed),
  replay: (meta) => readReplay(meta.replay),
  closures: (meta) => (meta.closures === undefined ? null : readList(meta.closures, readSpecialDay)),
};

/** Members for which null means that the server has none. */
const MAY_BE_OFF: ReadonlySet<string> = new Set<keyof MarketMeta>(['announcements', 'calendar']);

/** Reads the readable members of a delta's metadata; the others stay. */
function readMetaChange(value: unknown): Partial<MarketMeta> {
  const meta = readRecord(value);
  const read = Object.entries(MEMBERS).flatMap(([name, member]) => {
    const known = name in meta ? member(meta) : null;
    const isOff = known === null && meta[name] === null && MAY_BE_OFF.has(name);
    return known === null && !isOff ? [] : [[name, known] as const];
  });
  return Object.fromEntries(read);
}

/**
 * Reads metadata. If the server sends no clock, the market uses the local one.
 * @param stockCount number of stocks in the snapshot
 * @param receivedAt epoch ms by the local clock
 */
function readMeta(value: unknown, stockCount: number, receivedAt: number): MarketMeta {
  const known = readMetaChange(value);
  const marketTime = known.marketTime ?? receivedAt;
  return {
    stockCount,
    dateToday: sydneyDate(marketTime),
    flags: { ignoreStatus: false },
    feed: null,
    marketTime,
    clockOffsetMs: 0,
    clockSpeed: 1,
    ...known,
  };
}

/** Reads a number or the length of a list, because the specification does not say which is sent. */
const readHowMany: MemberReader = (value) =>
  readNumber(value) ?? (Array.isArray(value) ? value.length : Number(readBoolean(value) ?? 0));

const readFlip: MemberReader = (value) => {
  const flip = readNumber(value);
  return flip === 1 || flip === -1 ? flip : null;
};

const readTexts: MemberReader = (value) => readList(value, readText);

const readAnnouncement = objectOf({
  headline: readText,
  url: readText,
  announcementTypes: readTexts,
  isPriceSensitive: readBoolean,
  time: readIsoTime,
});

const readNewsDay = objectOf({
  headline: readText,
  summary: readText,
  summary_generated_at: readIsoTime,
  summary_of: readText,
  summary_note: readText,
  alerted: readBoolean,
  announcements: mapOf(readAnnouncement),
});

const readPreOpenSnapshot = objectOf({
  capturedAt: readIsoTime,
  indicativeChangePercent: readNumber,
  match_price: readNumber,
  match_vol: readNumber,
  match_value: readNumber,
  buy_surplus: readNumber,
});

const readStock = objectOf({
  code: readText,
  name: readText,
  // A status that is not known is shown as it is, and matches no table of another status.
  status: readText,
  securityType: readText,
  sector: readText,
  open: readNumber,
  high: readNumber,
  low: readNumber,
  close: readNumber,
  last: readNumber,
  change: readNumber,
  change_percent: readNumber,
  vwap: readNumber,
  volume: readNumber,
  value: readNumber,
  match_price: readNumber,
  match_vol: readNumber,
  match_value: readNumber,
  buy_surplus: readNumber,
  surplusFlip: readFlip,
  indicativeChangePercent: readNumber,
  marketCap: readNumber,
  marketCapCategory: readText,
  relativeVolume: readNumber,
  sensitiveAnnouncements: readHowMany,
  trend: objectOf({
    daysUp: readNumber,
    daysDown: readNumber,
    weeksUp: readNumber,
    weeksDown: readNumber,
  }),
  yearRange: objectOf({ high: readNumber, low: readNumber }),
  news: mapOf(readNewsDay),
  preOpen: objectOf({ snapshot: readPreOpenSnapshot }),
  indicators: mapOf(mapOf(mapOf(readNumber))),
  htf: mapOf(mapOf(readNumber)),
});

/** Reads stocks by code. Unreadable values are unknown, and stocks that are not objects are dropped. */
const readStockPatches = (value: unknown): Record<string, StockPatch> =>
  readMembers<StockPatch>(value, readStock);

const oneOf =
  (words: readonly string[]): MemberReader =>
  (value) =>
    words.includes(String(value)) ? value : null;

/** A calendar event (specification 3). */
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

/** Reads events by id. Unreadable values are unknown, and events that are not objects are dropped. */
function readEvents(value: unknown): Record<string, EventPatch> {
  const events = readMembers<EventPatch>(value, readEvent);
  for (const [id, event] of Object.entries(events)) event.id = id;
  return events;
}

/**
 * Reads a snapshot. Only `stocks` and `meta` are required; other missing members are unknown.
 * @param receivedAt epoch ms by the local clock
 * @returns null if it is invalid, so that it is ignored (specification 4)
 */
export function readSnapshot(text: string, receivedAt: number): MarketSnapshot | null {
  const value = parseJson(text);
  if (!isRecord(value) || !isRecord(value.stocks) || !isRecord(value.meta)) return null;
  const stocks = readStockPatches(value.stocks);
  const fx = readRecord(value.fx);
  return {
    stocks,
    meta: readMeta(value.meta, Object.keys(stocks).length, receivedAt),
    fx: { data: readEvents(fx.data), lastUpdated: readTime(fx.lastUpdated) },
  };
}

/** Missing parts change nothing. @returns null if invalid: such an event is ignored (specification 4) */
export function readDelta(text: string): MarketDelta | null {
  const value = parseJson(text);
  if (!isRecord(value)) return null;
  const stocks = readRecord(value.stocks);
  const fx = readRecord(value.fx);
  return {
    stocks: { upsert: readStockPatches(stocks.upsert), delete: readList(stocks.delete, readText) },
    meta: readMetaChange(value.meta),
    fx: {
      upsert: readEvents(fx.upsert),
      delete: readList(fx.delete, readText),
      lastUpdated: readTime(fx.lastUpdated),
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // By the specification, malformed payloads are ignored; the next event does not depend on them.
  }
}
