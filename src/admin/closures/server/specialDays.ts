import type { Log } from '#lib/log.ts';
import { holdSpecialDays, type SpecialDay } from '#market/rules/tradingDay.ts';
import type { App } from '#platform/app.ts';
import { lateProblem } from '../rules/specialDayForm.ts';
import { asc, eq } from 'drizzle-orm';
import { specialDays } from '#src/tables/administrationSchema.ts';
import type { Db } from '#platform/db/open.ts';

export type SpecialDayRow = typeof specialDays.$inferSelect;

export const closureStore = (db: Db) => ({
  all: (): SpecialDayRow[] => db.select().from(specialDays).orderBy(asc(specialDays.date)).all(),
  /** Adds a day, or replaces the entry for that date. */
  put(day: SpecialDay, bySetting: boolean, addedAt: number): void {
    const row = { ...day, bySetting, addedAt };
    db.insert(specialDays).values(row).onConflictDoUpdate({ target: specialDays.date, set: row }).run();
  },
  remove: (date: string): void => void db.delete(specialDays).where(eq(specialDays.date, date)).run(),
  inTransaction: <T>(work: () => T): T => db.transaction(() => work()),
});

export type ClosureStore = ReturnType<typeof closureStore>;

export const dayOf = ({ date, kind, closesAt, reason }: SpecialDayRow): SpecialDay => ({
  date,
  kind,
  closesAt,
  reason,
});

const isSame = (one: SpecialDay, other: SpecialDay): boolean =>
  one.kind === other.kind && one.closesAt === other.closesAt && one.reason === other.reason;

/** Applies changes of the setting, unless it is too late for them. */
function takeSetting(
  store: ClosureStore,
  wanted: readonly SpecialDay[],
  { now, log }: { now: number; log: Log },
): void {
  const rows = new Map(store.all().map((row) => [row.date, row]));
  for (const day of wanted) {
    const row = rows.get(day.date);
    if (row && isSame(row, day) && row.bySetting) continue;
    const problem = lateProblem(day.date, { before: row ? dayOf(row) : null, after: day }, now);
    if (problem === null) store.put(day, true, now);
    else if (!row || !isSame(row, day))
      log.warn('Ignored a day in BELLBIRD_MARKET_CLOSURES', { date: day.date, reason: problem });
  }
  const named = new Set(wanted.map(({ date }) => date));
  for (const row of rows.values()) {
    const isGone = row.bySetting && !named.has(row.date);
    if (isGone && lateProblem(row.date, { before: dayOf(row), after: null }, now) === null)
      store.remove(row.date);
  }
}

/** Registers the days of a database with the calendar of this process. */
export const publish = (db: Db, store: ClosureStore): void => holdSpecialDays(db, store.all().map(dayOf));

export const withdraw = (db: Db): void => holdSpecialDays(db, []);

/**
 * Copies the setting's days into the database and registers all days, before any part reads a calendar.
 * @param now epoch ms
 */
export function applyClosures({ config, db, log }: Pick<App, 'config' | 'db' | 'log'>, now: number): void {
  const store = closureStore(db);
  store.inTransaction(() => takeSetting(store, config.marketClosures, { now, log: log.child('closures') }));
  publish(db, store);
}
