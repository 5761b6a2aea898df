import type { Log } from '#lib/log.ts';
import { nextTurn } from '#lib/turns.ts';
import type { Db } from '#platform/db/open.ts';
import { addDays } from '#lib/sydneyTime.ts';
import { dateOf, dayOf, dayOfKey, keyOf } from '../rules/localTime.ts';
import { adjustedBar, factorSince } from '../rules/splitAdjustment.ts';
import { Segments } from '../segments.ts';
import type { Adjustments } from '../splits.ts';
import type { SeenTimes } from './coverage.ts';
import type { Series, StockBars } from './series.ts';
import type { BarRow } from './rows.ts';
import { type CurrentDay, drawable } from './rules/quoteBars.ts';
import type { BarStore } from './store.ts';
import { createStoredDays, type DailyRow, knownPrices, storedDay, UNKNOWN_PRICE } from './storedDays.ts';

type Segment = Map<string, BarRow[]>;

/** The segment as JSON: [key, open, high, low, close, volume] by code. */
function plainMinutes(segment: Segment): Record<string, number[][]> {
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

function readMinutes(plain: unknown): Segment | null {
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

/** Five trading days are within eight days, Easter included. */
const KEPT_MINUTE_DAYS = 9;

/** The stored minute bars of a source; each save appends one segment. */
export class SavedMinutes {
  private readonly segments: Segments<Segment>;
  private readonly transaction: (write: () => void) => void;
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

  async load(bars: BarStore, today: string): Promise<void> {
    for (const segment of this.segments.load(addDays(today, -KEPT_MINUTE_DAYS))) {
      for (const [code, rows] of segment) {
        const { minutes } = bars.ensure(code);
        for (const row of this.adjusted(code, rows)) {
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

  prune(today: string): number {
    return this.segments.prune(addDays(today, -KEPT_MINUTE_DAYS));
  }

  /** Stored minutes are not adjusted, so none is written again. */
  rescaled(code: string, day: number): void {
    const first = keyOf(day, 0);
    if ((this.saved.get(code)?.key ?? first) < first) this.saved.set(code, { key: first, volume: 0 });
  }

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
    const from = Math.min(before?.key ?? 0, corrected ?? Number.POSITIVE_INFINITY);
    for (let index = minutes.indexFrom(from); index < minutes.length(); index += 1) {
      const row = minutes.at(index);
      if (row) rows.push(row);
    }
    return rows;
  }
}

const KEPT_DAYS = 380;
const ROWS_A_SLICE = 4000;

const since = (today: string): string => addDays(today, -KEPT_DAYS);

/**
 * Resumes the running day. It was saved with the minutes, so all bars end at the same quote. Later trades
 * belong to the minute of the next quote.
 */
function activateDay(stockBars: StockBars, running: CurrentDay): void {
  const { day, close: last, high, low, volume } = drawable(running);
  stockBars.today = running;
  stockBars.lastQuote = { day, last, high, low, volume };
}

const kept = (price: number): number => (Number.isNaN(price) ? UNKNOWN_PRICE : price);

/**
 * The stored daily bars of a source. Dates are in Sydney, YYYY-MM-DD. Rows have the traded prices and are
 * adjusted when read.
 * @param source its name
 */
function createSavedDays(db: Db, source: string, { of }: Adjustments) {
  const select = db.$client.query<DailyRow, [string, string, string]>(
    'SELECT code, date, open, high, low, close, volume FROM daily_bars ' +
      'WHERE source = ? AND date >= ? AND date <= ? ORDER BY code, date',
  );
  const upsert = db.$client.query(
    'INSERT INTO daily_bars (source, code, date, open, high, low, close, volume) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ' +
      'ON CONFLICT (source, code, date) DO UPDATE SET open = excluded.open, high = excluded.high, low = excluded.low, ' +
      'close = excluded.close, volume = excluded.volume',
  );
  const dropOld = db.$client.query('DELETE FROM daily_bars WHERE source = ? AND date < ?');

  return {
    async load(bars: BarStore, today: string): Promise<number> {
      let count = 0;
      for (const { code, date, ...figures } of select.iterate(source, since(today), today)) {
        const stockBars = bars.ensure(code);
        if (date === today) activateDay(stockBars, { day: dayOf(date), ...knownPrices(figures) });
        else stockBars.days.put({ key: dayOf(date), ...storedDay(figures, date, of(code)) });
        count += 1;
        if (count % ROWS_A_SLICE === 0) await nextTurn();
      }
      return count;
    },
    of: createStoredDays(db.$client, source, of),
    put(code: string, rows: readonly BarRow[]): void {
      for (const { key, open, high, low, close, volume } of rows) {
        upsert.run(source, code, dateOf(key), kept(open), kept(high), kept(low), close, volume);
      }
    },
    save: db.$client.transaction((stocks: Iterable<StockBars>) => {
      for (const { code, today: running } of stocks) {
        if (!running) continue;
        const { day, open, high, low, close, volume } = running;
        upsert.run(source, code, dateOf(day), kept(open), kept(high), kept(low), close, volume);
      }
    }),
    prune: (today: string): number => dropOld.run(source, since(today)).changes,
  };
}

const SAVE_EVERY_MS = 10 * 60_000;

type BarKeeperDeps = {
  db: Db;
  source: string;
  bars: BarStore;
  seen: SeenTimes;
  adjustments: Adjustments;
  log: Log;
  everyMs?: number;
};

/**
 * Stores bars of sources without a deep history every ten minutes, at a new date and at the stop, because
 * more would wear out an SD card. Minutes and running days are in one transaction, so both end at the same
 * quotes. A failed save is logged and repeated.
 */
export class BarKeeper {
  private readonly days: ReturnType<typeof createSavedDays>;
  private readonly minutes: SavedMinutes;
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly saved = new WeakSet<CurrentDay>();

  constructor(private readonly deps: BarKeeperDeps) {
    this.days = createSavedDays(deps.db, deps.source, deps.adjustments);
    this.minutes = new SavedMinutes(deps.db, deps.source, deps.log, deps.adjustments);
  }

  /** Loads earlier bars in slices; call it before the source starts. */
  async restore(): Promise<void> {
    const { bars, log, seen } = this.deps;
    const count = await this.days.load(bars, this.today());
    if (count > 0) log.info('Restored daily bars', { count });
    await this.minutes.load(bars, this.today());
    seen.restore();
  }

  start(): void {
    this.timer ??= setInterval(() => this.save(), this.deps.everyMs ?? SAVE_EVERY_MS);
  }

  daysOf(code: string): BarRow[] {
    return this.days.of(code);
  }

  prune(): number {
    return this.days.prune(this.today()) + this.minutes.prune(this.today());
  }

  /** Saves the minutes within an adjustment's transaction, before they are scaled. */
  beforeAdjustment(): void {
    this.minutes.save(this.deps.bars, this.today());
  }

  adjusted(code: string, day: number): void {
    this.minutes.rescaled(code, day);
  }

  rejoin(code: string, temporary: string): void {
    const { bars } = this.deps;
    const { days } = bars.ensure(code);
    const last = days.last()?.key ?? 0;
    const rows = this.days.of(temporary).filter(({ key }) => key > last && key < bars.today());
    this.days.put(code, rows);
    for (const row of rows) days.put(row);
  }

  save(): void {
    const { bars, seen, log } = this.deps;
    const changed = [...bars.all()].filter(({ today }) => today !== null && !this.saved.has(today));
    try {
      this.minutes.save(bars, this.today(), () => {
        this.days.save(changed);
        seen.save();
      });
      for (const { today } of changed) if (today) this.saved.add(today);
    } catch (error) {
      log.error('Could not save the bars; trying again later', { error });
    }
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.save();
  }

  private today(): string {
    return dateOf(this.deps.bars.today());
  }
}
