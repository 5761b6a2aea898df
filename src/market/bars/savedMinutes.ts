import type { Db } from '../../platform/db/open.ts';
import { addDays } from '../rules/sydneyTime.ts';
import type { Log } from '../../lib/log.ts';
import { nextTurn } from '../../lib/nextTurn.ts';
import type { StockBars } from './currentDay.ts';
import type { BarRow } from './rows.ts';
import type { BarStore } from './store.ts';
import { Segments } from '../segments.ts';

/** Minute bars of many stocks, by code. */
type Segment = Map<string, BarRow[]>;

/** A segment as JSON: rows as [key, open, high, low, close, volume] by code. */
export function plainMinutes(segment: Segment): Record<string, number[][]> {
  const plain: Record<string, number[][]> = {};
  for (const [code, rows] of segment) {
    plain[code] = rows.map(({ key, open, high, low, close, volume }) => [
      key,
      open,
      high,
      low,
      close,
      volume,
    ]);
  }
  return plain;
}

const isRow = (value: unknown): value is [number, number, number, number, number, number] =>
  Array.isArray(value) && value.length === 6 && value.every((one) => Number.isFinite(one));

/** The inverse of `plainMinutes`; null for what is no segment. */
export function readMinutes(plain: unknown): Segment | null {
  if (typeof plain !== 'object' || plain === null) return null;
  const segment: Segment = new Map();
  for (const [code, rows] of Object.entries(plain)) {
    if (!Array.isArray(rows) || !rows.every(isRow)) return null;
    segment.set(
      code,
      rows.map(([key, open, high, low, close, volume]) => ({ key, open, high, low, close, volume })),
    );
  }
  return segment;
}

/** Five trading days lie within eight days, Easter included. */
const KEPT_DAYS = 9;

/** The minute bars of one source in the database: what is new is appended as one segment. */
export class SavedMinutes {
  private readonly segments: Segments<Segment>;
  /** Of each stock the last minute that is saved, and its volume then. */
  private readonly saved = new Map<string, { key: number; volume: number }>();

  constructor(db: Db, source: string, log: Log) {
    const form = { read: readMinutes, plain: plainMinutes };
    this.segments = new Segments(db, source, 'minute_segments', log, form);
  }

  /** Puts the bars of the last days into the store, in slices. @param today its Sydney date, YYYY-MM-DD */
  async load(bars: BarStore, today: string): Promise<void> {
    for (const segment of this.segments.load(addDays(today, -KEPT_DAYS))) {
      for (const [code, rows] of segment) {
        const { minutes } = bars.ensure(code);
        for (const row of rows) minutes.put(row);
        this.noteSaved(code, minutes.last());
      }
      await nextTurn();
    }
  }

  /** Appends the bars that are new since the last call. */
  save(bars: BarStore, today: string): void {
    const segment: Segment = new Map();
    for (const stockBars of bars.all()) {
      const rows = this.unsavedRows(stockBars);
      if (rows.length > 0) segment.set(stockBars.code, rows);
    }
    if (segment.size === 0) return;
    this.segments.append(today, segment);
    for (const [code, rows] of segment) this.noteSaved(code, rows.at(-1));
  }

  /** Drops segments that are too old. @returns how many */
  prune(today: string): number {
    return this.segments.prune(addDays(today, -KEPT_DAYS));
  }

  private noteSaved(code: string, row: BarRow | undefined): void {
    if (row) this.saved.set(code, { key: row.key, volume: row.volume });
  }

  private unsavedRows({ code, minutes }: StockBars): BarRow[] {
    const last = minutes.last();
    const before = this.saved.get(code);
    if (!last || (before?.key === last.key && before.volume === last.volume)) return [];
    const rows: BarRow[] = [];
    // From the last saved minute on, which may have gone on since.
    for (let index = minutes.indexFrom(before?.key ?? 0); index < minutes.length(); index += 1) {
      const row = minutes.at(index);
      if (row) rows.push(row);
    }
    return rows;
  }
}
