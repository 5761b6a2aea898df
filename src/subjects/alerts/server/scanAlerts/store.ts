import { and, count, eq, lt, ne, sql } from 'drizzle-orm';
import { scanAlertMutes, scanAlerts } from '#src/tables/scanAlertSchema.ts';
import { destinationsOf } from '#subjects/alerts/rules/alert.ts';
import { mannerOf } from '#subjects/alerts/rules/manner.ts';
import type { ScanAlert } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { groupsOf } from '../groups.ts';
import { ScanTriggerStore } from './triggerStore.ts';

export type ScanAlertRow = typeof scanAlerts.$inferSelect;
export type NewScanAlertRow = typeof scanAlerts.$inferInsert;
export type ScanAlertChange = Partial<Omit<NewScanAlertRow, 'id' | 'userId' | 'createdAt'>>;

/** A row as the rules and the engine see it. */
export const toScanAlert = (row: ScanAlertRow): ScanAlert => ({
  id: row.id,
  userId: row.userId,
  name: row.name,
  scan: row.scan,
  event: row.event,
  scope: row.scope,
  cooldownMinutes: row.cooldownMinutes,
  dayMaximum: row.dayMaximum,
  minuteMaximum: row.minuteMaximum,
  active: row.active,
  destinations: destinationsOf(row),
  guard: row.guard,
  version: row.version,
  lastTriggeredAt: row.lastTriggeredAt,
  snoozedUntil: row.snoozedUntil,
  ...mannerOf(row),
});

const isOwn = (userId: number, id: number) => and(eq(scanAlerts.id, id), eq(scanAlerts.userId, userId));

/** SQL of scan alerts and of what they told. */
export class ScanAlertStore extends ScanTriggerStore {
  ofUser(userId: number): ScanAlertRow[] {
    return this.db
      .select()
      .from(scanAlerts)
      .where(eq(scanAlerts.userId, userId))
      .orderBy(scanAlerts.id)
      .all();
  }

  own(userId: number, id: number): ScanAlertRow | undefined {
    return this.db.select().from(scanAlerts).where(isOwn(userId, id)).get();
  }

  /** Of all alerts of the user. */
  groups(userId: number): string[] {
    return groupsOf(this.db, userId);
  }

  count(userId: number): number {
    return this.db.select({ n: count() }).from(scanAlerts).where(eq(scanAlerts.userId, userId)).get()?.n ?? 0;
  }

  /** Those that are on. @param without an alert that is left out */
  activeCount(userId: number, without: number | null): number {
    const { userId: owner, active, id } = scanAlerts;
    const isCounted = and(
      eq(owner, userId),
      eq(active, true),
      without === null ? undefined : ne(id, without),
    );
    return this.db.select({ n: count() }).from(scanAlerts).where(isCounted).get()?.n ?? 0;
  }

  insert(row: NewScanAlertRow): ScanAlertRow {
    return this.db.insert(scanAlerts).values(row).returning().get();
  }

  /** @returns the row as it is then; nothing when there is no such alert of the user's */
  update(userId: number, id: number, change: ScanAlertChange): ScanAlertRow | undefined {
    return this.db.update(scanAlerts).set(change).where(isOwn(userId, id)).returning().get();
  }

  remove(userId: number, id: number): ScanAlertRow | undefined {
    return this.db.delete(scanAlerts).where(isOwn(userId, id)).returning().get();
  }

  mutes(scanAlertId: number, session: string): string[] {
    return this.db
      .select({ symbol: scanAlertMutes.symbol })
      .from(scanAlertMutes)
      .where(and(eq(scanAlertMutes.scanAlertId, scanAlertId), eq(scanAlertMutes.session, session)))
      .orderBy(scanAlertMutes.symbol)
      .all()
      .map(({ symbol }) => symbol);
  }

  mute(scanAlertId: number, symbol: string, session: string): void {
    this.db
      .insert(scanAlertMutes)
      .values({ scanAlertId, symbol, session })
      .onConflictDoUpdate({ target: [scanAlertMutes.scanAlertId, scanAlertMutes.symbol], set: { session } })
      .run();
  }

  unmute(scanAlertId: number, symbol: string): void {
    this.db
      .delete(scanAlertMutes)
      .where(and(eq(scanAlertMutes.scanAlertId, scanAlertId), eq(scanAlertMutes.symbol, symbol)))
      .run();
  }

  /** Drops those of other sessions. @returns how many */
  dropOldMutes(session: string, most: number): number {
    return this.db
      .delete(scanAlertMutes)
      .where(
        sql`rowid IN (SELECT rowid FROM ${scanAlertMutes} WHERE ${lt(scanAlertMutes.session, session)} LIMIT ${most})`,
      )
      .returning({ symbol: scanAlertMutes.symbol })
      .all().length;
  }
}
