import { percentOf } from '../derive.ts';
import { pips } from '../rules/priceStep.ts';
import type { SessionColumn, StockSession } from './rules/sessionDay.ts';

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
  'buy_surplus',
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
  vwap: 'vwap',
  relativeVolume: 'relativeVolume',
  marketCap: 'marketCap',
  match_price: 'matchPrice',
  match_vol: 'matchVolume',
  buy_surplus: 'surplus',
  status: 'status',
  sensitive: 'sensitive',
  news: 'news',
};

const PRE_OPEN = 0;
const orNull = (value: number): number | null => (value === value ? value : null);
const orNaN = (value: number | null): number => value ?? Number.NaN;

/** Rows until before `until` are computed, for the stock of that number. */
type Made = { values: Float64Array; until: number; generation: number };

/** The series of one stock’s session, each computed when it is first read. Buffers are reused for the next stock. */
export class SessionSeries {
  rows = 0;
  close = Number.NaN;
  private stock: StockSession | null = null;
  private readonly made = new Map<SeriesKey, Made>();
  private generation = 0;

  begin(stock: StockSession): void {
    this.stock = stock;
    this.rows = stock.rows;
    this.close = stock.close;
    this.generation += 1;
  }

  /** A series, computed until before a row at least. */
  of(key: SeriesKey, until = this.rows): Float64Array {
    const column = STORED[key];
    if (column) return this.column(column);
    const made = this.madeOf(key);
    if (made.until >= until) return made.values;
    this.compute(key, made.values, made.until, until);
    made.until = until;
    return made.values;
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

  private madeOf(key: SeriesKey): Made {
    let made = this.made.get(key);
    if (!made || made.values.length < this.rows) {
      made = { values: new Float64Array(Math.max(512, this.rows * 2)), until: 0, generation: 0 };
      this.made.set(key, made);
    }
    if (made.generation !== this.generation) {
      made.generation = this.generation;
      made.until = 0;
    }
    return made;
  }

  private compute(key: SeriesKey, out: Float64Array, from: number, until: number): void {
    switch (key) {
      case 'last':
        return carry(this.column('last'), out, from, until);
      case 'open':
        return first(this.column('open'), out, from, until);
      case 'high':
        return running(this.column('high'), out, { from, until, side: 1 });
      case 'low':
        return running(this.column('low'), out, { from, until, side: -1 });
      case 'match_value':
        return this.fromTwo(
          out,
          ['match_price', 'match_vol'],
          [from, until],
          (price, volume) => price * volume,
        );
      case 'sensitive_today':
        return this.fromTwo(out, ['sensitive', 'sensitive'], [from, until], isAny);
      case 'has_news':
        return this.fromTwo(out, ['news', 'sensitive'], [from, until], isAny);
      case 'change_percent':
        return this.fromLast(out, from, until, percentOf);
      case 'pips':
        return this.fromLast(out, from, until, (last, close) => pips(close, last));
      case 'gap_percent':
        return this.gaps(out, from, until);
      case 'day_range':
        return this.dayRanges(out, from, until);
      default:
        throw new RangeError(`${key} is a column.`);
    }
  }

  private fromTwo(
    out: Float64Array,
    [one, other]: readonly [SeriesKey, SeriesKey],
    [from, until]: readonly [number, number],
    of: (one: number, other: number) => number,
  ): void {
    const [a, b] = [this.of(one, until), this.of(other, until)];
    for (let row = from; row < until; row += 1) out[row] = of(a[row] ?? Number.NaN, b[row] ?? Number.NaN);
  }

  private fromLast(
    out: Float64Array,
    from: number,
    until: number,
    of: (last: number | null, close: number | null) => number | null,
  ): void {
    const lasts = this.of('last', until);
    const close = orNull(this.close);
    for (let row = from; row < until; row += 1) {
      const last = lasts[row] ?? Number.NaN;
      out[row] = last === lasts[row - 1] ? (out[row - 1] ?? Number.NaN) : orNaN(of(orNull(last), close));
    }
  }

  /** As the condition reads it: the indicative gap until the open, then that of the opening price. */
  private gaps(out: Float64Array, from: number, until: number): void {
    const { close } = this;
    const [opens, statuses, matches] = [this.of('open', until), this.of('status'), this.of('match_price')];
    for (let row = from; row < until; row += 1) {
      const open = opens[row] ?? Number.NaN;
      const isBefore = statuses[row] === PRE_OPEN || open !== open;
      out[row] = isBefore
        ? orNaN(percentOf(orNull(matches[row] ?? Number.NaN), orNull(close)))
        : close > 0
          ? (open / close - 1) * 100
          : Number.NaN;
    }
  }

  private dayRanges(out: Float64Array, from: number, until: number): void {
    const [lasts, highs, lows] = [this.of('last', until), this.of('high', until), this.of('low', until)];
    for (let row = from; row < until; row += 1) {
      const [last = 0, high = 0, low = 0] = [lasts[row], highs[row], lows[row]];
      out[row] = high > low ? ((last - low) / (high - low)) * 100 : Number.NaN;
    }
  }
}

const isAny = (one: number, other: number): number => Number(one > 0 || other > 0);

/** The last known value. */
function carry(column: Float64Array, out: Float64Array, from: number, until: number): void {
  let known = out[from - 1] ?? Number.NaN;
  for (let row = from; row < until; row += 1) {
    const value = column[row] ?? Number.NaN;
    if (value === value) known = value;
    out[row] = known;
  }
}

/** The first known value. */
function first(column: Float64Array, out: Float64Array, from: number, until: number): void {
  let known = out[from - 1] ?? Number.NaN;
  for (let row = from; row < until; row += 1) {
    if (known !== known) known = column[row] ?? Number.NaN;
    out[row] = known;
  }
}

/** The highest (1) or lowest (−1) value so far. */
function running(
  column: Float64Array,
  out: Float64Array,
  { from, until, side }: { from: number; until: number; side: 1 | -1 },
): void {
  let known = out[from - 1] ?? Number.NaN;
  for (let row = from; row < until; row += 1) {
    const value = column[row] ?? Number.NaN;
    if (value === value && !((known - value) * side >= 0)) known = value;
    out[row] = known;
  }
}
