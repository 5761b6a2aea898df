import { and, count, desc, eq, inArray, lt, lte, max, or, sql } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { scanAlertMutes, scanAlerts, scanAlertTriggers } from '../../db/scanAlertSchema.ts';
import type { TriggerBound } from '../../domain/alerts/triggerList.ts';
import type { ScanAlert } from '../../domain/scanAlerts/scanAlert.ts';
import type { ScanTrigger } from '../../domain/scanAlerts/scanTrigger.ts';

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
  destinations: { telegram: row.telegram, discord: row.discord },
  version: row.version,
  lastTriggeredAt: row.lastTriggeredAt,
  snoozedUntil: row.snoozedUntil,
});

const isOwn = (userId: number, id: number) => and(eq(scanAlerts.id, id), eq(scanAlerts.userId, userId));

/** The alerts of triggers that are about to go remember when they told something last. */
function keepLast(db: Db, triggerIds: readonly number[]): void {
  const last = db
    .select({ id: scanAlertTriggers.scanAlertId, at: max(scanAlertTriggers.triggeredAt) })
    .from(scanAlertTriggers)
    .where(inArray(scanAlertTriggers.id, [...triggerIds]))
    .groupBy(scanAlertTriggers.scanAlertId)
    .all();
  for (const { id, at } of last) {
    db.update(scanAlerts).set({ lastTriggeredAt: at }).where(eq(scanAlerts.id, id)).run();
  }
}

const triggerQueries = (db: Db) => ({
  /** Newest first. */
  triggers: (userId: number, scanAlertId: number, limit: number): ScanTrigger[] =>
    db
      .select()
      .from(scanAlertTriggers)
      .where(and(eq(scanAlertTriggers.scanAlertId, scanAlertId), eq(scanAlertTriggers.userId, userId)))
      .orderBy(desc(scanAlertTriggers.id))
      .limit(limit)
      .all(),

  /** The newest of all of a user's alerts behind a place, newest first, with the names of their alerts. */
  ownTriggers: (userId: number, { at, id }: TriggerBound, limit: number) =>
    db
      .select({ trigger: scanAlertTriggers, name: scanAlerts.name })
      .from(scanAlertTriggers)
      .innerJoin(scanAlerts, eq(scanAlerts.id, scanAlertTriggers.scanAlertId))
      .where(
        and(
          eq(scanAlertTriggers.userId, userId),
          lte(scanAlertTriggers.triggeredAt, at),
          or(lt(scanAlertTriggers.triggeredAt, at), lt(scanAlertTriggers.id, id)),
        ),
      )
      .orderBy(desc(scanAlertTriggers.triggeredAt), desc(scanAlertTriggers.id))
      .limit(limit)
      .all(),

  trigger: (userId: number, id: number): ScanTrigger | undefined =>
    db
      .select()
      .from(scanAlertTriggers)
      .where(and(eq(scanAlertTriggers.id, id), eq(scanAlertTriggers.userId, userId)))
      .get(),

  /** Drops triggers from before then, the oldest first and so many at most. @returns how many */
  dropOldTriggers: (before: number, most: number): number => {
    const oldest = db
      .select({ id: scanAlertTriggers.id, at: scanAlertTriggers.triggeredAt })
      .from(scanAlertTriggers)
      .orderBy(scanAlertTriggers.id)
      .limit(most)
      .all();
    const old = oldest.filter(({ at }) => at < before).map(({ id }) => id);
    if (old.length > 0) {
      keepLast(db, old);
      db.delete(scanAlertTriggers).where(inArray(scanAlertTriggers.id, old)).run();
    }
    return old.length;
  },

  /** When an alert told something last, epoch ms; null when no trigger of it is kept. */
  lastTriggered: (scanAlertId: number): number | null =>
    db
      .select({ at: scanAlertTriggers.triggeredAt })
      .from(scanAlertTriggers)
      .where(eq(scanAlertTriggers.scanAlertId, scanAlertId))
      .orderBy(desc(scanAlertTriggers.id))
      .limit(1)
      .get()?.at ?? null,

  /** Drops triggers of an alert from before then but for its newest so many. @returns how many */
  dropSurplusOf: (scanAlertId: number, before: number, kept: number, most: number): number => {
    const surplus = db
      .select({ id: scanAlertTriggers.id, at: scanAlertTriggers.triggeredAt })
      .from(scanAlertTriggers)
      .where(eq(scanAlertTriggers.scanAlertId, scanAlertId))
      .orderBy(desc(scanAlertTriggers.id))
      .limit(most)
      .offset(kept)
      .all()
      .filter(({ at }) => at < before)
      .map(({ id }) => id);
    if (surplus.length > 0) db.delete(scanAlertTriggers).where(inArray(scanAlertTriggers.id, surplus)).run();
    return surplus.length;
  },
  ids: (): number[] =>
    db
      .select({ id: scanAlerts.id })
      .from(scanAlerts)
      .all()
      .map(({ id }) => id),
});

const muteQueries = (db: Db) => ({
  mutes: (scanAlertId: number, session: string): string[] =>
    db
      .select({ symbol: scanAlertMutes.symbol })
      .from(scanAlertMutes)
      .where(and(eq(scanAlertMutes.scanAlertId, scanAlertId), eq(scanAlertMutes.session, session)))
      .orderBy(scanAlertMutes.symbol)
      .all()
      .map(({ symbol }) => symbol),

  mute: (scanAlertId: number, symbol: string, session: string): void => {
    db.insert(scanAlertMutes)
      .values({ scanAlertId, symbol, session })
      .onConflictDoUpdate({ target: [scanAlertMutes.scanAlertId, scanAlertMutes.symbol], set: { session } })
      .run();
  },

  unmute: (scanAlertId: number, symbol: string): void => {
    db.delete(scanAlertMutes)
      .where(and(eq(scanAlertMutes.scanAlertId, scanAlertId), eq(scanAlertMutes.symbol, symbol)))
      .run();
  },

  /** Drops those of other sessions. @returns how many */
  dropOldMutes: (session: string, most: number): number =>
    db
      .delete(scanAlertMutes)
      .where(
        sql`rowid IN (SELECT rowid FROM ${scanAlertMutes} WHERE ${lt(scanAlertMutes.session, session)} LIMIT ${most})`,
      )
      .returning({ symbol: scanAlertMutes.symbol })
      .all().length,
});

/** SQL of scan alerts and of what they told. */
export const scanAlertStore = (db: Db) => ({
  ofUser: (userId: number): ScanAlertRow[] =>
    db.select().from(scanAlerts).where(eq(scanAlerts.userId, userId)).orderBy(scanAlerts.id).all(),
  own: (userId: number, id: number): ScanAlertRow | undefined =>
    db.select().from(scanAlerts).where(isOwn(userId, id)).get(),
  count: (userId: number): number =>
    db.select({ n: count() }).from(scanAlerts).where(eq(scanAlerts.userId, userId)).get()?.n ?? 0,
  insert: (row: NewScanAlertRow): ScanAlertRow => db.insert(scanAlerts).values(row).returning().get(),
  /** @returns the row as it is then; nothing when there is no such alert of the user's */
  update: (userId: number, id: number, change: ScanAlertChange): ScanAlertRow | undefined =>
    db.update(scanAlerts).set(change).where(isOwn(userId, id)).returning().get(),
  remove: (userId: number, id: number): ScanAlertRow | undefined =>
    db.delete(scanAlerts).where(isOwn(userId, id)).returning().get(),
  ...triggerQueries(db),
  ...muteQueries(db),
});

export type ScanAlertStore = ReturnType<typeof scanAlertStore>;
