import type { Db } from '../../platform/db/open.ts';
import { addDays } from '../rules/sydneyTime.ts';
import { nextTurn } from '../../lib/nextTurn.ts';
import type { StockBars } from './currentDay.ts';
import { dateOf, dayOf } from '../rules/localTime.ts';
import { type BarRow, rowOf } from './rows.ts';
import type { BarStore } from './store.ts';

/** A year, and what a long holiday may add. */
const KEPT_DAYS = 380;
/** Rows read before other work gets its turn: about 5 ms. */
const ROWS_A_SLICE = 4000;

const since = (today: string): string => addDays(today, -KEPT_DAYS);

/** The daily bars of one source in the database. Dates are those of Sydney, YYYY-MM-DD. */
export type SavedDays = {
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
export function createSavedDays(db: Db, source: string): SavedDays {
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
