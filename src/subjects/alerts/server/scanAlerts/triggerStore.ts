import { and, desc, eq, gt, inArray, isNull, lt, lte, max, or, sql } from 'drizzle-orm';
import type { Db } from '#platform/db/open.ts';
import { scanAlerts, scanAlertTriggers } from '#src/tables/scanAlertSchema.ts';
import type { TriggerBound } from '#subjects/alerts/rules/triggerList.ts';
import type { AlertSound } from '#subjects/alerts/rules/alertSound.ts';
import type { ScanTrigger } from '#subjects/alerts/rules/scanAlerts/scanTrigger.ts';

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

/** The newest trigger of all; 0 before the first. */
export const newestScanTrigger = (db: Db): number =>
  db
    .select({ id: max(scanAlertTriggers.id) })
    .from(scanAlertTriggers)
    .get()?.id ?? 0;

/** SQL of what scan alerts told. */
export class ScanTriggerStore {
  constructor(protected readonly db: Db) {}

  /** Newest first. */
  triggers(userId: number, scanAlertId: number, limit: number): ScanTrigger[] {
    return this.db
      .select()
      .from(scanAlertTriggers)
      .where(and(eq(scanAlertTriggers.scanAlertId, scanAlertId), eq(scanAlertTriggers.userId, userId)))
      .orderBy(desc(scanAlertTriggers.id))
      .limit(limit)
      .all();
  }

  /** The newest of all of a user's alerts behind a place, newest first, with the names of their alerts. */
  ownTriggers(userId: number, { at, id }: TriggerBound, limit: number) {
    return this.db
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
      .all();
  }

  trigger(userId: number, id: number): ScanTrigger | undefined {
    return this.db
      .select()
      .from(scanAlertTriggers)
      .where(and(eq(scanAlertTriggers.id, id), eq(scanAlertTriggers.userId, userId)))
      .get();
  }

  newestTrigger() {
    return newestScanTrigger(this.db);
  }

  /** Of triggers up to that one the newest that is older than it by so much, ms; 0 when there is none. */
  triggerBefore(id: number, age: number): number {
    return (
      this.db
        .select({ id: scanAlertTriggers.id })
        .from(scanAlertTriggers)
        .where(
          and(
            lte(scanAlertTriggers.id, id),
            lt(
              scanAlertTriggers.triggeredAt,
              sql`(SELECT max(triggered_at) FROM ${scanAlertTriggers} WHERE id = ${id}) - ${age}`,
            ),
          ),
        )
        .orderBy(desc(scanAlertTriggers.id))
        .limit(1)
        .get()?.id ?? 0
    );
  }

  /** Triggers of a user's alerts after that one, and sums after `sumsAfter`, of which nothing is to come; newest first. */
  triggersAfter(
    userId: number,
    { after, sumsAfter, since, most }: { after: number; sumsAfter: number; since: number; most: number },
  ): { trigger: ScanTrigger; name: string | null; sound: AlertSound | null }[] {
    return this.db
      .select({ trigger: scanAlertTriggers, name: scanAlerts.name, sound: scanAlerts.sound })
      .from(scanAlerts)
      .innerJoin(scanAlertTriggers, eq(scanAlertTriggers.scanAlertId, scanAlerts.id))
      .where(
        and(
          eq(scanAlerts.userId, userId),
          gt(scanAlertTriggers.id, sumsAfter),
          or(gt(scanAlertTriggers.id, after), isNull(scanAlertTriggers.symbol)),
          gt(scanAlertTriggers.triggeredAt, since),
          eq(scanAlertTriggers.isOpen, false),
        ),
      )
      .orderBy(desc(sql`+${scanAlertTriggers.id}`))
      .limit(most)
      .all();
  }

  /** Drops triggers from before then, the oldest first and this many at most. @returns how many */
  dropOldTriggers(before: number, most: number): number {
    const oldest = this.db
      .select({ id: scanAlertTriggers.id, at: scanAlertTriggers.triggeredAt })
      .from(scanAlertTriggers)
      .orderBy(scanAlertTriggers.id)
      .limit(most)
      .all();
    const old = oldest.filter(({ at }) => at < before).map(({ id }) => id);
    if (old.length > 0) {
      keepLast(this.db, old);
      this.db.delete(scanAlertTriggers).where(inArray(scanAlertTriggers.id, old)).run();
    }
    return old.length;
  }

  /** When an alert told something last, epoch ms by the wall clock and by the market's; nothing when no trigger is kept. */
  lastTriggered(scanAlertId: number): { at: number; marketAt: number } | undefined {
    return this.db
      .select({ at: scanAlertTriggers.triggeredAt, marketAt: scanAlertTriggers.marketAt })
      .from(scanAlertTriggers)
      .where(eq(scanAlertTriggers.scanAlertId, scanAlertId))
      .orderBy(desc(scanAlertTriggers.id))
      .limit(1)
      .get();
  }

  /** Drops triggers of an alert from before then but for its newest this many. @returns how many */
  dropSurplusOf(scanAlertId: number, before: number, kept: number, most: number): number {
    const surplus = this.db
      .select({ id: scanAlertTriggers.id, at: scanAlertTriggers.triggeredAt })
      .from(scanAlertTriggers)
      .where(eq(scanAlertTriggers.scanAlertId, scanAlertId))
      .orderBy(desc(scanAlertTriggers.id))
      .limit(most)
      .offset(kept)
      .all()
      .filter(({ at }) => at < before)
      .map(({ id }) => id);
    if (surplus.length > 0)
      this.db.delete(scanAlertTriggers).where(inArray(scanAlertTriggers.id, surplus)).run();
    return surplus.length;
  }

  ids(): number[] {
    return this.db
      .select({ id: scanAlerts.id })
      .from(scanAlerts)
      .all()
      .map(({ id }) => id);
  }
}
