import { readLine } from '#lib/read.ts';
import { failed, ok, type Result } from '#lib/result.ts';
import { phaseAt, sessionAt, statusFor } from '#market/rules/sessionClock.ts';
import type { SecurityType, StockStatus, StockUpdate } from '#market/rules/stock.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import type { ExtraColumn, ScreenerColumn } from './columns.ts';

/** A cell of the wrong type. Null is allowed, because any number may be missing. */
const WRONG = Symbol('wrong cell');

/** A number or null; JSON can contain an infinity as 1e999. */
function numberCell(value: unknown): number | null | typeof WRONG {
  if (value === null || value === undefined) return null;
  return typeof value === 'number' && Number.isFinite(value) ? value : WRONG;
}

function looseNumber(value: unknown): number | null {
  const cell = numberCell(value);
  return cell === WRONG ? null : cell;
}

/**
 * Like looseNumber, without the platform's rounding errors: an average of 152.255 is sent as
 * 152.25499999999997, which would round to the wrong side.
 */
function computedCell(value: unknown): number | null {
  const cell = looseNumber(value);
  return cell === null ? null : Number(cell.toPrecision(10));
}

const textCell = (value: unknown, limit = 120): string | null => readLine(value, limit);

const setCell = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

/** Epoch ms from unix seconds. Null if missing or before 1990. */
function timeCell(value: unknown): number | null {
  const cell = looseNumber(value);
  if (cell === null) return null;
  const time = cell > 1e11 ? cell : cell * 1000;
  return time >= Date.UTC(1990, 0, 1) && time < Date.UTC(2200, 0, 1) ? time : null;
}

/** How to interpret the daily columns at a moment. */
export type SessionView = {
  now: number;
  session: string;
  status: StockStatus;
  /** Whether a row without a date counts as this session's. */
  undatedIsSessions: boolean;
};

/** The delay of public data: a session's trading appears this long after its open. */
const PUBLIC_DELAY_MS = 20 * 60_000;

/**
 * Until a session opens, the daily columns hold the one before. The bar time of each row decides: only a bar
 * of the session's Sydney date belongs to it. For rows without a time the exchange's phase twenty minutes ago
 * decides.
 * @param now epoch ms
 */
export function sessionViewAt(now: number): SessionView {
  const session = sessionAt(now);
  const behind = now - PUBLIC_DELAY_MS;
  const { phase } = phaseAt(behind);
  const isBeforeOpen = behind < session.since || phase === 'pre-open' || phase === 'ospa';
  const status = statusFor(phaseAt(now).phase);
  return { now, session: session.date, status, undatedIsSessions: !isBeforeOpen };
}

/** The finest price is half of a 0.001 step (a Centre Point trade between two steps). */
const roundPrice = (price: number): number => Math.round(price * 10_000) / 10_000;

/**
 * The previous close implied by a last price and its changes: last − change, checked against last ÷ (1 +
 * percent ÷ 100).
 * @param last AUD
 * @param changeAbs AUD, null if unknown
 * @param changePercent percent, null if unknown
 * @returns AUD rounded to 4 decimals; null if both changes are unknown or contradict, or the result is not a
 * price
 */
export function previousCloseOf(
  last: number,
  changeAbs: number | null,
  changePercent: number | null,
): number | null {
  const byAmount = changeAbs === null ? null : last - changeAbs;
  const byPercent = changePercent === null || changePercent <= -100 ? null : last / (1 + changePercent / 100);
  if (byAmount !== null && byPercent !== null) {
    // A tenth of the smallest price step, or a thousandth of the price because percents are coarse.
    const tolerance = Math.max(0.0001, Math.abs(byAmount) * 0.001);
    if (Math.abs(byAmount - byPercent) > tolerance) return null;
  }
  const close = byAmount ?? byPercent;
  if (close === null || !Number.isFinite(close)) return null;
  const rounded = roundPrice(close);
  return rounded > 0 ? rounded : null;
}

/**
 * Depositary receipts are CDIs. Property trusts, listed under funds, count as stocks; ETFs, listed investment
 * companies and mutual funds are funds.
 * @param type the platform's `type`: stock, fund, dr, structured
 * @param typespecs its `typespecs`: common, etf, reit, closedend, mutual …
 */
export function securityTypeOf(type: string | null, typespecs: readonly string[]): SecurityType {
  if (type === 'stock') return 'stock';
  if (type === 'dr') return 'cdi';
  if (type === 'fund') return typespecs.includes('reit') ? 'stock' : 'fund';
  return 'other';
}

export type CellReader = (column: string) => unknown;

export type RowResult =
  | { kind: 'update'; update: StockUpdate }
  | { kind: 'refused'; code: string; reason: string };

type Prices = Record<'close' | 'open' | 'high' | 'low' | 'volume', number | null>;

const read = (cell: CellReader, column: ScreenerColumn): unknown => cell(column);

function pricesOf(cell: CellReader): Result<Prices, string> {
  const prices: Prices = { close: null, open: null, high: null, low: null, volume: null };
  for (const column of ['close', 'open', 'high', 'low', 'volume'] as const) {
    const value = numberCell(read(cell, column));
    if (value === WRONG) return failed(`${column} is not a number`);
    prices[column] = value;
  }
  return prices.close !== null && prices.close <= 0 ? failed(`close is ${prices.close}`) : ok(prices);
}

/** A bar date in the future comes from a wrong clock and is ignored. */
function isOfSession(cell: CellReader, view: SessionView): boolean {
  const barTime = timeCell(read(cell, 'time')) ?? timeCell(read(cell, 'last_bar_update_time'));
  const date = barTime === null ? null : sydneyDate(barTime);
  return date === null || date > view.session ? view.undatedIsSessions : date === view.session;
}

/** The session's VWAP. Null outside of the day's range, because the value then belongs to another session. */
function vwapOf(cell: CellReader, { high, low }: Prices): number | null {
  const vwap = looseNumber(read(cell, 'VWAP|1')) ?? looseNumber(read(cell, 'VWAP|5'));
  if (vwap === null || high === null || low === null) return vwap;
  return vwap >= low * 0.999 && vwap <= high * 1.001 ? vwap : null;
}

function valueOf(cell: CellReader, { volume, close }: Prices): number | null {
  const stated = looseNumber(read(cell, 'Value.Traded'));
  if (stated !== null) return stated;
  return volume === null || close === null ? null : Math.round(volume * close * 100) / 100;
}

/** The range of 52 weeks; null if both prices are missing, as for a new listing. */
function yearRangeOf(cell: CellReader): NonNullable<StockUpdate['yearRange']> | null {
  const high = looseNumber(read(cell, 'price_52_week_high'));
  const low = looseNumber(read(cell, 'price_52_week_low'));
  return high === null && low === null ? null : { high, low };
}

type Trading = Pick<
  StockUpdate,
  'open' | 'high' | 'low' | 'close' | 'last' | 'vwap' | 'volume' | 'value' | 'relativeVolume'
>;

const sessionsTrading = (cell: CellReader, prices: Prices): Trading => ({
  open: prices.open,
  high: prices.high,
  low: prices.low,
  close:
    prices.close === null
      ? null
      : previousCloseOf(
          prices.close,
          looseNumber(read(cell, 'change_abs')),
          looseNumber(read(cell, 'change')),
        ),
  last: prices.close,
  vwap: vwapOf(cell, prices),
  volume: prices.volume,
  value: valueOf(cell, prices),
  relativeVolume:
    looseNumber(read(cell, 'relative_volume_intraday|5')) ??
    looseNumber(read(cell, 'relative_volume_10d_calc')),
});

/** The columns hold an earlier session, whose close is the previous close. */
const earlierTrading = (prices: Prices): Trading => ({
  open: null,
  high: null,
  low: null,
  close: prices.close,
  last: null,
  vwap: null,
  volume: null,
  value: null,
  relativeVolume: null,
});

function indicatorsOf(
  cell: CellReader,
  extra: readonly ExtraColumn[],
): NonNullable<StockUpdate['indicators']> {
  const indicators: NonNullable<StockUpdate['indicators']> = {};
  for (const { column, tf, key, valueKey, into } of extra) {
    if (into === 'htf') continue;
    const byKey = (indicators[tf] ??= {});
    (byKey[key] ??= {})[valueKey] = computedCell(cell(column));
  }
  return indicators;
}

function htfOf(cell: CellReader, extra: readonly ExtraColumn[]): NonNullable<StockUpdate['htf']> {
  const htf: NonNullable<StockUpdate['htf']> = {};
  for (const { column, tf, key, into } of extra) {
    if (into === 'htf') (htf[tf] ??= {})[key] = computedCell(cell(column));
  }
  return htf;
}

/**
 * Converts a listing's cells into an update.
 * @param code upper-case exchange code
 * @param cell the row's cells
 * @param view how to interpret the daily columns
 * @param extra requested indicator columns
 * @returns the update, with null for unknown fields so that no old value stays; refused if a price or the
 * volume is invalid, because a wrong cell must not clear a right price
 */
export function readRow(
  code: string,
  cell: CellReader,
  view: SessionView,
  extra: readonly ExtraColumn[],
): RowResult {
  const checked = pricesOf(cell);
  if (!checked.ok) return { kind: 'refused', code, reason: checked.error };
  const prices = checked.value;
  const quoteTime = timeCell(read(cell, 'last_bar_update_time')) ?? timeCell(read(cell, 'time|1'));
  const update: StockUpdate = {
    code,
    name: textCell(read(cell, 'description')) ?? code,
    status: view.status,
    securityType: securityTypeOf(textCell(read(cell, 'type')), setCell(read(cell, 'typespecs'))),
    sector: textCell(read(cell, 'sector')),
    yearRange: yearRangeOf(cell),
    marketCap: looseNumber(read(cell, 'market_cap_basic')),
    ...(isOfSession(cell, view) ? sessionsTrading(cell, prices) : earlierTrading(prices)),
    ...(extra.length === 0 ? {} : { indicators: indicatorsOf(cell, extra), htf: htfOf(cell, extra) }),
    ...(quoteTime === null ? {} : { quoteTime }),
  };
  return { kind: 'update', update };
}

export type Evidence = {
  modes: ReadonlyMap<string, number>;
  /** Newest last_bar_update_time, epoch ms. */
  newestUpdate: number | null;
  /** Opening of the newest one-minute bar, epoch ms. */
  newestMinute: number | null;
};

/** Tolerated lead of the provider's clock; later times are ignored. */
const CLOCK_SKEW_MS = 60_000;

const newer = (a: number | null, b: number | null, limit: number): number | null =>
  b === null || b > limit ? a : Math.max(a ?? b, b);

export function createEvidence(now: number): { add(cell: CellReader): void; result(): Evidence } {
  const limit = now + CLOCK_SKEW_MS;
  const modes = new Map<string, number>();
  let newestUpdate: number | null = null;
  let newestMinute: number | null = null;
  return {
    add(cell) {
      const mode = textCell(cell('update_mode'));
      if (mode !== null) modes.set(mode, (modes.get(mode) ?? 0) + 1);
      newestUpdate = newer(newestUpdate, timeCell(cell('last_bar_update_time')), limit);
      newestMinute = newer(newestMinute, timeCell(cell('time|1')), limit);
    },
    result: () => ({ modes, newestUpdate, newestMinute }),
  };
}
