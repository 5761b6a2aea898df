import type { Db } from '../../platform/db/open.ts';
import { phaseAt } from '../rules/sessionClock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { SeenTimes } from './coverage.ts';
import { type BarRow, rowOf } from './rows.ts';
import { dateOf, dayOf } from '../rules/localTime.ts';
import { SavedMinutes } from './savedMinutes.ts';
import type { BarStore } from './store.ts';
import { addDays } from '../rules/sydneyTime.ts';
import { nextTurn } from '../../lib/nextTurn.ts';
import type { StockBars } from './currentDay.ts';

/** A year, and what a long holiday may add. */
const KEPT_DAYS = 380;
/** Rows read before other work gets its turn: about 5 ms. */
const ROWS_A_SLICE = 4000;

const since = (today: string): string => addDays(today, -KEPT_DAYS);

/** The daily bars of one source in the database. Dates are those of Sydney, YYYY-MM-DD. */
type SavedDays = {
  /** Puts the bars up to `today` into the store, in slices. @returns how many there are */
  load(bars: BarStore, today: string): Promise<number>;
  /** The bars of one stock, oldest first; their keys are day numbers. */
  of(code: string): BarRow[];
  /** Saves the running days of these stocks in one transaction. */
  save(stocks: Iterable<StockBars>): void;
  /** Drops bars that are too old. @returns how many */
  prune(today: string): number;
};

type DailyRow = Omit<BarRow, 'key'> & { code: string; date: string };

/** @param source its name; bars of other sources are neither read nor changed */
function createSavedDays(db: Db, source: string): SavedDays {
  const select = db.$client.query<DailyRow, [string, string, string]>(
    'SELECT code, date, open, high, low, close, volume FROM daily_bars ' +
      'WHERE source = ? AND date >= ? AND date <= ? ORDER BY code, date',
  );
  const selectOne = db.$client.query<DailyRow, [string, string]>(
    'SELECT code, date, open, high, low, close, volume FROM daily_bars WHERE source = ? AND code = ? ORDER BY date',
  );
  const upsert = db.$client.query(
    'INSERT INTO daily_bars (source, code, date, open, high, low, close, volume) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ' +
      'ON CONFLICT (source, code, date) DO UPDATE SET open = excluded.open, high = excluded.high, low = excluded.low, ' +
      'close = excluded.close, volume = excluded.volume',
  );
  const dropOld = db.$client.query('DELETE FROM daily_bars WHERE source = ? AND date < ?');

  return {
    async load(bars, today) {
      let count = 0;
      for (const { code, date, ...figures } of select.iterate(source, since(today), today)) {
        const stockBars = bars.ensure(code);
        if (date === today) stockBars.today = { day: dayOf(date), ...figures };
        else stockBars.days.put({ key: dayOf(date), ...figures });
        count += 1;
        if (count % ROWS_A_SLICE === 0) await nextTurn();
      }
      return count;
    },
    of: (code) => selectOne.all(source, code).map(({ date, ...figures }) => rowOf(figures, dayOf(date))),
    save: db.$client.transaction((stocks: Iterable<StockBars>) => {
      for (const { code, today: running } of stocks) {
        if (!running) continue;
        const { day, open, high, low, close, volume } = running;
        upsert.run(source, code, dateOf(day), open, high, low, close, volume);
      }
    }),
    prune: (today) => dropOld.run(source, since(today)).changes,
  };
}

const SAVE_EVERY_MS = 10 * 60_000;

export type BarKeeperDeps = {
  db: Db;
  /** The name of the source whose bars are kept. */
  source: string;
  bars: BarStore;
  /** Written with the minutes. */
  seen: Pick<SeenTimes, 'restore' | 'save'>;
  /** The market's clock. */
  clock: Clock;
  log: Log;
  everyMs?: number;
};

/**
 * Keeps bars over a restart, for sources that can't supply their past again. Days are saved in one transaction after the
 * close, at a new date and at the stop; minutes are appended every ten minutes in one packed row, so that an SD card does
 * not wear out. What can't be saved is logged and tried again at the next interval.
 */
export class BarKeeper {
  private readonly days: SavedDays;
  private readonly minutes: SavedMinutes;
  private timer: ReturnType<typeof setInterval> | undefined;
  /** The date whose running days were saved after the close. */
  private closedDate: string | null = null;

  constructor(private readonly deps: BarKeeperDeps) {
    this.days = createSavedDays(deps.db, deps.source);
    this.minutes = new SavedMinutes(deps.db, deps.source, deps.log);
  }

  /** Reads the bars of earlier runs into the store, in slices; to be called before the source starts. */
  async restore(): Promise<void> {
    const { bars, log, seen } = this.deps;
    const count = await this.days.load(bars, this.today());
    if (count > 0) log.info('Daily bars restored', { count });
    await this.minutes.load(bars, this.today());
    seen.restore();
  }

  /** Starts saving minutes at intervals, and days after the close. */
  start(): void {
    this.timer ??= setInterval(() => {
      this.saveMinutes();
      this.saveAfterClose();
    }, this.deps.everyMs ?? SAVE_EVERY_MS);
  }

  /** Saves the running days whose date is over. */
  newDay(): void {
    this.closedDate = null;
    this.saveDays((day) => day < this.deps.bars.today());
  }

  /** The saved days of one stock, oldest first; their keys are day numbers. */
  daysOf(code: string): BarRow[] {
    return this.days.of(code);
  }

  /** Drops bars that are too old. @returns how many rows */
  prune(): number {
    return this.days.prune(this.today()) + this.minutes.prune(this.today());
  }

  /** Saves everything that is not saved yet, and stops. */
  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.saveMinutes();
    this.saveDays(() => true);
  }

  private today(): string {
    return dateOf(this.deps.bars.today());
  }

  private attempt(what: string, save: () => void): void {
    try {
      save();
    } catch (error) {
      this.deps.log.error(`The ${what} could not be saved; trying again later`, { error });
    }
  }

  /** @param isDue which running days to save, by their day number; @param onSaved called when they were */
  private saveDays(isDue: (day: number) => boolean, onSaved?: () => void): void {
    const due = [...this.deps.bars.all()].filter(({ today }) => today !== null && isDue(today.day));
    if (due.length === 0) return;
    this.attempt('daily bars', () => {
      this.days.save(due);
      onSaved?.();
    });
  }

  private saveMinutes(): void {
    this.attempt('minute bars', () => {
      this.minutes.save(this.deps.bars, this.today());
      this.deps.seen.save();
    });
  }

  /** Once a date: the running days, when the market has closed. */
  private saveAfterClose(): void {
    const { phase } = phaseAt(this.deps.clock.now());
    const date = this.today();
    if ((phase !== 'adjust' && phase !== 'closed') || this.closedDate === date) return;
    this.saveDays(
      (day) => day === this.deps.bars.today(),
      () => {
        this.closedDate = date;
      },
    );
  }
}
