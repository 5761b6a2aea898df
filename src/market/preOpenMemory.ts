import type { Db } from '../db/open.ts';
import { addDays } from '../domain/market/sydneyTime.ts';
import type { PreOpenSnapshot } from '../domain/market/stock.ts';
import type { Log } from '../lib/log.ts';
import type { Market, TickListener } from './types.ts';

/** How long what changed may wait for the disk: SD cards wear out. */
const WRITE_EVERY_MS = 5_000;
/** Older market dates are forgotten. */
const KEEP_DAYS = 7;

export type PreOpenMemoryDeps = { db: Db; market: Market; log: Log; writeEveryMs?: number };

export type PreOpenMemory = {
  /** Gives the Market its pre-open snapshots of this market date back, and starts writing new ones. */
  start(): void;
  /** To be given to the tick: notes which snapshots are new. */
  listener: TickListener;
  /** Writes what waits and stops. */
  stop(): void;
};

/** What the Market must remember over a restart, written in batches, never tick by tick. */
export function createPreOpenMemory({
  db,
  market,
  log,
  writeEveryMs = WRITE_EVERY_MS,
}: PreOpenMemoryDeps): PreOpenMemory {
  const read = db.$client.query<{ code: string; snapshot: string }, [string]>(
    'SELECT code, snapshot FROM pre_open_snapshots WHERE date = ?',
  );
  const write = db.$client.query(
    'INSERT INTO pre_open_snapshots (date, code, snapshot) VALUES (?, ?, ?) ' +
      'ON CONFLICT (date, code) DO UPDATE SET snapshot = excluded.snapshot',
  );
  const forget = db.$client.query('DELETE FROM pre_open_snapshots WHERE date < ?');
  const waiting = new Map<string, Map<string, PreOpenSnapshot>>();
  let timer: ReturnType<typeof setInterval> | undefined;

  const save = db.$client.transaction(() => {
    for (const [date, snapshots] of waiting) {
      for (const [code, snapshot] of snapshots) write.run(date, code, JSON.stringify(snapshot));
      forget.run(addDays(date, -KEEP_DAYS));
    }
  });

  function flush(): void {
    if (waiting.size === 0) return;
    try {
      save();
      waiting.clear();
    } catch (error) {
      log.error('Pre-open snapshots could not be saved; trying again', { error });
    }
  }

  return {
    start() {
      const date = market.date();
      const found = new Map<string, PreOpenSnapshot>();
      for (const { code, snapshot } of read.all(date)) {
        const parsed = parseSnapshot(snapshot);
        if (parsed) found.set(code, parsed);
        else log.warn('A saved pre-open snapshot is unreadable and was left out', { date, code });
      }
      market.restorePreOpen(date, found);
      if (found.size > 0) log.info('Pre-open snapshots of today restored', { date, count: found.size });
      timer ??= setInterval(flush, writeEveryMs);
    },
    listener(changes) {
      if (!changes) return;
      const date = market.date();
      for (const [code, patch] of Object.entries(changes.upsert)) {
        if (!patch.preOpen) continue;
        const snapshot = market.get(code)?.preOpen?.snapshot;
        if (!snapshot) continue;
        const day = waiting.get(date) ?? new Map<string, PreOpenSnapshot>();
        waiting.set(date, day.set(code, snapshot));
      }
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      flush();
    },
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
