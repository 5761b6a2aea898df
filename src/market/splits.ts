import { FirstFailure } from '#lib/log.ts';
import { packJson, unpackJsonOrNull } from '#lib/pack.ts';
import type { App } from '#platform/app.ts';
import type { Db } from '#platform/db/open.ts';
import { createPhaseReader, phasesOf, type PhaseSpan, type SessionPhase } from './rules/sessionClock.ts';
import {
  adjustedPrice,
  type Adjustment,
  adjustmentFactor,
  factorSince,
  isNoAdjustment,
  isOneSession,
  type LastTrade,
  type Seen,
} from './rules/splitAdjustment.ts';
import type { Stock } from './rules/stock.ts';
import { addDays, sydneyDate } from '#lib/sydneyTime.ts';
import { previousTradingDay } from './rules/tradingDay.ts';
import type { Market } from './types.ts';

type KeptTrades = {
  seenUntil: number;
  trades: ReadonlyMap<string, KeptTrade>;
};

/** @property temporary the stock's current temporary code; null if it has none */
type KeptTrade = { last: LastTrade; isWhole: boolean; temporary: string | null };

type TradeRow = [
  code: string,
  date: string,
  price: number,
  close: number | null,
  isWhole: number,
  temporary: string | null,
];

const isTradeRow = (row: unknown): row is TradeRow =>
  Array.isArray(row) &&
  typeof row[0] === 'string' &&
  typeof row[1] === 'string' &&
  Number.isFinite(row[2]) &&
  (row[3] === null || Number.isFinite(row[3])) &&
  (row[5] === null || typeof row[5] === 'string');

function readTrades(bytes: Uint8Array): KeptTrades['trades'] {
  const rows = unpackJsonOrNull(bytes);
  const known = Array.isArray(rows) ? rows.filter(isTradeRow) : [];
  return new Map(
    known.map(([code, date, price, close, isWhole, temporary]) => [
      code,
      { last: { date, price, close }, isWhole: isWhole === 1, temporary },
    ]),
  );
}

type AdjustmentRow = Adjustment & { code: string };

class AdjustmentStore {
  private readonly list;
  private readonly put;
  private readonly drop;
  private readonly trades;
  private readonly putTrades;

  constructor(
    private readonly db: Db,
    private readonly source: string,
  ) {
    const { $client } = db;
    this.list = $client.query<AdjustmentRow, [string]>(
      'SELECT code, date, factor, at FROM price_adjustments WHERE source = ? ORDER BY date',
    );
    this.put = $client.query(
      'INSERT INTO price_adjustments (source, code, date, factor, at) VALUES (?, ?, ?, ?, ?) ' +
        'ON CONFLICT (source, code, date) DO UPDATE SET factor = excluded.factor, at = excluded.at',
    );
    this.drop = $client.query('DELETE FROM price_adjustments WHERE source = ? AND code = ? AND date = ?');
    this.trades = $client.query<{ seenUntil: number; trades: Uint8Array }, [string]>(
      'SELECT seen_until AS seenUntil, trades FROM last_trades WHERE source = ?',
    );
    this.putTrades = $client.query(
      'INSERT INTO last_trades (source, seen_until, trades) VALUES (?, ?, ?) ' +
        'ON CONFLICT (source) DO UPDATE SET seen_until = excluded.seen_until, trades = excluded.trades',
    );
  }

  inTransaction<T>(work: () => T): T {
    return this.db.transaction(work, { behavior: 'immediate' });
  }

  adjustments(): Map<string, Adjustment[]> {
    const byCode = new Map<string, Adjustment[]>();
    for (const { code, ...adjustment } of this.list.all(this.source)) {
      const known = byCode.get(code);
      if (known) known.push(adjustment);
      else byCode.set(code, [adjustment]);
    }
    return byCode;
  }

  save(code: string, { date, factor, at }: Adjustment): void {
    this.put.run(this.source, code, date, factor, at);
  }

  remove(code: string, date: string): void {
    this.drop.run(this.source, code, date);
  }

  lastTrades(): KeptTrades | null {
    const row = this.trades.get(this.source);
    return row && { seenUntil: row.seenUntil, trades: readTrades(row.trades) };
  }

  saveLastTrades({ seenUntil, trades }: KeptTrades): void {
    const rows = [...trades].map(
      ([code, { last, isWhole, temporary }]): TradeRow => [
        ...([code, last.date, last.price, last.close, isWhole ? 1 : 0, temporary] as const),
      ],
    );
    this.putTrades.run(this.source, Math.floor(seenUntil), packJson(rows));
  }
}

/** In trading hours a silence of more than this, ms, may hide trades. */
const MAX_SILENCE_MS = 5 * 60_000;
/** Between closing auction and post-close there may not be updates for this long, ms. */
const MAX_CLOSING_SILENCE_MS = 11 * 60_000;
const MAX_DAYS = 12;

/** Whether trading hours between two moments exceed a short silence. Epoch ms by the market's clock. */
function hasTradedBetween(from: number, until: number): boolean {
  if (until < from || until - from > MAX_DAYS * 86_400_000) return true;
  const last = sydneyDate(until);
  for (let date = sydneyDate(from); date <= last; date = addDays(date, 1)) {
    const spans = phasesOf(date);
    const open = spans.find(({ phase }) => phase === 'ospa')?.since ?? until;
    const close = spans.find(({ phase }) => phase === 'post-close')?.since ?? from;
    if (Math.min(until, close) - Math.max(from, open) > MAX_SILENCE_MS) return true;
  }
  return false;
}

/**
 * Counts possible losses of trades. With equal counts at two moments, every trade between them was seen.
 * Silence is measured by the stopwatch.
 */
class Gaps {
  count = 0;
  private readonly readPhase = createPhaseReader();
  private span: PhaseSpan | null = null;
  private phaseAt = Number.NEGATIVE_INFINITY;
  private date: string | null = null;
  private batchAt: number;
  private isSilent = false;

  constructor(
    private readonly app: App,
    private readonly market: Market,
  ) {
    this.batchAt = app.clock.monotonic();
  }

  batch(): void {
    this.update();
    this.batchAt = this.app.clock.monotonic();
    if (this.isSilent) this.count += 1;
    this.isSilent = false;
  }

  /** Updates the count; call it at every tick. @returns the exchange's phase */
  update(): SessionPhase {
    const { clock: stopwatch, source } = this.app;
    const span = this.readPhase(source.clock.now());
    const { phase } = span;
    const now = stopwatch.monotonic();
    const isNew = span.since !== this.span?.since;
    if (isNew && phase === 'adjust') this.isSilent ||= now - this.batchAt > MAX_CLOSING_SILENCE_MS;
    if (isNew) this.phaseAt = now;
    const silence = now - Math.max(this.batchAt, this.phaseAt);
    if (phase === 'open') this.isSilent ||= silence > MAX_SILENCE_MS;
    const date = this.market.date();
    if (this.date !== null && date !== this.date && previousTradingDay(date) !== this.date) this.count += 1;
    this.date = date;
    this.span = span;
    return phase;
  }
}

export type Adjustments = {
  of(code: string): readonly Adjustment[];
  latest(code: string): Adjustment | null;
};

const NONE: readonly Adjustment[] = [];

/** The adjustments of a source with independent days. */
export const NO_ADJUSTMENTS: Adjustments = { of: () => NONE, latest: () => null };

type Rescaling = { code: string; date: string; by: number };

type AdjustedHistory = {
  /** Called in an adjustment's transaction, to save unsaved prices before they are scaled. */
  beforeAdjustment(): void;
  adjusted(rescaling: Rescaling): void;
  /** Called in a transaction when a stock returns from a temporary code, to take over that code's days. */
  rejoined(code: string, temporary: string): void;
};

type Known = {
  last: LastTrade | null;
  /** The last trade of the last earlier session in which the stock traded. */
  before: LastTrade | null;
  gaps: number;
  temporary: string | null;
};

/** Until the closing auction, a previous close is that of the session before. */
const STATES_PREVIOUS: ReadonlySet<SessionPhase> = new Set<SessionPhase>([
  ...(['pre-open', 'ospa', 'open', 'pre-cspa', 'cspa'] as const),
]);

/** While new and old shares settle separately, the new ones trade as XXXDA instead of XXX. */
const TEMPORARY = /^([A-Z0-9]{3})D[A-F]$/;

export const canAdjust = ({ days, history, replay }: App['source']): boolean =>
  days === 'consecutive' && history?.isDeep !== true && replay === undefined;

/**
 * Detects splits and consolidations: compares the stated previous close with the last seen trade. Observes
 * the Market after the bars, so their new day has begun.
 */
export class AdjustmentWatch implements Adjustments {
  readonly name = 'adjustments';
  private readonly store: AdjustmentStore;
  private readonly gaps: Gaps;
  private readonly failure: FirstFailure;
  private readonly known = new Map<string, Known>();
  private byCode = new Map<string, Adjustment[]>();
  private savedDate = '';

  constructor(
    private readonly app: App,
    private readonly market: Market,
    private readonly history: AdjustedHistory,
  ) {
    const { db, log, source } = app;
    this.store = new AdjustmentStore(db, source.name);
    this.gaps = new Gaps(app, market);
    this.failure = new FirstFailure(log, 'Could not save a split or consolidation; trying again');
  }

  of(code: string): readonly Adjustment[] {
    return this.byCode.get(code) ?? NONE;
  }

  latest(code: string): Adjustment | null {
    return this.byCode.get(code)?.at(-1) ?? null;
  }

  restore(): void {
    this.byCode = this.store.adjustments();
    const kept = this.store.lastTrades();
    if (kept === null) return;
    const isGapless = !hasTradedBetween(kept.seenUntil, this.app.source.clock.now());
    for (const [code, { last, isWhole, temporary }] of kept.trades) {
      const price = adjustedPrice(last.price, factorSince(this.of(code), last.date));
      const gaps = isGapless && isWhole ? 0 : -1;
      this.known.set(code, { last: { ...last, price }, before: null, gaps, temporary });
    }
  }

  applied(codes: Iterable<string>): void {
    this.gaps.batch();
    const phase = this.gaps.update();
    const date = this.market.date();
    for (const code of codes) {
      const stock = this.market.get(code);
      if (stock) this.update(stock, date, phase);
    }
  }

  removed(): void {
    // A removed code may return, so its trades stay.
  }

  beforeFlush(): void {
    const phase = this.gaps.update();
    const isOver = phase === 'adjust' || phase === 'closed';
    if (!isOver || this.savedDate === this.market.date()) return;
    this.savedDate = this.market.date();
    this.save();
  }

  save(): void {
    const trades = new Map<string, KeptTrade>();
    for (const [code, { last, before, gaps, temporary }] of this.known) {
      const newest = last ?? before;
      if (newest) trades.set(code, { last: newest, isWhole: gaps === this.gaps.count, temporary });
    }
    if (trades.size === 0) return;
    try {
      this.store.saveLastTrades({ seenUntil: this.app.source.clock.now(), trades });
    } catch (error) {
      this.app.log.error('Could not save the last trades', { error });
    }
  }

  private update(stock: Stock, date: string, phase: SessionPhase): void {
    const { code } = stock;
    const known = this.knownOf(code, date);
    const base = TEMPORARY.exec(code)?.[1];
    const original = base === undefined ? undefined : this.known.get(base);
    if (base !== undefined && original) {
      rollOver(original, date);
      // A new code: its first previous close is the original's last trade, adjusted.
      if (original.temporary !== code) this.compare(base, original, stock, 'part');
      original.temporary = code;
      this.note(original, stock, date, phase);
    } else if (known.temporary !== null) {
      if (!isBack(known, stock, phase)) return;
      this.rejoin(code, known);
    }
    if (STATES_PREVIOUS.has(phase)) this.compare(code, known, stock, this.seenSince(known, date));
    this.note(known, stock, date, phase);
  }

  private knownOf(code: string, date: string): Known {
    const existing = this.known.get(code);
    if (existing) {
      rollOver(existing, date);
      return existing;
    }
    const added: Known = { last: null, before: null, gaps: -1, temporary: null };
    this.known.set(code, added);
    return added;
  }

  private seenSince({ before, gaps }: Known, date: string): Seen {
    if (gaps === this.gaps.count) return 'whole';
    return before?.date === previousTradingDay(date) ? 'part' : 'none';
  }

  private compare(code: string, known: Known, { close }: Stock, seen: Seen): void {
    const { before } = known;
    if (before === null || close === null) return;
    const factor = adjustmentFactor(before, close, seen);
    if (factor === null) return;
    try {
      const by = this.adjust(code, factor);
      known.before = { ...before, price: adjustedPrice(before.price, by) };
      this.failure.ended();
    } catch (error) {
      this.failure.failed(error, { code });
    }
  }

  /** @param factor in addition to this session's earlier ones @returns the factor applied to the past */
  private adjust(code: string, factor: number): number {
    const { store, history } = this;
    const { clock, log } = this.app;
    const date = this.market.date();
    const list = this.byCode.get(code) ?? [];
    const earlier = list.filter((one) => one.date !== date);
    const already = list.find((one) => one.date === date)?.factor ?? 1;
    const isUndone = isNoAdjustment(already * factor);
    const adjustment = { date, factor: already * factor, at: clock.now() };
    store.inTransaction(() => {
      history.beforeAdjustment();
      if (isUndone) store.remove(code, date);
      else store.save(code, adjustment);
    });
    this.byCode.set(code, isUndone ? earlier : [...earlier, adjustment]);
    const by = isUndone ? 1 / already : factor;
    log.info(isUndone ? 'Undid a split or consolidation' : 'Detected a split or consolidation', {
      code,
      factor: adjustment.factor,
    });
    history.adjusted({ code, date, by });
    return by;
  }

  private rejoin(code: string, known: Known): void {
    const { temporary } = known;
    if (temporary === null) return;
    this.store.inTransaction(() => this.history.rejoined(code, temporary));
    known.temporary = null;
    known.before = null;
  }

  private note(known: Known, { last, close }: Stock, date: string, phase: SessionPhase): void {
    // Before trading a stock may still show the previous session.
    if (last === null || phase === 'pre-open') return;
    known.last = { date, price: last, close };
    known.gaps = this.gaps.count;
  }
}

/** Whether a stock with a temporary code trades under its own again. Old figures may still appear. */
function isBack({ last, before }: Known, stock: Stock, phase: SessionPhase): boolean {
  const price = (last ?? before)?.price;
  if (phase === 'pre-open' || stock.last === null || price === undefined) return false;
  return isOneSession(stock.last / price);
}

function rollOver(known: Known, date: string): void {
  if (known.last === null || known.last.date === date) return;
  known.before = known.last;
  known.last = null;
}
