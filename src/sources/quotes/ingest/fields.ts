import { isRecord } from '../../../lib/json.ts';
import { SECURITY_TYPES, STOCK_STATUSES, type StockUpdate } from '../../../domain/market/stock.ts';

/** Reads one field's value: gives what to keep, or throws nothing and returns a clause that completes "<field> …". */
export type Checked = { value: unknown } | { wrong: string };
type Check = (value: unknown) => Checked;

const wrong = (clause: string): Checked => ({ wrong: clause });

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? { value: null } : check(value);

/** Finite numbers within bounds; JSON can carry an infinity as 1e999. */
const numberWithin =
  (low: number, high: number, whole = false): Check =>
  (value) => {
    if (typeof value !== 'number') return wrong(`must be a number or null, not ${kindOf(value)}`);
    if (!Number.isFinite(value) || value < low || value > high) {
      return wrong(`must be between ${low} and ${high}`);
    }
    return whole && !Number.isInteger(value) ? wrong('must be a whole number') : { value };
  };

const text =
  (limit: number): Check =>
  (value) => {
    if (typeof value !== 'string') return wrong(`must be text, not ${kindOf(value)}`);
    const trimmed = value.trim();
    if (trimmed === '') return wrong('must not be empty');
    return trimmed.length > limit ? wrong(`must be at most ${limit} characters long`) : { value: trimmed };
  };

const oneOf =
  (allowed: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && allowed.includes(value)
      ? { value }
      : wrong(`must be one of ${allowed.join(', ')}`);
/** Names that would reach an object's prototype, or that no indicator has. */
const isSafeName = (name: string): boolean =>
  /^[\w.+|:,=()[\]-]{1,80}$/.test(name) && !['__proto__', 'constructor', 'prototype'].includes(name);

/** Objects of so many levels whose leaves are numbers or null: one level for htf fields, two for indicators … */
const numbersBelow =
  (levels: number, names: (name: string) => boolean = isSafeName, mostNames = 200): Check =>
  (value) => {
    if (levels === 0) return orNull(numberWithin(-1e15, 1e15))(value);
    if (!isRecord(value)) return wrong(`must be an object, not ${kindOf(value)}`);
    const entries = Object.entries(value);
    if (entries.length > mostNames) return wrong(`must have at most ${mostNames} entries`);
    for (const [name, inner] of entries) {
      if (!names(name)) return wrong(`has no entry "${name.slice(0, 40)}"`);
      const checked = numbersBelow(levels - 1)(inner);
      if ('wrong' in checked) return wrong(`${name}: ${checked.wrong}`);
    }
    return { value };
  };

const TREND = ['daysUp', 'daysDown', 'weeksUp', 'weeksDown'];
const trend: Check = (value) => {
  if (!isRecord(value)) return wrong(`must be an object or null, not ${kindOf(value)}`);
  const known = TREND.every((name) => !('wrong' in numberWithin(0, 10_000, true)(value[name])));
  return known && Object.keys(value).length === TREND.length
    ? { value }
    : wrong(`must have the whole numbers ${TREND.join(', ')}`);
};

const TIMEFRAMES = ['1', '3', '5', '15', '30', '60', '120', '240', 'D', 'W', 'M'];
const PERIODS = ['1M', '2M', '3M', '6M', '12M'];

const price = orNull(numberWithin(0, 1e6));
const volume = orNull(numberWithin(0, 1e13));
const money = orNull(numberWithin(0, 1e15));

/**
 * Every field that a bridge may send, and how it is checked. What the Market derives itself (change, match_value …)
 * and what has a source of its own (news) is not here, so it is ignored by name.
 */
export const INGEST_FIELDS: Readonly<Record<Exclude<keyof StockUpdate, 'code' | 'news' | 'preOpen'>, Check>> =
  {
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
    indicators: numbersBelow(3, (name) => TIMEFRAMES.includes(name)),
    htf: numbersBelow(2, (name) => PERIODS.includes(name)),
    quoteTime: numberWithin(Date.UTC(2000, 0, 1), Date.UTC(2100, 0, 1)),
  };
