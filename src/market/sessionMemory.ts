import { isHalted } from '../domain/market/halted.ts';
import { phaseAt } from '../domain/market/sessionClock.ts';
import type { Stock, StockUpdate } from '../domain/market/stock.ts';
import type { Core, Part } from '../part.ts';
import { type SessionStore, sessionStore } from './sessionStore.ts';
import type { ChangeSet, Market } from './types.ts';

/** How long what changed may wait for the disk: SD cards wear out. */
const WRITE_EVERY_MS = 60_000;

export type SessionMemoryCore = Pick<Core, 'db' | 'log' | 'source'>;
export type SessionMemoryNeeds = { market: Pick<Market, 'all' | 'get' | 'date' | 'quoteTime' | 'apply'> };

/** The update that lists a stock as it is; computed values are computed again, the pre-open snapshot is kept elsewhere. */
function updateOf(stock: Stock, quoteTime: number | null): StockUpdate {
  const { status, preOpen: _preOpen, indicators: _indicators, htf: _htf, ...stated } = stock;
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

/** Lists what an earlier run has kept of the session that is shown; what has come already stays. */
function restore(market: SessionMemoryNeeds['market'], store: SessionStore, log: Core['log']): void {
  const date = market.date();
  try {
    const updates = store.read(date)?.filter(({ code }) => market.get(code) === undefined) ?? [];
    if (updates.length === 0) return;
    const { applied } = market.apply(updates);
    log.info('The last session was restored', { date, stocks: applied });
  } catch (error) {
    log.warn('The last session that was kept is unreadable and was left out', { date, error });
  }
}

/**
 * The last session over a restart, for sources that send only what is new. It is written once trading has ended, when
 * something changed, and at the stop; `start` lists its stocks again until the next session begins. A session that has
 * not ended is not kept: its prices would be old.
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
      store.save(market.date(), stocks);
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
      if (isOver(source.clock.now())) restore(market, store, log);
      timer ??= setInterval(save, WRITE_EVERY_MS);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      save();
    },
  } satisfies Part;
}
