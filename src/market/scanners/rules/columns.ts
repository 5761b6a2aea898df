import { pips } from '#market/rules/priceStep.ts';
import type { ScannerKey } from './scanners.ts';
import type { Stock } from '#market/rules/stock.ts';

export type ColumnKind =
  | 'name'
  | 'text'
  | 'price'
  | 'percent'
  | 'pips'
  | 'volume'
  | 'money'
  | 'ratio'
  | 'indicator';

/** 'sign' by its own direction, 'vwap' by the last price against it (above: up), 'plain' uncoloured. */
export type ColourRule = 'sign' | 'vwap' | 'plain';

export type ColumnValue = number | string | null;

export type Column = {
  id: string;
  label: string;
  kind: ColumnKind;
  decimals: number;
  isFinerUnderOne?: boolean;
  numeric: boolean;
  colour: ColourRule;
  flashes: boolean;
  isShort?: boolean;
  width?: number;
  value(stock: Stock): ColumnValue;
};

export type BaseColumn = Column & {
  enabled: boolean;
  mandatory: boolean;
};

export const DECIMALS: Readonly<Record<ColumnKind, number>> = {
  name: 0,
  text: 0,
  price: 3,
  percent: 1,
  pips: 0,
  volume: 0,
  money: 0,
  ratio: 2,
  indicator: 2,
};

/** Auction figures, which go up and down with the orders. */
const AUCTION_COLUMNS: ReadonlySet<string> = new Set(['match_vol', 'match_value', 'buy_surplus']);

/**
 * Columns that flash on a change: prices, percents, pips and auction figures. Volume and value only rise,
 * relative volume follows the clock, and market cap follows the price, so they do not flash.
 */
const flashes = (id: string, kind: ColumnKind): boolean =>
  kind === 'price' || kind === 'percent' || kind === 'pips' || AUCTION_COLUMNS.has(id);

const column = (
  id: string,
  label: string,
  kind: ColumnKind,
  value: Column['value'],
  colour: ColourRule = 'plain',
): Column => ({
  id,
  label,
  kind,
  decimals: DECIMALS[kind],
  numeric: kind !== 'name' && kind !== 'text',
  colour,
  flashes: flashes(id, kind),
  value,
});

const NAME = column('name', 'Name', 'name', (stock) => stock.code);
const LAST = column('last', 'Last', 'price', (stock) => stock.last);
export const CHANGE_PERCENT = column(
  'change_percent',
  'Change',
  'percent',
  (stock) => stock.change_percent,
  'sign',
);
export const GAP_PERCENT = column(
  'indicativeChangePercent',
  'Gap %',
  'percent',
  (stock) => stock.indicativeChangePercent,
  'sign',
);
const PREVIOUS_CLOSE = column('close', 'P. Close', 'price', (stock) => stock.close);
export const RELATIVE_VOLUME = column('relativeVolume', 'Rel Vol', 'ratio', (stock) => stock.relativeVolume);
const MARKET_CAP = column('marketCap', 'Market Cap', 'money', (stock) => stock.marketCap);
/** Drawn as a line of the day; sorted by the size of the move. */
export const DAY_COLUMN: Column = {
  ...column('day', 'Day', 'percent', (stock) => stock.change_percent),
  flashes: false,
};
const ofYear = (range: number | undefined | null, today: number | null, furthest: typeof Math.max) =>
  range === undefined || range === null ? null : today === null ? range : furthest(range, today);

const SOURCES_OWN: readonly Column[] = [
  column('sector', 'Sector', 'text', (stock) => stock.sector),
  column('high52w', '52w High', 'price', ({ yearRange, htf, high }) =>
    ofYear(yearRange?.high ?? htf?.['52W']?.['highWithLast'], high, Math.max),
  ),
  column('low52w', '52w Low', 'price', ({ yearRange, htf, low }) =>
    ofYear(yearRange?.low ?? htf?.['52W']?.['lowWithLast'], low, Math.min),
  ),
  column('indicativeClose', 'Ind. Close', 'price', (stock) =>
    stock.status === 'CSPA' ? stock.match_price : null,
  ),
];
const PIPS = column('pips', 'Pips', 'pips', (stock) => pips(stock.close, stock.last), 'sign');

export const FIELD_COLUMNS: readonly Column[] = [
  LAST,
  PREVIOUS_CLOSE,
  column('open', 'Open', 'price', (stock) => stock.open),
  column('high', 'High', 'price', (stock) => stock.high),
  column('low', 'Low', 'price', (stock) => stock.low),
  column('volume', 'Volume', 'volume', (stock) => stock.volume),
  column('value', 'Value', 'money', (stock) => stock.value),
  PIPS,
  column('match_price', 'Match', 'price', (stock) => stock.match_price),
  column('match_vol', 'Match Volume', 'volume', (stock) => stock.match_vol),
];

const on = (entry: Column): BaseColumn => ({ ...entry, enabled: true, mandatory: false });
const off = (entry: Column): BaseColumn => ({ ...entry, enabled: false, mandatory: false });
const always = (entry: Column): BaseColumn => ({ ...entry, enabled: true, mandatory: true });

const matchValue = (stock: Stock): number | null =>
  stock.match_value ??
  (stock.match_vol !== null && stock.match_price !== null ? stock.match_vol * stock.match_price : null);

const PRE_MARKET: readonly BaseColumn[] = [
  always(NAME),
  on(GAP_PERCENT),
  always(column('match_price', 'Match', 'price', (stock) => stock.match_price)),
  on(PREVIOUS_CLOSE),
  on(column('match_vol', 'Match Volume', 'volume', (stock) => stock.match_vol)),
  on(column('match_value', 'Match Value', 'money', matchValue)),
  on(RELATIVE_VOLUME),
  off(MARKET_CAP),
  on(column('buy_surplus', 'Buy Surplus Vol', 'volume', (stock) => stock.buy_surplus, 'sign')),
];

const intraday = (pipsColumn: BaseColumn, marketCap: BaseColumn): readonly BaseColumn[] => [
  always(NAME),
  on(CHANGE_PERCENT),
  always(LAST),
  pipsColumn,
  on(column('vwap', 'VWAP', 'price', (stock) => stock.vwap, 'vwap')),
  on(PREVIOUS_CLOSE),
  on(column('open', 'Open', 'price', (stock) => stock.open)),
  on(column('high', 'High', 'price', (stock) => stock.high)),
  on(column('low', 'Low', 'price', (stock) => stock.low)),
  on(column('value', '$ Traded', 'money', (stock) => stock.value)),
  marketCap,
  on(RELATIVE_VOLUME),
];

const INTRADAY = intraday(on(PIPS), off(MARKET_CAP));

export const BASE_COLUMNS: Readonly<Record<ScannerKey, readonly BaseColumn[]>> = {
  preMarket: PRE_MARKET,
  intraDaySmall: INTRADAY,
  intraDayMidLarge: INTRADAY,
  intraDayLargeCap: intraday(off(PIPS), on(MARKET_CAP)),
  custom: [
    always(NAME),
    always({ ...LAST, label: 'Price' }),
    on(column('volume', 'Volume', 'volume', (stock) => stock.volume)),
    on(column('value', 'Value', 'money', (stock) => stock.value)),
  ],
};

/**
 * Last price against the match price of the opening auction, percent: above 0 the gap continued, below it
 * closed at least in part. Null during the pre-open.
 */
function sinceMatch({ last, preOpen }: Stock): number | null {
  const match = preOpen?.snapshot.match_price ?? null;
  return last !== null && match !== null && match > 0 ? (last / match - 1) * 100 : null;
}

const FURTHER: Partial<Record<ScannerKey, readonly BaseColumn[]>> = {
  preMarket: [
    off(LAST),
    off(CHANGE_PERCENT),
    off(column('sinceMatch', 'Since Match', 'percent', sinceMatch, 'sign')),
    off(DAY_COLUMN),
    ...SOURCES_OWN.map(off),
  ],
};

const DAY: readonly BaseColumn[] = [off(DAY_COLUMN), ...SOURCES_OWN.map(off)];

/** Columns outside of the specification's list, off by default. */
export const furtherColumns = (scanner: ScannerKey): readonly BaseColumn[] => FURTHER[scanner] ?? DAY;

/** The columns of all tables, and the field catalogue, without the name. Every table can show each of them. */
export const ALL_COLUMNS: readonly Column[] = [
  ...new Map(
    [...INTRADAY, ...PRE_MARKET, ...furtherColumns('preMarket'), ...FIELD_COLUMNS].map((one) => [
      one.id,
      one,
    ]),
  ).values(),
].filter(({ id }) => id !== NAME.id);

const ENABLED: Readonly<Record<ScannerKey, readonly Column[]>> = {
  preMarket: PRE_MARKET.filter((entry) => entry.enabled),
  intraDaySmall: INTRADAY.filter((entry) => entry.enabled),
  intraDayMidLarge: INTRADAY.filter((entry) => entry.enabled),
  intraDayLargeCap: BASE_COLUMNS.intraDayLargeCap.filter((entry) => entry.enabled),
  custom: BASE_COLUMNS.custom.filter((entry) => entry.enabled),
};

export const isTextColumn = (id: string): boolean => id === NAME.id || id === 'sector';

export const defaultColumns = (scanner: ScannerKey): readonly Column[] => ENABLED[scanner];

export type Tone = 'up' | 'down' | 'flat' | null;

export function toneOf(entry: Column, stock: Stock): Tone {
  if (entry.colour === 'plain') return null;
  const value = entry.value(stock);
  if (typeof value !== 'number') return null;
  const direction = entry.colour === 'vwap' ? againstVwap(stock.last, value) : value;
  if (direction === null) return null;
  if (Math.abs(direction) * 10 ** entry.decimals < 0.5) return 'flat';
  return direction > 0 ? 'up' : 'down';
}

const againstVwap = (last: number | null, vwap: number): number | null =>
  last === null ? null : Math.round((last - vwap) * 1e6) / 1e6;
