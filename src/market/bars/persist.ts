import type { Db } from '../../db/open.ts';
import { phaseAt } from '../../domain/market/sessionClock.ts';
import { addDays } from '../../domain/market/sydneyTime.ts';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/clock.ts';
import type { StockBars } from './currentDay.ts';
import { dateOf, dayOf } from './localTime.ts';
import { packSegment, type Segment, unpackSegment } from './segments.ts';
import type { BarRow } from './rows.ts';
import type { BarStore } from './store.ts';

/** A year, and what a long holiday may add. */
const KEPT_DAYS = 380;
/** Five trading days lie in eight days, Easter included. */
const KEPT_MINUTES = 9;
const MINUTES_EVERY_MS = 10 * 60_000;
/** Rows read before other work gets its turn: about 5 ms. */
const SLICE = 4000;

export type BarKeeper = {
  /** Reads what an earlier run kept into the store, in slices; to be called before the feed starts. */
  restore(): Promise<void>;
  /** Starts writing now and then. */
  start(): void;
  /** Running days whose date is over are written. */
  newDay(stocks: Iterable<StockBars>): void;
  /** To be called once in a while: writes the running days after the close. */
  afterClose(): void;
  /** Writes everything that is not written yet, and stops. */
  stop(): void;
};

export type BarKeeperDeps = {
  db: Db;
  bars: BarStore;
  /** The market's clock. */
  clock: Clock;
  log: Log;
  everyMs?: number;
};

type DailyRow = Omit<BarRow, 'key'> & { code: string; date: string };

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Keeps bars over a restart, for feeds that can't give their past again. Days are one transaction after the close, at a
 * new date and at the stop; minutes are appended every ten minutes in one packed row, so that no card wears out.
 */
export function createBarKeeper({
  db,
  bars,
  clock,
  log,
  everyMs = MINUTES_EVERY_MS,
}: BarKeeperDeps): BarKeeper {
  const readDays = db.$client.query<DailyRow, [string, string]>(
    'SELECT code, date, open, high, low, close, volume FROM daily_bars WHERE date >= ? AND date <= ? ORDER BY code, date',
  );
  const writeDay = db.$client.query(
    'INSERT INTO daily_bars (code, date, open, high, low, close, volume) VALUES (?, ?, ?, ?, ?, ?, ?) ' +
      'ON CONFLICT (code, date) DO UPDATE SET open = excluded.open, high = excluded.high, low = excluded.low, ' +
      'close = excluded.close, volume = excluded.volume',
  );
  const forgetDays = db.$client.query('DELETE FROM daily_bars WHERE date < ?');
  const listMinutes = db.$client.query<{ id: number }, [string]>(
    'SELECT id FROM minute_segments WHERE date >= ? ORDER BY id',
  );
  const readMinutes = db.$client.query<{ bars: Uint8Array }, [number]>(
    'SELECT bars FROM minute_segments WHERE id = ?',
  );
  const writeMinutes = db.$client.query('INSERT INTO minute_segments (date, bars) VALUES (?, ?)');
  const forgetMinutes = db.$client.query('DELETE FROM minute_segments WHERE date < ?');
  /** Of each stock, the last minute that was written and what it had traded then. */
  const written = new Map<string, { key: number; volume: number }>();
  let timer: ReturnType<typeof setInterval> | undefined;
  /** The date whose running days were written after the close. */
  let closed: string | null = null;

  const today = (): string => dateOf(bars.today());

  const saveDays = db.$client.transaction((stocks: readonly StockBars[]) => {
    for (const { code, today: running } of stocks) {
      if (!running) continue;
      const { day, open, high, low, close, volume } = running;
      writeDay.run(code, dateOf(day), open, high, low, close, volume);
    }
    forgetDays.run(addDays(today(), -KEPT_DAYS));
  });

  const attempt = (what: string, run: () => void): void => {
    try {
      run();
    } catch (error) {
      log.error(`The ${what} could not be saved; trying again later`, { error });
    }
  };

  const newRows = (stockBars: StockBars): BarRow[] => {
    const { minutes } = stockBars;
    const last = minutes.last();
    if (!last) return [];
    const before = written.get(stockBars.code);
    if (before?.key === last.key && before.volume === last.volume) return [];
    const rows: BarRow[] = [];
    // The last written minute may have gone on since.
    for (let index = minutes.indexFrom(before?.key ?? 0); index < minutes.length(); index += 1) {
      const row = minutes.at(index);
      if (row) rows.push(row);
    }
    return rows;
  };

  const saveMinutes = (): void => {
    const segment: Segment = new Map();
    for (const stockBars of bars.all()) {
      const rows = newRows(stockBars);
      if (rows.length > 0) segment.set(stockBars.code, rows);
    }
    if (segment.size === 0) return;
    attempt('minute bars', () => {
      writeMinutes.run(today(), packSegment(segment));
      forgetMinutes.run(addDays(today(), -KEPT_MINUTES));
      for (const [code, rows] of segment) {
        const last = rows.at(-1);
        if (last) written.set(code, { key: last.key, volume: last.volume });
      }
    });
  };

  const restoreDays = async (): Promise<void> => {
    const date = today();
    let count = 0;
    for (const { code, date: of, open, high, low, close, volume } of readDays.iterate(
      addDays(date, -KEPT_DAYS),
      date,
    )) {
      const stockBars = bars.open(code);
      if (of === date) stockBars.today = { day: dayOf(of), open, high, low, close, volume };
      else stockBars.days.put({ key: dayOf(of), open, high, low, close, volume });
      count += 1;
      if (count % SLICE === 0) await nextTurn();
    }
    if (count > 0) log.info('Daily bars restored', { count });
  };

  const restoreMinutes = async (): Promise<void> => {
    for (const { id } of listMinutes.all(addDays(today(), -KEPT_MINUTES))) {
      const found = readMinutes.get(id);
      const segment = found ? unpackSegment(found.bars) : null;
      if (!segment) log.warn('Saved minute bars are unreadable and were left out', { id });
      for (const [code, rows] of segment ?? []) {
        const { minutes } = bars.open(code);
        for (const row of rows) minutes.put(row);
        const last = minutes.last();
        if (last) written.set(code, { key: last.key, volume: last.volume });
      }
      await nextTurn();
    }
  };

  const afterClose = (): void => {
    const { phase } = phaseAt(clock.now());
    const date = today();
    if ((phase !== 'adjust' && phase !== 'closed') || closed === date) return;
    const stocks = [...bars.all()].filter((stockBars) => stockBars.today?.day === bars.today());
    if (stocks.length === 0) return;
    attempt('daily bars', () => {
      saveDays(stocks);
      closed = date;
    });
  };

  return {
    async restore() {
      await restoreDays();
      await restoreMinutes();
    },
    start() {
      timer ??= setInterval(() => {
        saveMinutes();
        afterClose();
      }, everyMs);
    },
    newDay(stocks) {
      closed = null;
      const over = [...stocks].filter(
        (stockBars) => stockBars.today !== null && stockBars.today.day < bars.today(),
      );
      if (over.length > 0) attempt('daily bars', () => saveDays(over));
    },
    afterClose,
    stop() {
      clearInterval(timer);
      timer = undefined;
      saveMinutes();
      const running = [...bars.all()].filter((stockBars) => stockBars.today !== null);
      if (running.length > 0) attempt('daily bars', () => saveDays(running));
    },
  };
}
