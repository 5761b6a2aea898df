import { and, count, eq, sql } from 'drizzle-orm';
import { lazy } from '#lib/lazy.ts';
import { alerts, scanAlerts, watchlists } from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { inScan } from '#subjects/conditions/rules/savedScan.ts';
import type { NamedList } from '#subjects/conditions/rules/scanLists.ts';
import { catalogs, indicatorPrefs, indicatorScans, users } from '#platform/db/schema.ts';

export type ScanRow = typeof indicatorScans.$inferSelect;

const catalogQueries = (db: Db) => ({
  catalog: (key: string) => db.select().from(catalogs).where(eq(catalogs.key, key)).get(),

  saveCatalog: (key: string, fetchedAt: number, fields: unknown): void => {
    db.insert(catalogs)
      .values({ key, fetchedAt, fields })
      .onConflictDoUpdate({ target: catalogs.key, set: { fetchedAt, fields } })
      .run();
  },
});

const selectionQueries = (db: Db) => ({
  refs: (userId: number): unknown =>
    db.select().from(indicatorPrefs).where(eq(indicatorPrefs.userId, userId)).get()?.refs,

  saveRefs: (userId: number, refs: unknown): void => {
    db.insert(indicatorPrefs)
      .values({ userId, refs })
      .onConflictDoUpdate({ target: indicatorPrefs.userId, set: { refs } })
      .run();
  },
});

const isOwn = (userId: number, id: number) =>
  and(eq(indicatorScans.id, id), eq(indicatorScans.userId, userId));

/** Prepared, because every scan of an import runs them. */
const preparedScans = (db: Db) => ({
  countOf: db
    .select({ n: count() })
    .from(indicatorScans)
    .where(eq(indicatorScans.userId, sql.placeholder('userId')))
    .prepare(),
  named: db
    .select()
    .from(indicatorScans)
    .where(
      and(
        eq(indicatorScans.userId, sql.placeholder('userId')),
        eq(indicatorScans.nameKey, sql.placeholder('nameKey')),
      ),
    )
    .prepare(),
});

const scanQueries = (db: Db, prepared = lazy(() => preparedScans(db))) => ({
  scans: (userId: number): ScanRow[] =>
    db
      .select()
      .from(indicatorScans)
      .where(eq(indicatorScans.userId, userId))
      .orderBy(indicatorScans.nameKey)
      .all(),

  scan: (userId: number, id: number): ScanRow | undefined =>
    db.select().from(indicatorScans).where(isOwn(userId, id)).get(),

  scanCount: (userId: number): number => prepared().countOf.get({ userId })?.n ?? 0,

  scanNamed: (userId: number, nameKey: string): ScanRow | undefined =>
    prepared().named.get({ userId, nameKey }),

  addScan: (row: Omit<ScanRow, 'id'>): ScanRow => db.insert(indicatorScans).values(row).returning().get(),

  changeScan: (
    userId: number,
    id: number,
    change: Partial<Pick<ScanRow, 'name' | 'nameKey' | 'logic' | 'lists' | 'updatedAt'>>,
  ): ScanRow | undefined => db.update(indicatorScans).set(change).where(isOwn(userId, id)).returning().get(),

  listsOf: (userId: number): NamedList[] =>
    db
      .select({ id: watchlists.id, name: watchlists.name })
      .from(watchlists)
      .where(eq(watchlists.userId, userId))
      .all(),

  removeScan: (userId: number, id: number): boolean =>
    db.delete(indicatorScans).where(isOwn(userId, id)).returning({ id: indicatorScans.id }).all().length > 0,
});

const demandQueries = (db: Db) => ({
  columnPreferences: (userId: number): Record<string, unknown> =>
    db.select({ saved: users.columnPreferences }).from(users).where(eq(users.id, userId)).get()?.saved ?? {},

  /** Conditions of a user's active alerts; ids of those on scans are negative. */
  activeAlerts: (userId: number): { id: number; logic: unknown }[] => [
    ...db
      .select({ id: alerts.id, logic: alerts.logic })
      .from(alerts)
      // The sign prevents SQLite from scanning all active alerts by their index.
      .where(and(eq(alerts.userId, userId), sql`+${alerts.active} = 1`))
      .all(),
    ...db
      .select({ id: scanAlerts.id, scan: scanAlerts.scan })
      .from(scanAlerts)
      .where(and(eq(scanAlerts.userId, userId), eq(scanAlerts.active, true)))
      .all()
      .flatMap(({ id, scan }) => (scan.type === 'scan' ? { id: -id, logic: inScan(scan) } : [])),
  ],

  /** Data that decides the priority in a shortage; undefined for a deleted account. */
  account: (userId: number) =>
    db
      .select({
        subscriptionType: users.subscriptionType,
        isAdmin: users.isAdmin,
        createdAt: users.createdAt,
      })
      .from(users)
      .where(eq(users.id, userId))
      .get(),

  userIds: (): number[] =>
    db
      .select({ id: users.id })
      .from(users)
      .all()
      .map((row) => row.id),
});

export const indicatorStore = (db: Db) => ({
  ...catalogQueries(db),
  ...selectionQueries(db),
  ...scanQueries(db),
  ...demandQueries(db),
});

export type IndicatorStore = ReturnType<typeof indicatorStore>;
