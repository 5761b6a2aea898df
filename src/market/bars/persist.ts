import type { Db } from '../../platform/db/open.ts';
import { phaseAt } from '../rules/sessionClock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { SeenTimes } from './coverage.ts';
import type { BarRow } from './rows.ts';
import { dateOf } from '../rules/localTime.ts';
import { createSavedDays } from './savedDays.ts';
import { createSavedMinutes } from './savedMinutes.ts';
import type { BarStore } from './store.ts';

const SAVE_EVERY_MS = 10 * 60_000;

export type BarKeeper = {
  /** Reads the bars of earlier runs into the store, in slices; to be called before the source starts. */
  restore(): Promise<void>;
  /** Starts saving minutes at intervals, and days after the close. */
  start(): void;
  /** Saves the running days whose date is over. */
  newDay(): void;
  /** The saved days of one stock, oldest first; their keys are day numbers. */
  daysOf(code: string): BarRow[];
  /** Drops bars that are too old. @returns how many rows */
  prune(): number;
  /** Saves everything that is not saved yet, and stops. */
  stop(): void;
};

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
export function createBarKeeper(deps: BarKeeperDeps): BarKeeper {
  const { db, source, bars, seen, clock, log, everyMs = SAVE_EVERY_MS } = deps;
  const days = createSavedDays(db, source);
  const minutes = createSavedMinutes(db, source, log);
  let timer: ReturnType<typeof setInterval> | undefined;
  /** The date whose running days were saved after the close. */
  let closedDate: string | null = null;

  const today = (): string => dateOf(bars.today());

  function attempt(what: string, save: () => void): void {
    try {
      save();
    } catch (error) {
      log.error(`The ${what} could not be saved; trying again later`, { error });
    }
  }

  /** @param isDue which running days to save, by their day number; @param onSaved called when they were */
  function saveDays(isDue: (day: number) => boolean, onSaved?: () => void): void {
    const due = [...bars.all()].filter((stockBars) => stockBars.today !== null && isDue(stockBars.today.day));
    if (due.length === 0) return;
    attempt('daily bars', () => {
      days.save(due);
      onSaved?.();
    });
  }

  const saveMinutes = (): void =>
    attempt('minute bars', () => {
      minutes.save(bars, today());
      seen.save();
    });

  /** Once a date: the running days, when the market has closed. */
  function saveAfterClose(): void {
    const { phase } = phaseAt(clock.now());
    const date = today();
    if ((phase !== 'adjust' && phase !== 'closed') || closedDate === date) return;
    saveDays(
      (day) => day === bars.today(),
      () => {
        closedDate = date;
      },
    );
  }

  return {
    async restore() {
      const count = await days.load(bars, today());
      if (count > 0) log.info('Daily bars restored', { count });
      await minutes.load(bars, today());
      seen.restore();
    },
    start() {
      timer ??= setInterval(() => {
        saveMinutes();
        saveAfterClose();
      }, everyMs);
    },
    newDay() {
      closedDate = null;
      saveDays((day) => day < bars.today());
    },
    daysOf: days.of,
    prune: () => days.prune(today()) + minutes.prune(today()),
    stop() {
      clearInterval(timer);
      timer = undefined;
      saveMinutes();
      saveDays(() => true);
    },
  };
}
