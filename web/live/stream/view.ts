import type { Stock } from '#market/rules/stock.ts';
import type { StockPatch } from '#market/rules/stream.ts';
import { belongsTo } from '#market/scanners/rules/membership.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import type { MarketDelta, MarketState, ToWindow, Watch } from './protocol.ts';

export type Port = (message: ToWindow) => void;

export const EVERYTHING: Watch = { all: true, codes: [], scanners: [] };

/** Minimum time that an unwatched stock is kept, ms: stocks often return, and rows may be held. */
export const KEPT_MS = 60_000;

export const NO_FX: MarketDelta['fx'] = { upsert: {}, delete: [], lastUpdated: null };

/** One window's part of the market. */
export type View = {
  receive(message: ToWindow): void;
  watch(watch: Watch, version: number): void;
};

type ViewState = {
  readonly port: Port;
  readonly market: () => MarketState | null;
  watch: Watch;
  codes: ReadonlySet<string>;
  /** Version of the window's watch; undefined if it never sent one. */
  version: number | undefined;
  /** Codes of the window's stocks; null before its first state. */
  sent: Set<string> | null;
  /** Codes that were unwatched at the last check. */
  idle: ReadonlySet<string>;
  idleCheckedAt: number;
};

export function createView(port: Port, market: () => MarketState | null): View {
  const view: ViewState = {
    port,
    market,
    watch: EVERYTHING,
    codes: new Set(),
    version: undefined,
    sent: null,
    idle: new Set(),
    idleCheckedAt: 0,
  };
  return {
    receive: (message) => {
      if (message.type === 'state') sendState(view, message);
      else if (message.type === 'delta') sendDelta(view, message);
      else port(message);
    },
    watch: (watch, version) => {
      view.watch = watch;
      view.codes = new Set(watch.codes);
      view.version = version;
      if (view.sent) catchUp(view);
    },
  };
}

/** Whether a stock is in a scanner's first table, or in its snapshot table. */
const isListed = (key: ScannerKey, stock: Stock, ignoreStatus: boolean): boolean =>
  belongsTo(key, stock, ignoreStatus) || (key === 'preMarket' && stock.preOpen !== undefined);

const isWhole = ({ watch }: ViewState): boolean => watch.all || watch.scanners.includes('custom');

const isWatched = ({ watch, codes }: ViewState, stock: Stock, { meta }: MarketState): boolean =>
  watch.all ||
  codes.has(stock.code) ||
  watch.scanners.some((key) => isListed(key, stock, meta.flags.ignoreStatus));

const versionOf = ({ version }: ViewState) => (version === undefined ? {} : { version });

function sendState(view: ViewState, message: Extract<ToWindow, { type: 'state' }>): void {
  const { state } = message;
  const stocks = isWhole(view)
    ? state.stocks
    : new Map([...state.stocks].filter(([, stock]) => isWatched(view, stock, state)));
  view.sent = new Set(stocks.keys());
  view.idle = new Set();
  view.idleCheckedAt = state.receivedAt;
  view.port({ ...message, state: { ...state, stocks, ...versionOf(view) } });
}

function sendDelta(view: ViewState, message: Extract<ToWindow, { type: 'delta' }>): void {
  const state = view.market();
  if (!view.sent || !state) return;
  const { delta, whole = [], receivedAt } = message;
  if (isWhole(view)) {
    for (const code of Object.keys(delta.stocks.upsert)) view.sent.add(code);
    for (const { code } of whole) view.sent.add(code);
    for (const code of delta.stocks.delete) view.sent.delete(code);
    return view.port(message);
  }
  // If flags change, membership of scanners changes.
  if (delta.meta.flags) catchUp(view);
  const narrowed = narrow(view, view.sent, delta.stocks, state);
  const taken = whole.filter((stock) => view.sent?.has(stock.code) || isWatched(view, stock, state));
  for (const { code } of taken) view.sent.add(code);
  const dropped = dropIdle(view, view.sent, state, receivedAt);
  view.port({
    ...message,
    delta: { ...delta, stocks: { ...narrowed.stocks, delete: [...narrowed.stocks.delete, ...dropped] } },
    whole: [...narrowed.newcomers, ...taken],
  });
}

type Narrowed = {
  stocks: MarketDelta['stocks'];
  newcomers: Stock[];
};

function narrow(
  view: ViewState,
  sent: Set<string>,
  stocks: MarketDelta['stocks'],
  state: MarketState,
): Narrowed {
  const upsert: Record<string, StockPatch> = {};
  const newcomers: Stock[] = [];
  for (const [code, patch] of Object.entries(stocks.upsert)) {
    if (sent.has(code)) {
      upsert[code] = patch;
      continue;
    }
    const stock = state.stocks.get(code);
    if (!stock || !isWatched(view, stock, state)) continue;
    sent.add(code);
    newcomers.push(stock);
  }
  return { stocks: { upsert, delete: stocks.delete.filter((code) => sent.delete(code)) }, newcomers };
}

/** Removes stocks that the window has not watched for a while. */
function dropIdle(view: ViewState, sent: Set<string>, state: MarketState, now: number): string[] {
  if (now - view.idleCheckedAt < KEPT_MS && now >= view.idleCheckedAt) return [];
  const idle = [...sent].filter((code) => {
    const stock = state.stocks.get(code);
    return stock === undefined || !isWatched(view, stock, state);
  });
  const dropped = idle.filter((code) => view.idle.has(code));
  for (const code of dropped) sent.delete(code);
  view.idle = new Set(idle);
  view.idleCheckedAt = now;
  return dropped;
}

function catchUp(view: ViewState): void {
  const state = view.market();
  if (!state || !view.sent) return;
  const { sent } = view;
  const watched = [...state.stocks.values()].filter((stock) => isWatched(view, stock, state));
  view.sent = new Set(watched.map(({ code }) => code));
  const gone = [...sent].filter((code) => !view.sent?.has(code));
  view.port({
    type: 'delta',
    delta: { stocks: { upsert: {}, delete: gone }, meta: {}, fx: NO_FX },
    whole: watched.filter(({ code }) => !sent.has(code)),
    receivedAt: state.receivedAt,
    changedAt: state.changedAt,
    ...versionOf(view),
  });
}
