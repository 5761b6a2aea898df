import type { Db } from '../../platform/db/open.ts';
import { addDays } from '../rules/sydneyTime.ts';
import type { Log } from '../../lib/log.ts';
import { nextTurn } from '../../lib/nextTurn.ts';
import type { StockBars } from './currentDay.ts';
import type { BarRow } from './rows.ts';
import { packSegment, type Segment, unpackSegment } from './segments.ts';
import type { BarStore } from './store.ts';

/** Five trading days lie within eight days, Easter included. */
const KEPT_DAYS = 9;

/** The minute bars of one source in the database, in packed segments. Dates are those of Sydney, YYYY-MM-DD. */
export type SavedMinutes = {
  /** Puts the bars of the last days into the store, in slices; an unreadable segment is logged and left out. */
  load(bars: BarStore, today: string): Promise<void>;
  /** Appends the bars that are new since the last call as one segment. */
  save(bars: BarStore, today: string): void;
  /** Drops segments that are too old. @returns how many */
  prune(today: string): number;
};

/** @param source its name; bars of other sources are neither read nor changed */
export function createSavedMinutes(db: Db, source: string, log: Log): SavedMinutes {
  const list = db.$client.query<{ id: number }, [string, string]>(
    'SELECT id FROM minute_segments WHERE source = ? AND date >= ? ORDER BY id',
  );
  const read = db.$client.query<{ bars: Uint8Array }, [number]>(
    'SELECT bars FROM minute_segments WHERE id = ?',
  );
  const append = db.$client.query('INSERT INTO minute_segments (source, date, bars) VALUES (?, ?, ?)');
  const dropOld = db.$client.query('DELETE FROM minute_segments WHERE source = ? AND date < ?');
  /** Of each stock the last minute that is saved, and its volume then. */
  const saved = new Map<string, { key: number; volume: number }>();

  function noteSaved(code: string, row: BarRow | undefined): void {
    if (row) saved.set(code, { key: row.key, volume: row.volume });
  }

  function unsavedRows({ code, minutes }: StockBars): BarRow[] {
    const last = minutes.last();
    const before = saved.get(code);
    if (!last || (before?.key === last.key && before.volume === last.volume)) return [];
    const rows: BarRow[] = [];
    // From the last saved minute on, which may have gone on since.
    for (let index = minutes.indexFrom(before?.key ?? 0); index < minutes.length(); index += 1) {
      const row = minutes.at(index);
      if (row) rows.push(row);
    }
    return rows;
  }

  return {
    async load(bars, today) {
      for (const { id } of list.all(source, addDays(today, -KEPT_DAYS))) {
        const found = read.get(id);
        const segment = found ? unpackSegment(found.bars) : null;
        if (!segment) log.warn('Saved minute bars are unreadable and were left out', { id });
        for (const [code, rows] of segment ?? []) {
          const { minutes } = bars.ensure(code);
          for (const row of rows) minutes.put(row);
          noteSaved(code, minutes.last());
        }
        await nextTurn();
      }
    },
    save(bars, today) {
      const segment: Segment = new Map();
      for (const stockBars of bars.all()) {
        const rows = unsavedRows(stockBars);
        if (rows.length > 0) segment.set(stockBars.code, rows);
      }
      if (segment.size === 0) return;
      append.run(source, today, packSegment(segment));
      for (const [code, rows] of segment) noteSaved(code, rows.at(-1));
    },
    prune: (today) => dropOld.run(source, addDays(today, -KEPT_DAYS)).changes,
  };
}
