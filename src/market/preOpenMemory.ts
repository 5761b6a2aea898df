import type { PreOpenSnapshot } from './rules/stock.ts';
import type { Log } from '../lib/log.ts';
import type { Core, Part } from '../part.ts';
import { preOpenStore, type PreOpenStore } from './preOpenStore.ts';
import type { ChangeSet, Market } from './types.ts';

/** How long what changed may wait for the disk: SD cards wear out. */
const WRITE_EVERY_MS = 5_000;

export type PreOpenMemoryCore = Pick<Core, 'db' | 'log'> & { source: Pick<Core['source'], 'name'> };
export type PreOpenMemoryNeeds = {
  market: Pick<Market, 'get' | 'date' | 'restorePreOpen'>;
  writeEveryMs?: number;
};

/** Gives the Market the snapshots of its session back. */
function restore(market: PreOpenMemoryNeeds['market'], store: PreOpenStore, log: Log): void {
  const date = market.date();
  const found = new Map<string, PreOpenSnapshot>();
  for (const { code, snapshot } of store.read(date)) {
    if (snapshot) found.set(code, snapshot);
    else log.warn('A saved pre-open snapshot is unreadable and was left out', { date, code });
  }
  market.restorePreOpen(date, found);
  if (found.size > 0) log.info('Pre-open snapshots of the session restored', { date, count: found.size });
}

/**
 * Pre-open snapshots over a restart: `start` gives the Market those of its session and source back, `onChanges` notes new ones, which
 * are written in batches, never tick by tick; `stop` writes what waits.
 */
export function createPreOpenMemory(core: PreOpenMemoryCore, needs: PreOpenMemoryNeeds) {
  const { market, writeEveryMs = WRITE_EVERY_MS } = needs;
  const log = core.log.child('memory');
  const store = preOpenStore(core.db, core.source.name);
  const waiting = new Map<string, Map<string, PreOpenSnapshot>>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function flush(): void {
    if (waiting.size === 0) return;
    try {
      store.save(waiting);
      waiting.clear();
    } catch (error) {
      log.error('Pre-open snapshots could not be saved; trying again', { error });
    }
  }

  function note(code: string, date: string): void {
    const snapshot = market.get(code)?.preOpen?.snapshot;
    if (!snapshot) return;
    const day = waiting.get(date) ?? new Map<string, PreOpenSnapshot>();
    waiting.set(date, day.set(code, snapshot));
  }

  return {
    name: 'pre-open memory',
    onChanges(changes: ChangeSet | null): void {
      if (!changes) return;
      const date = market.date();
      for (const code in changes.upsert) if (changes.upsert[code]?.preOpen) note(code, date);
    },
    start() {
      restore(market, store, log);
      timer ??= setInterval(flush, writeEveryMs);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      flush();
    },
    prune: () => ({ removed: store.prune(market.date()), hasMore: false }),
    inspect: () => ({
      label: 'Pre-open snapshots to be written',
      description: 'What the next write puts into the database, by day and code.',
      type: 'map' as const,
      summary: { waiting: [...waiting.values()].reduce((sum, day) => sum + day.size, 0) },
      data: () => Object.fromEntries([...waiting].map(([date, day]) => [date, Object.fromEntries(day)])),
    }),
  } satisfies Part;
}
