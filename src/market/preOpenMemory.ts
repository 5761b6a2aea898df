import type { PreOpenSnapshot } from './rules/stock.ts';
import type { Log } from '../lib/log.ts';
import type { Core, Part } from '../part.ts';
import type { ChangeSet, Market } from './types.ts';
import type { Db } from '../platform/db/open.ts';
import { addDays } from './rules/sydneyTime.ts';

/** Older sessions are forgotten. */
const KEEP_DAYS = 7;

/** Pre-open snapshots by the date of their session (Sydney, YYYY-MM-DD) and code. */
type SnapshotsByDate = ReadonlyMap<string, ReadonlyMap<string, PreOpenSnapshot>>;

type PreOpenStore = {
  /** The snapshots of a date; null stands for one that can't be read. */
  read(date: string): { code: string; snapshot: PreOpenSnapshot | null }[];
  /** Writes all of them in one transaction. */
  save(snapshots: SnapshotsByDate): void;
  /** Forgets those of a week before a date. @returns how many */
  prune(date: string): number;
};

/**
 * SQL of the pre-open snapshots of one source.
 * @param source its name; those of other sources are neither read nor changed
 */
function preOpenStore(db: Db, source: string): PreOpenStore {
  const read = db.$client.query<{ code: string; snapshot: string }, [string, string]>(
    'SELECT code, snapshot FROM pre_open_snapshots WHERE source = ? AND date = ?',
  );
  const write = db.$client.query(
    'INSERT INTO pre_open_snapshots (source, date, code, snapshot) VALUES (?, ?, ?, ?) ' +
      'ON CONFLICT (source, date, code) DO UPDATE SET snapshot = excluded.snapshot',
  );
  const forget = db.$client.query('DELETE FROM pre_open_snapshots WHERE source = ? AND date < ?');
  return {
    read: (date) =>
      read.all(source, date).map(({ code, snapshot }) => ({ code, snapshot: parseSnapshot(snapshot) })),
    save: db.$client.transaction((byDate: SnapshotsByDate) => {
      for (const [date, snapshots] of byDate) {
        for (const [code, snapshot] of snapshots) write.run(source, date, code, JSON.stringify(snapshot));
      }
    }),
    prune: (date) => forget.run(source, addDays(date, -KEEP_DAYS)).changes,
  };
}

const isNumberOrNull = (value: unknown): value is number | null =>
  value === null || (typeof value === 'number' && Number.isFinite(value));

function parseSnapshot(text: string): PreOpenSnapshot | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { capturedAt, indicativeChangePercent, match_price, match_vol, match_value, buy_surplus } =
    value as Record<string, unknown>;
  if (typeof capturedAt !== 'string' || Number.isNaN(Date.parse(capturedAt))) return null;
  if (!isNumberOrNull(indicativeChangePercent) || !isNumberOrNull(match_price)) return null;
  if (!isNumberOrNull(match_vol) || !isNumberOrNull(match_value) || !isNumberOrNull(buy_surplus)) return null;
  return { capturedAt, indicativeChangePercent, match_price, match_vol, match_value, buy_surplus };
}

/** How long what changed may wait for the disk: SD cards wear out. */
const WRITE_EVERY_MS = 5_000;

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

/** New snapshots that wait for the next write. */
class WaitingSnapshots {
  private readonly waiting = new Map<string, Map<string, PreOpenSnapshot>>();

  constructor(
    private readonly store: PreOpenStore,
    private readonly log: Log,
  ) {}

  note(date: string, code: string, snapshot: PreOpenSnapshot | null | undefined): void {
    if (!snapshot) return;
    const day = this.waiting.get(date) ?? new Map<string, PreOpenSnapshot>();
    this.waiting.set(date, day.set(code, snapshot));
  }

  flush(): void {
    if (this.waiting.size === 0) return;
    try {
      this.store.save(this.waiting);
      this.waiting.clear();
    } catch (error) {
      this.log.error('Pre-open snapshots could not be saved; trying again', { error });
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
 * Pre-open snapshots over a restart: `start` gives the Market those of its session and source back, `onChanges` notes new ones, which
 * are written in batches, never tick by tick; `stop` writes what waits.
 */
export function createPreOpenMemory(core: Core, needs: PreOpenMemoryNeeds) {
  const { market, writeEveryMs = WRITE_EVERY_MS } = needs;
  const log = core.log.child('memory');
  const store = preOpenStore(core.db, core.source.name);
  const waiting = new WaitingSnapshots(store, log);
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
      restore(market, store, log);
      timer ??= setInterval(() => waiting.flush(), writeEveryMs);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      waiting.flush();
    },
    prune: () => ({ removed: store.prune(market.date()), hasMore: false }),
    inspect: () => ({
      label: 'Pre-open snapshots to be written',
      description: 'What the next write puts into the database, by day and code.',
      type: 'map' as const,
      summary: { waiting: waiting.count() },
      data: () => waiting.plain(),
    }),
  } satisfies Part;
}
