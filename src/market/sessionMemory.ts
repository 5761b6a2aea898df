import type { App, Part } from '#platform/app.ts';
import { isRecord } from '../lib/json.ts';
import type { Log } from '../lib/log.ts';
import { readMap, readNumber } from '../lib/read.ts';
import { phaseAt } from './rules/sessionClock.ts';
import { adjustedPrice, factorSince } from './rules/splitAdjustment.ts';
import type { PreOpenSnapshot, StockUpdate } from './rules/stock.ts';
import { isHalted } from './rules/stockState.ts';
import { addDays } from '#lib/sydneyTime.ts';
import { previousTradingDay } from './rules/tradingDay.ts';
import { Segments } from './segments.ts';
import type { Adjustments } from './splits.ts';
import type { ChangeSet, KeptStock, Market } from './types.ts';

const KEEP_DAYS = 7;

type Snapshots = Map<string, PreOpenSnapshot>;

const isNumberOrNull = (value: unknown): value is number | null =>
  value === null || (typeof value === 'number' && Number.isFinite(value));

function readSnapshot(value: unknown): PreOpenSnapshot | null {
  if (!isRecord(value)) return null;
  const { capturedAt, indicativeChangePercent, match_price, match_vol, match_value, buy_surplus } = value;
  if (typeof capturedAt !== 'string' || Number.isNaN(Date.parse(capturedAt))) return null;
  if (!isNumberOrNull(indicativeChangePercent) || !isNumberOrNull(match_price)) return null;
  if (!isNumberOrNull(match_vol) || !isNumberOrNull(match_value) || !isNumberOrNull(buy_surplus)) return null;
  return { capturedAt, indicativeChangePercent, match_price, match_vol, match_value, buy_surplus };
}

const form = {
  read: (plain: unknown): Snapshots | null =>
    isRecord(plain) ? new Map(Object.entries(readMap(plain, readSnapshot))) : null,
  plain: (snapshots: Snapshots): unknown => Object.fromEntries(snapshots),
};

/** Batched, because SD cards wear out. */
const SNAPSHOTS_EVERY_MS = 5_000;

function restoreSnapshots(market: Market, kept: Segments<Snapshots>, log: Log): void {
  const date = market.date();
  const found = new Map([...kept.load(date, date)].flatMap((snapshots) => [...snapshots]));
  market.restorePreOpen(date, found);
  if (found.size > 0) log.info('Restored the pre-open snapshots of the session', { date, count: found.size });
}

class WaitingSnapshots {
  private readonly waiting = new Map<string, Snapshots>();

  constructor(
    private readonly kept: Segments<Snapshots>,
    private readonly log: Log,
  ) {}

  note(date: string, code: string, snapshot: PreOpenSnapshot | null | undefined): void {
    if (!snapshot) return;
    const day: Snapshots = this.waiting.get(date) ?? new Map();
    this.waiting.set(date, day.set(code, snapshot));
  }

  flush(): void {
    try {
      for (const [date, snapshots] of this.waiting) {
        this.kept.append(date, snapshots);
        this.waiting.delete(date);
      }
    } catch (error) {
      this.log.error('Could not save pre-open snapshots; trying again', { error });
    }
  }

  count(): number {
    return [...this.waiting.values()].reduce((sum, day) => sum + day.size, 0);
  }

  plain(): Record<string, Record<string, PreOpenSnapshot>> {
    return Object.fromEntries([...this.waiting].map(([date, day]) => [date, Object.fromEntries(day)]));
  }
}

/**
 * Stores pre-open snapshots over a restart: `start` restores those of the session and source; new ones are
 * written in batches; `stop` writes the rest.
 */
export function createPreOpenMemory(app: App, writeEveryMs = SNAPSHOTS_EVERY_MS) {
  const { market } = app;
  const log = app.log.child('memory');
  const kept = new Segments(app.db, app.source.name, 'preOpen', log, form);
  const waiting = new WaitingSnapshots(kept, log);
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    name: 'pre-open memory',
    onChanges(changes: ChangeSet | null): void {
      if (!changes) return;
      const date = market.date();
      for (const code in changes.upsert)
        if (changes.upsert[code]?.preOpen) waiting.note(date, code, market.get(code)?.preOpen?.snapshot);
    },
    start() {
      restoreSnapshots(market, kept, log);
      timer ??= setInterval(() => waiting.flush(), writeEveryMs);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      waiting.flush();
    },
    prune: () => ({ removed: kept.prune(addDays(market.date(), -KEEP_DAYS)), hasMore: false }),
    inspect: () => ({
      label: 'Pre-open snapshots to be written',
      description: 'Rows of the next database write, by day and code.',
      type: 'map' as const,
      summary: { waiting: waiting.count() },
      data: () => waiting.plain(),
    }),
  } satisfies Part;
}

const isUpdate = (value: unknown): value is StockUpdate =>
  isRecord(value) && typeof value['code'] === 'string';

type SessionChanges = { stocks: readonly StockUpdate[]; removed: readonly string[] };

function readChanges(plain: unknown): SessionChanges | null {
  if (!isRecord(plain)) return null;
  const { stocks, removed } = plain;
  if (!Array.isArray(stocks) || !stocks.every(isUpdate) || !Array.isArray(removed)) return null;
  return { stocks, removed: removed.filter((code) => typeof code === 'string') };
}

/** Earlier versions stored only the time of the quote. */
function readKept(kept: StockUpdate & { facts?: unknown }): KeptStock {
  const { facts, ...update } = kept;
  const known = isRecord(facts) ? facts : { hasOwnValue: typeof update.value === 'number' };
  return {
    ...update,
    facts: {
      quoteTime: update.quoteTime ?? null,
      newestStated: readNumber(known['newestStated']),
      hasOwnValue: known['hasOwnValue'] === true,
      hasOwnStatus: update.status !== undefined,
    },
  };
}

/** Maximum delay of a write, because SD cards wear out. */
const CHANGES_EVERY_MS = 60_000;
/** After this many rows of changes all stocks are written again, so that a start reads few rows. */
const MAX_CHANGES = 30;
const EVERY_DATE = '9999-12-31';

function isOver(now: number): boolean {
  const { phase } = phaseAt(now);
  return phase === 'adjust' || phase === 'closed';
}

/**
 * A stock of the session before. Its quote times are of that session, so the Market uses only its last price,
 * as the previous close.
 */
const ofSessionBefore = (stock: StockUpdate): StockUpdate => ({
  ...stock,
  match_price: null,
  match_vol: null,
  buy_surplus: null,
  sensitiveAnnouncements: null,
});

function inPricesOfNow(stock: StockUpdate, date: string, { of }: Adjustments): StockUpdate {
  const factor = factorSince(of(stock.code), date);
  if (factor === 1 || typeof stock.last !== 'number') return stock;
  return { ...stock, last: adjustedPrice(stock.last, factor) };
}

/** The stored session that ended last, and the running one. */
class KeptSessions {
  private readonly ended: Segments<readonly StockUpdate[]>;
  private readonly running: Segments<SessionChanges>;
  private readonly transaction: (write: () => void) => void;

  constructor({ db, source, log }: App) {
    this.ended = new Segments(db, source.name, 'ended', log, {
      read: (plain) => (Array.isArray(plain) && plain.every(isUpdate) ? plain : null),
      plain: (stocks) => stocks,
    });
    this.running = new Segments(db, source.name, 'stocks', log, {
      read: readChanges,
      plain: (changes) => changes,
    });
    this.transaction = db.$client.transaction((write: () => void) => write());
  }

  endedOn(date: string): readonly StockUpdate[] {
    return [...this.ended.load(date, date)].flat();
  }

  stocksOf(date: string): KeptStock[] {
    const stocks = new Map<string, KeptStock>();
    for (const { stocks: changed, removed } of this.running.load(date, date)) {
      for (const stock of changed) stocks.set(stock.code, readKept(stock));
      for (const code of removed) stocks.delete(code);
    }
    return [...stocks.values()];
  }

  end(date: string, stocks: readonly StockUpdate[]): void {
    this.transaction(() => {
      this.ended.prune(EVERY_DATE);
      this.ended.append(date, stocks);
      this.running.prune(EVERY_DATE);
    });
  }

  begin(date: string, stocks: readonly KeptStock[]): void {
    this.transaction(() => {
      this.running.prune(EVERY_DATE);
      this.running.append(date, { stocks, removed: [] });
    });
  }

  add(date: string, changes: SessionChanges): void {
    this.running.append(date, changes);
  }
}

/** Restores the stocks of an earlier run; stocks listed since then do not change. */
function restore({ market, values }: App, kept: KeptSessions, now: number, log: Log): void {
  const shown = market.date();
  const hasEnded = isOver(now);
  const restored = hasEnded ? [] : market.restoreStocks(shown, kept.stocksOf(shown));
  if (restored.length > 0) log.info('Restored the session', { date: shown, stocks: restored.length });
  const ended = hasEnded ? market.restoreStocks(shown, kept.endedOn(shown).map(readKept)) : [];
  if (ended.length > 0) log.info('Restored the last session', { date: shown, stocks: ended.length });
  const date = previousTradingDay(shown);
  const missing = kept.endedOn(date).filter(({ code }) => market.get(code) === undefined);
  if (missing.length === 0) return;
  const { applied } = market.apply(
    missing.map((stock) => inPricesOfNow(ofSessionBefore(stock), date, values.adjustments)),
  );
  log.info('Restored the last session', { date, stocks: applied });
}

/**
 * Stores the session over a restart, for sources that send only changes. Changes are written once a minute
 * and at the stop; an ended session is stored completely. `start` lists its stocks again; in the next session
 * only with the previous close. A session that ended while the server was off is lost.
 */
export function createSessionMemory(app: App) {
  const { market, source } = app;
  const log = app.log.child('session');
  const kept = source.isPartial === true ? new KeptSessions({ ...app, log }) : null;
  const changed = new Set<string>();
  /** The session whose stocks are on disk, and the number of rows after them. */
  let written = { date: '', changes: 0 };
  let timer: ReturnType<typeof setInterval> | undefined;

  function keptStock(code: string, now: number): KeptStock | null {
    const stock = market.get(code);
    const facts = market.facts(code);
    if (!stock || !facts) return null;
    // Computed values are not stored, and pre-open snapshots are stored separately.
    const {
      status,
      preOpen: _preOpen,
      surplusFlip: _flip,
      indicators: _indicators,
      htf: _htf,
      ...stated
    } = stock;
    const quoteTime = facts.quoteTime === null ? null : Math.min(facts.quoteTime, now);
    return {
      ...stated,
      ...((facts.hasOwnStatus || isHalted(stock)) && { status }),
      ...(quoteTime !== null && { quoteTime }),
      facts: { ...facts, quoteTime },
    };
  }

  function keep(sessions: KeptSessions, now: number): void {
    const date = market.date();
    const stocksOf = (codes: Iterable<string>): KeptStock[] =>
      [...codes].map((code) => keptStock(code, now)).filter((stock) => stock !== null);
    if (isOver(now)) {
      sessions.end(date, stocksOf(market.all().keys()));
      written = { date: '', changes: 0 };
    } else if (written.date !== date || written.changes >= MAX_CHANGES) {
      sessions.begin(date, stocksOf(market.all().keys()));
      written = { date, changes: 0 };
    } else {
      const removed = [...changed].filter((code) => market.get(code) === undefined);
      sessions.add(date, { stocks: stocksOf(changed), removed });
      written.changes += 1;
    }
    changed.clear();
  }

  function save(): void {
    if (kept === null || changed.size === 0) return;
    try {
      keep(kept, source.clock.now());
    } catch (error) {
      log.error('Could not save the session; trying again', { error });
    }
  }

  return {
    name: 'session memory',
    service: { save },
    onChanges(changes: ChangeSet | null): void {
      if (kept === null || !changes) return;
      for (const code in changes.upsert) changed.add(code);
      for (const code of changes.delete) changed.add(code);
    },
    start() {
      if (kept === null) return;
      restore(app, kept, source.clock.now(), log);
      timer ??= setInterval(save, CHANGES_EVERY_MS);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      save();
    },
  } satisfies Part;
}
