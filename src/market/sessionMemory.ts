import { isHalted } from './rules/halted.ts';
import { phaseAt } from './rules/sessionClock.ts';
import type { Stock, StockUpdate } from './rules/stock.ts';
import { previousTradingDay } from './rules/tradingDay.ts';
import type { Log } from '../lib/log.ts';
import type { Core, Part } from '../part.ts';
import type { ChangeSet, Market } from './types.ts';
import type { Db } from '../platform/db/open.ts';
import { isRecord } from '../lib/json.ts';
import { packJson, unpackJson } from '../lib/pack/packedJson.ts';

/** A session as it ended: its Sydney date, YYYY-MM-DD, and the updates that list its stocks. */
type KeptSession = { date: string; stocks: readonly StockUpdate[] };

/** The last session of one source in the database. */
type SessionStore = {
  /**
   * The session that is kept; null when none is.
   * @throws SyntaxError or Error when the row is unreadable
   */
  read(): KeptSession | null;
  /** Puts a session in the place of the one that was kept. */
  save(session: KeptSession): void;
};

const isUpdate = (value: unknown): value is StockUpdate =>
  isRecord(value) && typeof value['code'] === 'string';

function unpack(bytes: Uint8Array): StockUpdate[] {
  const stocks = unpackJson(bytes);
  if (!Array.isArray(stocks) || !stocks.every(isUpdate)) throw new Error('The row holds no list of stocks.');
  return stocks;
}

/** @param source its name; sessions of other sources are neither read nor changed */
export function sessionStore(db: Db, source: string): SessionStore {
  const read = db.$client.query<{ date: string; stocks: Uint8Array }, [string]>(
    'SELECT date, stocks FROM last_sessions WHERE source = ?',
  );
  const write = db.$client.query(
    'INSERT INTO last_sessions (source, date, stocks) VALUES (?, ?, ?) ' +
      'ON CONFLICT (source) DO UPDATE SET date = excluded.date, stocks = excluded.stocks',
  );
  return {
    read() {
      const row = read.get(source);
      return row && { date: row.date, stocks: unpack(row.stocks) };
    },
    save: ({ date, stocks }) => void write.run(source, date, packJson(stocks)),
  };
}

/** How long what changed may wait for the disk: SD cards wear out. */
const WRITE_EVERY_MS = 60_000;

export type SessionMemoryCore = Pick<Core, 'db' | 'log' | 'source'>;
export type SessionMemoryNeeds = { market: Pick<Market, 'all' | 'get' | 'date' | 'quoteTime' | 'apply'> };

/** The update that lists a stock as it is; computed values are computed again, the pre-open snapshot is kept elsewhere. */
function updateOf(stock: Stock, quoteTime: number | null): StockUpdate {
  const {
    status,
    preOpen: _preOpen,
    surplusFlip: _flip,
    indicators: _indicators,
    htf: _htf,
    ...stated
  } = stock;
  return {
    ...stated,
    ...(isHalted(stock) && { status }),
    ...(quoteTime !== null && { quoteTime }),
  };
}

/** Whether nothing trades any more until the next session. @param now the market's clock, epoch ms */
function isOver(now: number): boolean {
  const { phase } = phaseAt(now);
  return phase === 'adjust' || phase === 'closed';
}

/**
 * A stock of the session before. The times of its quotes are of that session too, so that the Market takes its last price
 * as the previous close and nothing else that was traded.
 */
const ofSessionBefore = (stock: StockUpdate): StockUpdate => ({
  ...stock,
  match_price: null,
  match_vol: null,
  buy_surplus: null,
  sensitiveAnnouncements: null,
});

/** What a kept session says of the one that is shown now: all of it, the previous closes of the next one, or nothing. */
function updatesFrom({ date, stocks }: KeptSession, shown: string, now: number): readonly StockUpdate[] {
  if (date === shown) return isOver(now) ? stocks : [];
  return date === previousTradingDay(shown) ? stocks.map(ofSessionBefore) : [];
}

/** Lists the stocks of the session that an earlier run has kept; those that have come already stay as they are. */
function restore(market: SessionMemoryNeeds['market'], store: SessionStore, now: number, log: Log): void {
  try {
    const kept = store.read();
    const updates = kept ? updatesFrom(kept, market.date(), now) : [];
    const missing = updates.filter(({ code }) => market.get(code) === undefined);
    if (missing.length === 0) return;
    const { applied } = market.apply(missing);
    log.info('The last session was restored', { date: kept?.date, stocks: applied });
  } catch (error) {
    log.warn('The last session that was kept is unreadable and was left out', { error });
  }
}

/**
 * The last session over a restart, for sources that send only what is new. It is written once trading has ended, when
 * something changed, and at the stop; `start` lists its stocks again, in the session after with their previous close alone.
 * A session that has not ended is not kept: its prices would be old.
 */
export function createSessionMemory({ db, source, ...core }: SessionMemoryCore, needs: SessionMemoryNeeds) {
  const { market } = needs;
  const log = core.log.child('session');
  const store = source.isPartial === true ? sessionStore(db, source.name) : null;
  let hasChanged = false;
  let timer: ReturnType<typeof setInterval> | undefined;

  function save(): void {
    if (store === null || !hasChanged || market.all().size === 0 || !isOver(source.clock.now())) return;
    try {
      const stocks = [...market.all().values()].map((stock) => updateOf(stock, market.quoteTime(stock.code)));
      store.save({ date: market.date(), stocks });
      hasChanged = false;
    } catch (error) {
      log.error('The last session could not be saved; trying again', { error });
    }
  }

  return {
    name: 'session memory',
    onChanges(changes: ChangeSet | null): void {
      if (changes) hasChanged = true;
    },
    start() {
      if (store === null) return;
      restore(market, store, source.clock.now(), log);
      timer ??= setInterval(save, WRITE_EVERY_MS);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      save();
    },
  } satisfies Part;
}
