import type { Db } from '../platform/db/open.ts';
import type { PreOpenSnapshot } from './rules/stock.ts';
import { addDays } from './rules/sydneyTime.ts';

/** Older sessions are forgotten. */
const KEEP_DAYS = 7;

/** Pre-open snapshots by the date of their session (Sydney, YYYY-MM-DD) and code. */
export type SnapshotsByDate = ReadonlyMap<string, ReadonlyMap<string, PreOpenSnapshot>>;

export type PreOpenStore = {
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
export function preOpenStore(db: Db, source: string): PreOpenStore {
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
