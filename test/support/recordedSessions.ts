import { averageOnWire } from '#market/derive.ts';
import { STOCK_STATUSES, type StockStatus } from '#market/rules/stock.ts';
import {
  SESSION_COLUMNS,
  type SessionColumn,
  type SessionFacts,
  type SessionGap,
  type SessionReader,
  type StockSession,
} from '#market/sessions/rules/sessionDay.ts';

/**
 * A recorded minute. `trades` are open, high, low and last, or one price. Members that are not given stay as in the
 * minute before, except for those of an auction.
 */
export type RecordedMinute = {
  minute: number;
  trades?: number | readonly [open: number, high: number, low: number, last: number];
  volume?: number;
  value?: number;
  relativeVolume?: number;
  marketCap?: number;
  matchPrice?: number;
  matchVolume?: number;
  surplus?: number;
  status?: StockStatus;
  sensitive?: number;
  news?: number;
  /** By default the value over the volume. */
  vwap?: number;
};

export type RecordedStockDay = {
  code: string;
  minutes: readonly RecordedMinute[];
} & Partial<Pick<SessionFacts, 'isFund' | 'sector' | 'close' | 'yearHigh' | 'yearLow' | 'opening'>>;

export type RecordedDay = {
  date: string;
  stocks: readonly RecordedStockDay[];
  gaps?: readonly SessionGap[];
  isComplete?: boolean;
};

type Row = { minute: number } & Record<SessionColumn, number>;

function rowsOf(minutes: readonly RecordedMinute[]): Row[] {
  let before: Partial<Row> = {};
  return minutes.map(({ minute, trades, status, ...given }) => {
    const [open = Number.NaN, high = open, low = open, last = open] =
      typeof trades === 'number' ? [trades] : (trades ?? []);
    const volume = given.volume ?? before.volume ?? Number.NaN;
    const value = given.value ?? before.value ?? Number.NaN;
    const row: Row = {
      minute,
      open,
      high,
      low,
      last,
      volume,
      value,
      relativeVolume: given.relativeVolume ?? before.relativeVolume ?? Number.NaN,
      marketCap: given.marketCap ?? before.marketCap ?? Number.NaN,
      matchPrice: given.matchPrice ?? Number.NaN,
      matchVolume: given.matchVolume ?? Number.NaN,
      surplus: given.surplus ?? Number.NaN,
      status:
        status === undefined
          ? (before.status ?? STOCK_STATUSES.indexOf('Open'))
          : STOCK_STATUSES.indexOf(status),
      sensitive: given.sensitive ?? before.sensitive ?? 0,
      news: given.news ?? before.news ?? 0,
      vwap: given.vwap ?? (volume > 0 ? averageOnWire(value / volume) : Number.NaN),
    };
    before = row;
    return row;
  });
}

function sessionOf({ minutes, ...facts }: RecordedStockDay): StockSession {
  const rows = rowsOf(minutes);
  const traded = rows.filter(({ open }) => !Number.isNaN(open));
  const columns = new Map(SESSION_COLUMNS.map((name) => [name, Float64Array.from(rows, (row) => row[name])]));
  const extreme = (of: (...prices: number[]) => number, name: 'high' | 'low'): number =>
    traded.length === 0 ? Number.NaN : of(...traded.map((row) => row[name]));
  return {
    isFund: false,
    sector: null,
    close: Number.NaN,
    yearHigh: Number.NaN,
    yearLow: Number.NaN,
    opening: null,
    ...facts,
    dayHigh: extreme(Math.max, 'high'),
    dayLow: extreme(Math.min, 'low'),
    dayOpen: traded[0]?.open ?? Number.NaN,
    dayVolume: traded.length === 0 ? Number.NaN : (rows.at(-1)?.volume ?? Number.NaN),
    dayValue: traded.length === 0 ? Number.NaN : (rows.at(-1)?.value ?? Number.NaN),
    rows: rows.length,
    minutes: Uint16Array.from(rows, ({ minute }) => minute),
    cutAfter(minute) {
      this.rows = rows.filter((row) => row.minute <= minute).length;
    },
    column(name) {
      const column = columns.get(name);
      if (!column) throw new RangeError(`There is no column ${name}.`);
      return column;
    },
  };
}

/** Sessions from plain rows, as the stored ones are read. */
export function recordedSession({ date, stocks, gaps = [], isComplete = true }: RecordedDay): SessionReader {
  return {
    date,
    source: 'simulator',
    gaps,
    isComplete,
    *stocks() {
      for (const stock of stocks) yield sessionOf(stock);
    },
  };
}
