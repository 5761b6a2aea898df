import { SECURITY_TYPES, STOCK_STATUSES, type StockUpdate } from '#market/rules/stock.ts';
import { HTF_PERIODS } from '#market/indicators/rules/htfCandle.ts';
import { TIMEFRAMES } from '#market/indicators/rules/timeframe.ts';
import { isRecord } from '#lib/json.ts';
import { failed, ok, type Result } from '#lib/result.ts';
import { withoutMarks } from '#lib/text.ts';

/** Checks the value of one field. The error is a clause that completes 'The field "<name>" …'. */
export type FieldCheck = (value: unknown) => Result<unknown, string>;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const orNull =
  (check: FieldCheck): FieldCheck =>
  (value) =>
    value === null ? ok(null) : check(value);

/** Finite numbers within bounds; JSON can carry an infinity as 1e999. */
const numberWithin =
  (low: number, high: number, whole = false): FieldCheck =>
  (value) => {
    if (typeof value !== 'number') return failed(`must be a number or null, not ${kindOf(value)}`);
    if (!Number.isFinite(value) || value < low || value > high) {
      return failed(`must be between ${low} and ${high}`);
    }
    return whole && !Number.isInteger(value) ? failed('must be a whole number') : ok(value);
  };

const text =
  (limit: number): FieldCheck =>
  (value) => {
    if (typeof value !== 'string') return failed(`must be text, not ${kindOf(value)}`);
    const seen = withoutMarks(value).trim();
    if (seen === '') return failed('must not be empty');
    return seen.length > limit ? failed(`must be at most ${limit} characters long`) : ok(seen);
  };

const oneOf =
  (allowed: readonly string[]): FieldCheck =>
  (value) =>
    typeof value === 'string' && allowed.includes(value)
      ? ok(value)
      : failed(`must be one of ${allowed.join(', ')}`);

/** Not a name that would reach an object's prototype, nor one that no indicator has. */
const isSafeName = (name: string): boolean =>
  /^[\w.+|:,=()[\]-]{1,80}$/.test(name) && !['__proto__', 'constructor', 'prototype'].includes(name);

const isName =
  (names: readonly string[]) =>
  (name: string): boolean =>
    names.includes(name);

const MAX_ENTRIES = 200;

/**
 * Nested objects with numbers or null as leaves.
 * @param levels how many objects lie inside each other: 2 for `htf`, 3 for `indicators`
 * @param isAllowed which names the outer object may have
 */
const numbersBelow =
  (levels: number, isAllowed: (name: string) => boolean = isSafeName): FieldCheck =>
  (value) => {
    if (levels === 0) return orNull(numberWithin(-1e15, 1e15))(value);
    if (!isRecord(value)) return failed(`must be an object, not ${kindOf(value)}`);
    const entries = Object.entries(value);
    if (entries.length > MAX_ENTRIES) return failed(`must have at most ${MAX_ENTRIES} entries`);
    for (const [name, inner] of entries) {
      if (!isAllowed(name)) return failed(`has no entry "${name.slice(0, 40)}"`);
      const checked = numbersBelow(levels - 1)(inner);
      if (!checked.ok) return failed(`${name}: ${checked.error}`);
    }
    return ok(value);
  };

const TREND = ['daysUp', 'daysDown', 'weeksUp', 'weeksDown'];
const isCount = numberWithin(0, 10_000, true);

const trend: FieldCheck = (value) => {
  if (!isRecord(value)) return failed(`must be an object or null, not ${kindOf(value)}`);
  return TREND.every((name) => isCount(value[name]).ok) && Object.keys(value).length === TREND.length
    ? ok(value)
    : failed(`must have the whole numbers ${TREND.join(', ')}`);
};

const price = orNull(numberWithin(0, 1e6));
const volume = orNull(numberWithin(0, 1e13));
const money = orNull(numberWithin(0, 1e15));

type IngestField = Exclude<keyof StockUpdate, 'code' | 'news' | 'preOpen'>;

/**
 * The fields that a bridge may send, with their checks. What the Market derives (change, match_value …) and what has a
 * source of its own (news) is not among them.
 */
const INGEST_FIELDS: Readonly<Record<IngestField, FieldCheck>> = {
  name: text(120),
  status: oneOf(STOCK_STATUSES),
  securityType: oneOf(SECURITY_TYPES),
  sector: orNull(text(120)),
  open: price,
  high: price,
  low: price,
  close: price,
  last: price,
  vwap: price,
  volume,
  value: money,
  match_price: price,
  match_vol: volume,
  buy_surplus: orNull(numberWithin(-1e13, 1e13)),
  marketCap: money,
  relativeVolume: orNull(numberWithin(0, 1e6)),
  sensitiveAnnouncements: orNull(numberWithin(0, 1000, true)),
  trend: orNull(trend),
  yearRange: orNull(numbersBelow(1, isName(['high', 'low']))),
  indicators: numbersBelow(3, isName(TIMEFRAMES)),
  htf: numbersBelow(2, isName(HTF_PERIODS)),
  quoteTime: numberWithin(Date.UTC(2000, 0, 1), Date.UTC(2100, 0, 1)),
};

const isIngestField = (name: string): name is IngestField => Object.hasOwn(INGEST_FIELDS, name);

/** The check of a field; null for a name that is no field of a bridge. */
export const checkOfField = (name: string): FieldCheck | null =>
  isIngestField(name) ? INGEST_FIELDS[name] : null;
