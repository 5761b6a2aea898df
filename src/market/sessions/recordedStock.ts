import { derive } from '../derive.ts';
import { emptyStock, type NewsDay, type Stock, STOCK_STATUSES } from '../rules/stock.ts';
import type { ScannerKey } from '../scanners/rules/scanners.ts';
import type { StockSession } from './rules/sessionDay.ts';
import type { RecordKey, SessionSeries } from './series.ts';

const MOVERS: readonly RecordKey[] = ['open', 'value', 'vwap', 'marketCap', 'match_price', 'match_vol'];

/** What membership in a scanner reads, in addition to the last price and the status. */
export const KEYS_OF_SCANNER: Readonly<Record<ScannerKey, readonly RecordKey[]>> = {
  preMarket: ['match_price', 'match_vol', 'marketCap'],
  intraDaySmall: MOVERS,
  intraDayMidLarge: MOVERS,
  intraDayLargeCap: MOVERS,
  custom: ['value', 'match_price', 'match_vol'],
};

const A_HEADLINE: NewsDay = {
  headline: 'An announcement',
  summary: null,
  summary_generated_at: null,
  alerted: false,
  announcements: {},
};
const NO_NEWS: NonNullable<Stock['news']> = {};

/** The record of one stock as the server had it at the end of a recorded minute. The object is reused. */
export class RecordedStock {
  readonly stock: Stock = emptyStock('');
  private news: NonNullable<Stock['news']> = NO_NEWS;

  constructor(
    private readonly keys: readonly RecordKey[],
    private readonly values: SessionSeries,
  ) {}

  beginSession(date: string): void {
    this.news = { [date]: A_HEADLINE };
  }

  begin({ code, isFund, sector, close, yearHigh, yearLow }: StockSession, name: string): void {
    const { stock } = this;
    stock.code = code;
    stock.name = name;
    stock.securityType = isFund ? 'fund' : 'stock';
    stock.sector = sector;
    stock.close = orNull(close);
    stock.yearRange = { high: orNull(yearHigh), low: orNull(yearLow) };
  }

  moveTo(row: number): void {
    for (const key of this.keys) this.put(key, this.values.of(key, row + 1)[row] ?? Number.NaN);
    // The recorded value is the source’s or was derived at that time.
    derive(this.stock, NOTHING_STATED, true);
  }

  private put(key: RecordKey, value: number): void {
    const { stock } = this;
    if (key === 'status') stock.status = STOCK_STATUSES[value] ?? 'Adjust';
    else if (key === 'sensitive') stock.sensitiveAnnouncements = orNull(value);
    else if (key === 'news') stock.news = value > 0 ? this.news : NO_NEWS;
    else stock[key] = orNull(value);
  }
}

const NOTHING_STATED = {};
const orNull = (value: number): number | null => (value === value ? value : null);
