import { MAX_CHANGES, MAX_STEP } from '#subjects/scanners/rules/history.ts';
import { changeOf, matchOf, percentOf } from '#market/derive.ts';
import { emptyStock, type PreOpenSnapshot, type Stock, STOCK_STATUSES } from '#market/rules/stock.ts';
import type { OpenedSession } from '#market/sessions/opened.ts';
import { type RecordKey, SESSION_SERIES, SessionSeries } from '#market/sessions/series.ts';
import type { OpeningResult, SessionGap, StockSession } from '#market/sessions/rules/sessionDay.ts';
import {
  HISTORY_FILTERS,
  type HistoryTable,
  type HistoryValues,
  historyRows,
  historyValues,
} from '#market/scanners/rules/historyTables.ts';

/**
 * Tables are read from the session history. Times are Sydney minutes of the day: the table at 630 is what was known at
 * 10:30, so its newest rows are those of 629.
 */

export type HistoryRow = { code: string; values: HistoryValues };
export type HistoryChange = { time: number; isEntered: boolean; row: HistoryRow };

type Steps<T> = Generator<undefined, T>;

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** The record of a stock at a row. Members are decoded when they are read, because most stocks are in no table. */
function recordOf(read: (key: RecordKey) => number | null): Stock {
  const stock = emptyStock('');
  const define = (name: keyof Stock, get: () => unknown) =>
    Object.defineProperty(stock, name, { get, enumerable: false });
  for (const key of SESSION_SERIES) {
    if (key !== 'status' && key !== 'sensitive' && key !== 'news') define(key, () => read(key));
  }
  const match = () => matchOf(read('match_price'), read('match_vol'), stock.close);
  define('status', () => STOCK_STATUSES[read('status') ?? Number.NaN] ?? 'Adjust');
  define('change', () => changeOf(stock.last, stock.close));
  define('change_percent', () => percentOf(stock.last, stock.close));
  define('match_value', () => match().match_value);
  define('indicativeChangePercent', () => match().indicativeChangePercent);
  return stock;
}

function snapshotOf({ price, volume, surplus }: OpeningResult, close: number | null): PreOpenSnapshot {
  const [match_price, match_vol] = [orNull(price), orNull(volume)];
  const match = matchOf(match_price, match_vol, close);
  return { capturedAt: '', match_price, match_vol, buy_surplus: orNull(surplus), ...match };
}

/** The rows of a table, stock by stock. */
class TableRows {
  private readonly series = new SessionSeries();
  private readonly stock = recordOf((key) => this.read(key));
  private values: Partial<Record<RecordKey, Float64Array>> = {};
  private opening: OpeningResult | null = null;
  private row = 0;

  constructor(
    private readonly table: HistoryTable,
    private readonly ignoreStatus: boolean,
  ) {}

  /** Begins a stock with its rows before a time. @returns false if it is not in the table until then */
  begin(session: StockSession, time: number): boolean {
    if (!this.isPossible(session)) return false;
    session.cutAfter(time - 1);
    if (session.rows === 0) return false;
    const { stock } = this;
    stock.code = session.code;
    stock.close = orNull(session.close);
    this.series.begin(session);
    this.values = {};
    this.opening = session.opening;
    if (this.table === 'preOpenSnapshot' && this.opening)
      stock.preOpen = { snapshot: snapshotOf(this.opening, stock.close) };
    return true;
  }

  isMember(row: number, time: number): boolean {
    if (this.table === 'preOpenSnapshot' && !(this.opening && this.opening.minute < time)) return false;
    this.row = row;
    return historyRows(this.table, [this.stock], this.ignoreStatus).length > 0;
  }

  rowAt(row: number): HistoryRow {
    this.row = row;
    const { stock, table } = this;
    const { code, relativeVolume, marketCap, preOpen } = stock;
    const shown =
      table === 'preOpenSnapshot' ? { ...stock, ...preOpen?.snapshot, relativeVolume, marketCap } : stock;
    return { code, values: historyValues(table, shown) };
  }

  private read(key: RecordKey): number | null {
    const values = (this.values[key] ??= this.series.of(key));
    return orNull(values[this.row] ?? Number.NaN);
  }

  /** Whether the figures of the whole day allow a stock to be in the table. */
  private isPossible({ dayOpen, dayValue, opening }: StockSession): boolean {
    // If the status is ignored, a stock in the pre-open counts by its match value.
    const isTraded = this.ignoreStatus || dayValue >= HISTORY_FILTERS.minValue;
    switch (this.table) {
      case 'preMarket':
        return true;
      case 'preOpenSnapshot':
        return opening !== null;
      case 'intraDaySmall':
        return !(dayOpen >= 1) && isTraded;
      case 'intraDayMidLarge':
        return !(dayOpen < 1) && isTraded;
      case 'intraDayLargeCap':
        return isTraded;
    }
  }
}

/** The times of a range with a table, both ends included, oldest first. */
export function timesIn(covered: readonly SessionGap[], from: number, to: number): number[] {
  return covered.flatMap((span) => {
    const [first, last] = [Math.max(from, span.from + 1), Math.min(to, span.until)];
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  });
}

/** The rows of a table at a time with a table, unordered. */
export function* rowsAt(
  session: OpenedSession,
  table: HistoryTable,
  time: number,
  ignoreStatus: boolean,
): Steps<HistoryRow[]> {
  const rows = new TableRows(table, ignoreStatus);
  const found: HistoryRow[] = [];
  for (const stock of session.stocks()) {
    if (!rows.begin(stock, time)) continue;
    if (rows.isMember(stock.rows - 1, time)) found.push(rows.rowAt(stock.rows - 1));
    yield;
  }
  return found;
}

/** Entries and exits of a stock between consecutive times, but none across a gap. */
function changesOf(rows: TableRows, stock: StockSession, times: readonly number[]): HistoryChange[] {
  const changes: HistoryChange[] = [];
  let before = { time: Number.NEGATIVE_INFINITY, row: -1, isMember: false };
  for (const time of times) {
    let { row } = before;
    while (row + 1 < stock.rows && (stock.minutes[row + 1] ?? time) < time) row += 1;
    const isMember = row === before.row ? before.isMember : rows.isMember(row, time);
    if (isMember !== before.isMember && time - before.time <= MAX_STEP)
      changes.push({
        time,
        isEntered: isMember,
        row: isMember ? rows.rowAt(row) : rows.rowAt(before.row),
      });
    before = { time, row, isMember };
  }
  return changes;
}

/** Rows that entered or left a table, newest first. @param times oldest first; the first is only compared with */
export function* changesIn(
  session: OpenedSession,
  table: HistoryTable,
  times: readonly number[],
  ignoreStatus: boolean,
): Steps<{ changes: HistoryChange[]; isCut: boolean }> {
  const rows = new TableRows(table, ignoreStatus);
  const changes: HistoryChange[] = [];
  for (const stock of session.stocks()) {
    if (!rows.begin(stock, times.at(-1) ?? 0)) continue;
    changes.push(...changesOf(rows, stock, times));
    yield;
  }
  changes.sort((a, b) => b.time - a.time || Number(b.isEntered) - Number(a.isEntered));
  return { changes: changes.slice(0, MAX_CHANGES), isCut: changes.length > MAX_CHANGES };
}
