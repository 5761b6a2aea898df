import type { SessionColumn, StockSession } from '#market/sessions/rules/sessionDay.ts';
import { averageOnWire, percentOf } from '#market/derive.ts';
import { pips } from '#market/rules/priceStep.ts';

/** Members of a stock’s record at the end of each recorded minute. `sensitive` and `news` count announcements. */
export const SESSION_SERIES = [
  'last',
  'open',
  'high',
  'low',
  'volume',
  'value',
  'vwap',
  'relativeVolume',
  'marketCap',
  'match_price',
  'match_vol',
  'status',
  'sensitive',
  'news',
] as const;
export type RecordKey = (typeof SESSION_SERIES)[number];

/** Further values that are computed from them, by the keys of conditions except for the last two. */
export const DERIVED_SERIES = [
  'change_percent',
  'gap_percent',
  'pips',
  'day_range',
  'sensitive_today',
  'match_value',
  'has_news',
] as const;

export type SeriesKey = RecordKey | (typeof DERIVED_SERIES)[number];

const STORED: Partial<Record<SeriesKey, SessionColumn>> = {
  volume: 'volume',
  value: 'value',
  relativeVolume: 'relativeVolume',
  marketCap: 'marketCap',
  match_price: 'matchPrice',
  match_vol: 'matchVolume',
  status: 'status',
  sensitive: 'sensitive',
  news: 'news',
};

const PRE_OPEN = 0;
const orNull = (value: number): number | null => (value === value ? value : null);
const orNaN = (value: number | null): number => value ?? Number.NaN;

/** The series of one stock’s session, each computed when it is first read. Buffers are reused for the next stock. */
export class SessionSeries {
  rows = 0;
  close = Number.NaN;
  private stock: StockSession | null = null;
  private readonly made = new Map<SeriesKey, Float64Array>();
  private readonly buffers = new Map<SeriesKey, Float64Array>();

  begin(stock: StockSession): void {
    this.stock = stock;
    this.rows = stock.rows;
    this.close = stock.close;
    this.made.clear();
  }

  of(key: SeriesKey): Float64Array {
    const known = this.made.get(key);
    if (known) return known;
    const column = STORED[key];
    const series = column ? this.column(column) : this.compute(key, this.bufferOf(key));
    this.made.set(key, series);
    return series;
  }

  /** Sydney minute of each row. Decoded when it is first read, as columns are. */
  get minutes(): Uint16Array {
    return this.running().minutes;
  }

  /** A column as it is recorded: prices are NaN in a minute without a trade. */
  column(name: SessionColumn): Float64Array {
    return this.running().column(name);
  }

  private running(): StockSession {
    if (!this.stock) throw new Error('No stock has begun.');
    return this.stock;
  }

  private bufferOf(key: SeriesKey): Float64Array {
    const buffer = this.buffers.get(key);
    if (buffer && buffer.length >= this.rows) return buffer;
    const grown = new Float64Array(Math.max(512, this.rows * 2));
    this.buffers.set(key, grown);
    return grown;
  }

  private compute(key: SeriesKey, out: Float64Array): Float64Array {
    switch (key) {
      case 'last':
        return carry(this.column('last'), out, this.rows);
      case 'open':
        return first(this.column('open'), out, this.rows);
      case 'high':
        return running(this.column('high'), out, this.rows, 1);
      case 'low':
        return running(this.column('low'), out, this.rows, -1);
      case 'vwap':
        return this.fromTwo(out, 'value', 'volume', (value, volume) =>
          volume > 0 ? averageOnWire(value / volume) : Number.NaN,
        );
      case 'match_value':
        return this.fromTwo(out, 'match_price', 'match_vol', (price, volume) => price * volume);
      case 'sensitive_today':
        return this.fromTwo(out, 'sensitive', 'status', (sensitive) => Number(sensitive > 0));
      case 'has_news':
        return this.fromTwo(out, 'news', 'sensitive', (news, sensitive) => Number(news > 0 || sensitive > 0));
      case 'change_percent':
        return this.fromLast(out, (last, close) => percentOf(last, close));
      case 'pips':
        return this.fromLast(out, (last, close) => pips(close, last));
      case 'gap_percent':
        return this.gaps(out);
      case 'day_range':
        return this.dayRanges(out);
      default:
        throw new RangeError(`${key} is a column.`);
    }
  }

  private fromTwo(
    out: Float64Array,
    one: SeriesKey,
    other: SeriesKey,
    of: (one: number, other: number) => number,
  ): Float64Array {
    const [a, b] = [this.of(one), this.of(other)];
    for (let row = 0; row < this.rows; row += 1) out[row] = of(a[row] ?? Number.NaN, b[row] ?? Number.NaN);
    return out;
  }

  private fromLast(
    out: Float64Array,
    of: (last: number | null, close: number | null) => number | null,
  ): Float64Array {
    const lasts = this.of('last');
    const close = orNull(this.close);
    for (let row = 0; row < this.rows; row += 1) {
      const last = lasts[row] ?? Number.NaN;
      out[row] = last === lasts[row - 1] ? (out[row - 1] ?? Number.NaN) : orNaN(of(orNull(last), close));
    }
    return out;
  }

  /** As the condition reads it: the indicative gap until the open, then that of the opening price. */
  private gaps(out: Float64Array): Float64Array {
    const { close } = this;
    const [opens, statuses, matches] = [this.of('open'), this.of('status'), this.of('match_price')];
    for (let row = 0; row < this.rows; row += 1) {
      const open = opens[row] ?? Number.NaN;
      const isBefore = statuses[row] === PRE_OPEN || open !== open;
      out[row] = isBefore
        ? orNaN(percentOf(orNull(matches[row] ?? Number.NaN), orNull(close)))
        : close > 0
          ? (open / close - 1) * 100
          : Number.NaN;
    }
    return out;
  }

  private dayRanges(out: Float64Array): Float64Array {
    const [lasts, highs, lows] = [this.of('last'), this.of('high'), this.of('low')];
    for (let row = 0; row < this.rows; row += 1) {
      const [last = 0, high = 0, low = 0] = [lasts[row], highs[row], lows[row]];
      out[row] = high > low ? ((last - low) / (high - low)) * 100 : Number.NaN;
    }
    return out;
  }
}

/** The last known value. */
function carry(column: Float64Array, out: Float64Array, rows: number): Float64Array {
  let known = Number.NaN;
  for (let row = 0; row < rows; row += 1) {
    const value = column[row] ?? Number.NaN;
    if (value === value) known = value;
    out[row] = known;
  }
  return out;
}

/** The first known value. */
function first(column: Float64Array, out: Float64Array, rows: number): Float64Array {
  let known = Number.NaN;
  for (let row = 0; row < rows; row += 1) {
    if (known !== known) known = column[row] ?? Number.NaN;
    out[row] = known;
  }
  return out;
}

/** The highest (1) or lowest (−1) value so far. */
function running(column: Float64Array, out: Float64Array, rows: number, side: 1 | -1): Float64Array {
  let known = Number.NaN;
  for (let row = 0; row < rows; row += 1) {
    const value = column[row] ?? Number.NaN;
    if (value === value && !((known - value) * side >= 0)) known = value;
    out[row] = known;
  }
  return out;
}
