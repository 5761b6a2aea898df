import { isRecord, type JsonRecord } from '#lib/json.ts';
import {
  readBoolean,
  readChoice,
  readCount,
  readList,
  readNumber,
  readRecord,
  readText,
  readTime,
} from '#lib/read.ts';
import { newsDate } from '#market/rules/announcements.ts';
import type { FeedInfo, ProviderInfo, ReplayInfo } from '#market/rules/stream.ts';
import type { SpecialDay } from '#market/rules/specialDays.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import type { MarketMeta } from './protocol.ts';

/** A day in an hour is the fastest that makes sense; beyond, a page that is open for days would leave the calendar. */
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

/** A Sydney date as YYYY-MM-DD: from that form, from DD/MM/YYYY or from a moment; null for what is none of them. */
function readDate(value: unknown): string | null {
  const date = newsDate(readText(value) ?? '');
  if (date !== null && readTime(`${date}T00:00:00Z`) !== null) return date;
  const time = readTime(value);
  return time === null ? null : sydneyDate(time);
}

/** Of a recording that says nothing of its ends there is nothing to control. */
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

/** An early close without a time that can be read is none. */
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

/** One reader a member: gives null when the member can't be read. */
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

/** Of these null is a word of the server: it has none. */
const MAY_BE_OFF: ReadonlySet<string> = new Set<keyof MarketMeta>(['announcements', 'calendar']);

/** The members of a delta's meta that are there and can be read; the others stay as they were. */
export function readMetaChange(value: unknown): Partial<MarketMeta> {
  const meta = readRecord(value);
  const read = Object.entries(MEMBERS).flatMap(([name, member]) => {
    const known = name in meta ? member(meta) : null;
    const isOff = known === null && meta[name] === null && MAY_BE_OFF.has(name);
    return known === null && !isOff ? [] : [[name, known] as const];
  });
  return Object.fromEntries(read);
}

/**
 * A snapshot's meta. Where the server says nothing of its clock, the market is taken to run on this machine's.
 * @param stockCount how many stocks came with it
 * @param receivedAt epoch ms of this machine's clock
 */
export function readMeta(value: unknown, stockCount: number, receivedAt: number): MarketMeta {
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
