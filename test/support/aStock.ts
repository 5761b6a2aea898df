import { emptyStock, type Stock } from '#market/rules/stock.ts';

/** A small trading stock that belongs to the scanner under $1, changed as the test needs. */
export const aStock = (change: Partial<Stock> = {}): Stock => ({
  ...emptyStock(change.code ?? 'ABC'),
  name: `${change.code ?? 'ABC'} Limited`,
  status: 'Open',
  open: 0.5,
  high: 0.56,
  low: 0.49,
  close: 0.5,
  last: 0.55,
  change: 0.05,
  change_percent: 10,
  vwap: 0.52,
  volume: 1_000_000,
  value: 520_000,
  marketCap: 50_000_000,
  relativeVolume: 1.5,
  ...change,
});

/** A stock in the pre-open with a positive gap. */
export const aPreOpenStock = (change: Partial<Stock> = {}): Stock =>
  aStock({
    status: 'Pre Open',
    open: null,
    last: null,
    change: null,
    change_percent: null,
    vwap: null,
    match_price: 0.54,
    match_vol: 100_000,
    match_value: 54_000,
    indicativeChangePercent: 8,
    buy_surplus: 1200,
    ...change,
  });
