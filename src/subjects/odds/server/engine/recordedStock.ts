import { derive } from '#market/derive.ts';
import { emptyStock, type NewsDay, type Stock, STOCK_STATUSES } from '#market/rules/stock.ts';
import type { StockSession } from '#market/sessions/rules/sessionDay.ts';
import { filtersOfScan } from '#market/scanners/rules/filters.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { type Logic, operandsOf } from '#subjects/conditions/rules/condition.ts';
import { scanRefs, type ScanOf, watchable } from '#subjects/conditions/rules/savedScan.ts';
import { scanOfField } from '#subjects/conditions/rules/scanFields.ts';
import { SESSION_SERIES, type RecordKey, type SessionSeries } from './series.ts';

const MOVERS: readonly RecordKey[] = ['open', 'value', 'vwap', 'marketCap', 'match_price', 'match_vol'];

const OF_SCANNER: Readonly<Record<ScannerKey, readonly RecordKey[]>> = {
  preMarket: ['match_price', 'match_vol', 'marketCap'],
  intraDaySmall: MOVERS,
  intraDayMidLarge: MOVERS,
  intraDayLargeCap: MOVERS,
  custom: ['value', 'match_price', 'match_vol'],
};

/** What a derived field is computed from, in addition to the last price and the previous close. */
const OF_FIELD: Readonly<Record<string, readonly RecordKey[]>> = {
  gap_percent: ['open', 'match_price'],
  day_range: ['high', 'low'],
  sensitive_today: ['sensitive'],
};

function keysOfField(key: string): readonly RecordKey[] {
  const scan = scanOfField(key);
  if (!scan) return OF_FIELD[key] ?? SESSION_SERIES.filter((one) => one === key);
  const { newsOnly, sensitiveOnly } = filtersOfScan(scan.filters ?? { minValue: 0 });
  return [
    ...OF_SCANNER[scan.scanner],
    ...(newsOnly || sensitiveOnly ? (['news', 'sensitive'] as const) : []),
  ];
}

/** The members of a stock’s record that conditions read. The last price and the status decide what is known. */
export function recordKeys(logic: Logic, scanOf: ScanOf): RecordKey[] {
  const scans = scanRefs(logic).flatMap(({ id }) => watchable(scanOf(id)) ?? []);
  const keys = new Set<RecordKey>(['last', 'status']);
  for (const operand of [logic, ...scans].flatMap(operandsOf)) {
    if (operand.type === 'field') for (const key of keysOfField(operand.key)) keys.add(key);
    // Until the first trade the 52 weeks include the last session.
    if (operand.type === 'htf') keys.add('high');
  }
  return [...keys];
}

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
