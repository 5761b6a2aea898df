import type { Db } from '#platform/db/open.ts';
import { addDays } from '../rules/sydneyTime.ts';
import type { Log } from '#lib/log.ts';
import { nextTurn } from '#lib/turns.ts';
import type { StockBars } from './currentDay.ts';
import type { Adjustments } from '../splits/index.ts';
import { adjustedBar, factorSince } from '../rules/splitAdjustment.ts';
import { dateOf, dayOf, dayOfKey, keyOf } from '../rules/localTime.ts';
import type { BarRow } from './rows.ts';
import type { Series } from './series.ts';
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

function replaceMinute(minutes: Series, row: BarRow): void {
  const index = minutes.indexFrom(row.key);
  if (minutes.at(index)?.key === row.key) minutes.replace(index, row);
}

/** Five trading days lie within eight days, Easter included. */
const KEPT_DAYS = 9;

/** The minute bars of one source in the database: what is new is appended as one segment. */
export class SavedMinutes {
  private readonly segments: Segments<Segment>;
  private readonly transaction: (write: () => void) => void;
  /** Of each stock the last minute that is saved, and its volume then. */
  private readonly saved = new Map<string, { key: number; volume: number }>();

  constructor(
    db: Db,
    source: string,
    log: Log,
    private readonly adjustments: Adjustments,
  ) {
    const form = { read: readMinutes, plain: plainMinutes };
    this.transaction = db.$client.transaction((write: () => void) => write());
    this.segments = new Segments(db, source, 'minutes', log, form);
  }

  /** Puts the bars of the last days into the store, in slices. @param today its Sydney date, YYYY-MM-DD */
  async load(bars: BarStore, today: string): Promise<void> {
    for (const segment of this.segments.load(addDays(today, -KEPT_DAYS))) {
      for (const [code, rows] of segment) {
        const { minutes } = bars.ensure(code);
        for (const row of this.adjusted(code, rows)) {
          // An older minute was corrected after it had been saved.
          if (!minutes.put(row)) replaceMinute(minutes, row);
        }
        this.noteSaved(code, minutes.last());
      }
      await nextTurn();
    }
    for (const { code } of bars.all()) {
      const adjustment = this.adjustments.of(code).at(-1);
      if (adjustment) this.rescaled(code, dayOf(adjustment.date));
    }
  }

  /**
   * Appends the bars that are new since the last call.
   * @param alongside writes what must be on disk with them, or not at all
   */
  save(bars: BarStore, today: string, alongside: () => void = () => undefined): void {
    const segment: Segment = new Map();
    for (const stockBars of bars.all()) {
      const rows = this.unsavedRows(stockBars);
      if (rows.length > 0) segment.set(stockBars.code, rows);
    }
    this.transaction(() => {
      if (segment.size > 0) this.segments.append(today, segment);
      alongside();
    });
    for (const [code, rows] of segment) {
      this.noteSaved(code, rows.at(-1));
      bars.ensure(code).corrected = null;
    }
  }

  /** Drops segments that are too old. @returns how many */
  prune(today: string): number {
    return this.segments.prune(addDays(today, -KEPT_DAYS));
  }

  /** Minutes before a day were brought into other prices. On the disk they stay as they are, so none is written again. */
  rescaled(code: string, day: number): void {
    const first = keyOf(day, 0);
    if ((this.saved.get(code)?.key ?? first) < first) this.saved.set(code, { key: first, volume: 0 });
  }

  /** Saved rows in the prices of now. */
  private adjusted(code: string, rows: readonly BarRow[]): readonly BarRow[] {
    const adjustments = this.adjustments.of(code);
    if (adjustments.length === 0) return rows;
    return rows.map((row) => {
      const factor = factorSince(adjustments, dateOf(dayOfKey(row.key)));
      return factor === 1 ? row : adjustedBar(row, factor);
    });
  }

  private noteSaved(code: string, row: BarRow | undefined): void {
    if (row) this.saved.set(code, { key: row.key, volume: row.volume });
  }

  private unsavedRows({ code, minutes, corrected }: StockBars): BarRow[] {
    const last = minutes.last();
    const before = this.saved.get(code);
    if (!last || (corrected === null && before?.key === last.key && before.volume === last.volume)) return [];
    const rows: BarRow[] = [];
    // From the last saved minute on, which may have gone on since.
    const from = Math.min(before?.key ?? 0, corrected ?? Number.POSITIVE_INFINITY);
    for (let index = minutes.indexFrom(from); index < minutes.length(); index += 1) {
      const row = minutes.at(index);
      if (row) rows.push(row);
    }
    return rows;
  }
}
