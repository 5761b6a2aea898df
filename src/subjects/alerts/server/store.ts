import { and, count, desc, eq, gt, inArray, max, sql } from 'drizzle-orm';
import { alerts, alertTriggers } from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { type Alert, destinationsOf } from '../rules/alert.ts';
import { mannerOf } from '../rules/manner.ts';
import type { Trigger } from '../rules/trigger.ts';
import type { TriggerBound } from '../rules/triggerList.ts';
import { groupsOf } from './groups.ts';

export type AlertRow = typeof alerts.$inferSelect;
export type NewAlertRow = typeof alerts.$inferInsert;
export type AlertChange = Partial<Omit<NewAlertRow, 'id' | 'userId' | 'createdAt'>>;

/** A row as the rules and the engine see it. */
export const toAlert = (row: AlertRow): Alert => ({
  id: row.id,
  userId: row.userId,
  symbol: row.symbol,
  name: row.name,
  active: row.active,
  persistent: row.persistent,
  logic: row.logic,
  destinations: destinationsOf(row),
  version: row.version,
  lastTriggeredAt: row.lastTriggeredAt,
  snoozedUntil: row.snoozedUntil,
  stoppedReason: row.stoppedReason,
  note: row.note,
  expiresAt: row.expiresAt,
  armedAt: row.armedAt,
  guard: row.guard,
  cooldownMinutes: row.cooldownMinutes,
  ...mannerOf(row),
});

const toTrigger = (row: typeof alertTriggers.$inferSelect, userId: number): Trigger => ({ ...row, userId });

/** Times are epoch ms. */
export type SurplusQuery = { after: number; before: number; kept: number; most: number };

/** Alerts are looked at for surplus triggers this many at once. */
const LAST_OF_NEXT = 'SELECT max(id) AS last FROM (SELECT id FROM alerts WHERE id > ? ORDER BY id LIMIT 500)';
// Materialized, or the oldest that is kept would be looked for once a trigger.
const DROP_SURPLUS = `WITH kept AS MATERIALIZED (
    SELECT a.id, (SELECT n.triggered_at FROM alert_triggers n WHERE n.alert_id = a.id
      ORDER BY n.triggered_at DESC LIMIT 1 OFFSET $newer) AS oldest
    FROM alerts a WHERE a.id > $after AND a.id <= $last)
  DELETE FROM alert_triggers WHERE id IN (
    SELECT t.id FROM kept CROSS JOIN alert_triggers t
    WHERE t.alert_id = kept.id AND t.triggered_at < min($before, kept.oldest) LIMIT $most)`;

const isOwn = (userId: number, id: number) => and(eq(alerts.id, id), eq(alerts.userId, userId));

const ALERTS_OF_USER = 'SELECT id FROM alerts WHERE user_id = $userId';
/** Of the index alone. */
const NEWEST_OF_ALERT = `SELECT triggered_at, id FROM alert_triggers
  WHERE alert_id = $alertId AND triggered_at BETWEEN $floor AND $at AND (triggered_at < $at OR id < $id)
  ORDER BY triggered_at DESC, id DESC LIMIT $limit`;

export const OWN_TRIGGER_QUERIES = [ALERTS_OF_USER, NEWEST_OF_ALERT] as const;

type Params = Record<string, number>;

const newestFirst = ([at, id]: number[], [otherAt, otherId]: number[]): number =>
  (otherAt ?? 0) - (at ?? 0) || (otherId ?? 0) - (id ?? 0);

/**
 * Alert by alert, as nothing in the index stands by user: what is older than this many that were found already is not looked at.
 * An alert that fires all the time has thousands.
 */
function newestIds(
  { $client: client }: Db,
  userId: number,
  { at, id }: TriggerBound,
  limit: number,
): number[] {
  const newestOf = client.query<never, Params>(NEWEST_OF_ALERT);
  let found: number[][] = [];
  for (const { id: alertId } of client.query<{ id: number }, Params>(ALERTS_OF_USER).all({ userId })) {
    const floor = found.length < limit ? 0 : (found.at(-1)?.[0] ?? 0);
    const own = newestOf.values({ alertId, floor, at, id, limit }) as number[][];
    if (own.length > 0) found = [...found, ...own].sort(newestFirst).slice(0, limit);
  }
  return found.map(([, triggerId]) => triggerId ?? 0);
}

/** The id of the newest trigger of all; 0 before the first. */
export const newestTrigger = (db: Db): number =>
  db
    .select({ id: max(alertTriggers.id) })
    .from(alertTriggers)
    .get()?.id ?? 0;

/** SQL of what alerts told. */
class AlertTriggerStore {
  constructor(protected readonly db: Db) {}

  /** Newest first. */
  triggers(alert: AlertRow, limit: number): Trigger[] {
    return this.db
      .select()
      .from(alertTriggers)
      .where(eq(alertTriggers.alertId, alert.id))
      .orderBy(desc(alertTriggers.id))
      .limit(limit)
      .all()
      .map((row) => toTrigger(row, alert.userId));
  }

  /** One trigger of a user's alerts. */
  trigger(userId: number, id: number): Trigger | undefined {
    const row = this.db
      .select({ trigger: alertTriggers })
      .from(alertTriggers)
      .innerJoin(alerts, eq(alerts.id, alertTriggers.alertId))
      .where(and(eq(alertTriggers.id, id), eq(alerts.userId, userId)))
      .get();
    return row && toTrigger(row.trigger, userId);
  }

  /**
   * Triggers of a user's alerts after that one and since then, newest first. Looked for alert by alert: `id` would be
   * looked for among everybody's.
   */
  triggersAfter(userId: number, id: number, since: number, limit: number) {
    return this.db
      .select({ trigger: alertTriggers, alert: alerts })
      .from(alerts)
      .innerJoin(alertTriggers, eq(alertTriggers.alertId, alerts.id))
      .where(
        and(
          eq(alerts.userId, userId),
          gt(alertTriggers.triggeredAt, since),
          gt(sql`+${alertTriggers.id}`, id),
        ),
      )
      .orderBy(desc(sql`+${alertTriggers.id}`))
      .limit(limit)
      .all()
      .map(({ trigger, alert }) => ({ trigger: toTrigger(trigger, userId), alert: toAlert(alert) }));
  }

  /** Drops triggers from before then, the oldest first and this many at most. @returns how many */
  dropOldTriggers(before: number, most: number): number {
    const oldest = this.db
      .select({ id: alertTriggers.id, triggeredAt: alertTriggers.triggeredAt })
      .from(alertTriggers)
      .orderBy(alertTriggers.id)
      .limit(most)
      .all();
    const old = oldest.filter(({ triggeredAt }) => triggeredAt < before).map(({ id }) => id);
    if (old.length > 0) this.db.delete(alertTriggers).where(inArray(alertTriggers.id, old)).run();
    return old.length;
  }

  /**
   * Drops triggers from before then of alerts that have more than this many, looked for among the next alerts after that
   * id; this many triggers at most.
   * @returns how many, and the id of the last alert that was looked at, null when there was none
   */
  dropSurplusTriggers({ after, before, kept, most }: SurplusQuery): { count: number; last: number | null } {
    const { $client: client } = this.db;
    const last = client.query<{ last: number | null }, [number]>(LAST_OF_NEXT).get(after)?.last ?? null;
    if (last === null) return { count: 0, last };
    const drop = client.query<null, Record<string, number>>(DROP_SURPLUS);
    const { changes } = drop.run({ after, last, before, newer: kept - 1, most });
    return { count: changes, last };
  }

  newestTrigger(): number {
    return newestTrigger(this.db);
  }

  /** The trigger that each alert's last time is of, by the alert's id; `marketAt` is epoch ms of the market's clock. */
  lastTriggers(alertIds: readonly number[]): Map<number, { id: number; marketAt: number }> {
    // The time is in the index; the newest of all ids would be looked for among thousands.
    const isLast = and(
      eq(alertTriggers.alertId, alerts.id),
      eq(alertTriggers.triggeredAt, alerts.lastTriggeredAt),
    );
    const rows = this.db
      .select({ alertId: alerts.id, id: max(alertTriggers.id), marketAt: max(alertTriggers.marketAt) })
      .from(alerts)
      .innerJoin(alertTriggers, isLast)
      .where(inArray(alerts.id, [...alertIds]))
      .groupBy(alerts.id)
      .all();
    return new Map(
      rows.map(({ alertId, id, marketAt }) => [alertId, { id: id ?? 0, marketAt: marketAt ?? 0 }]),
    );
  }

  /** The newest of all of a user's alerts behind a place, with the names of their alerts, in no order. */
  ownTriggers(userId: number, behind: TriggerBound, limit: number) {
    return this.db
      .select({ trigger: alertTriggers, name: alerts.name })
      .from(alertTriggers)
      .innerJoin(alerts, eq(alerts.id, alertTriggers.alertId))
      .where(inArray(alertTriggers.id, newestIds(this.db, userId, behind, limit)))
      .all()
      .map(({ trigger, name }) => ({ trigger: { ...trigger, userId }, name }));
  }
}

/** SQL of the alerts and of what became of them. */
export class AlertStore extends AlertTriggerStore {
  /** All or nothing; the callback must not await. */
  inTransaction<T>(work: () => T): T {
    return this.db.transaction(work, { behavior: 'immediate' });
  }

  ofUser(userId: number, symbol?: string): AlertRow[] {
    return this.db
      .select()
      .from(alerts)
      .where(and(eq(alerts.userId, userId), symbol === undefined ? undefined : eq(alerts.symbol, symbol)))
      .orderBy(alerts.symbol, alerts.id)
      .all();
  }

  own(userId: number, id: number): AlertRow | undefined {
    return this.db.select().from(alerts).where(isOwn(userId, id)).get();
  }

  /** Of all alerts of the user. */
  groups(userId: number): string[] {
    return groupsOf(this.db, userId);
  }

  count(userId: number): number {
    return this.db.select({ n: count() }).from(alerts).where(eq(alerts.userId, userId)).get()?.n ?? 0;
  }

  insert(row: NewAlertRow): AlertRow {
    return this.db.insert(alerts).values(row).returning().get();
  }

  /** @returns the row as it is then; nothing when there is no such alert of the user's */
  update(userId: number, id: number, change: AlertChange): AlertRow | undefined {
    return this.db.update(alerts).set(change).where(isOwn(userId, id)).returning().get();
  }

  remove(userId: number, id: number): AlertRow | undefined {
    return this.db.delete(alerts).where(isOwn(userId, id)).returning().get();
  }

  /** @returns the ids of those that were there */
  removeOfSymbol(userId: number, symbol: string): number[] {
    return this.db
      .delete(alerts)
      .where(and(eq(alerts.userId, userId), eq(alerts.symbol, symbol)))
      .returning({ id: alerts.id })
      .all()
      .map(({ id }) => id);
  }

  idsOf(userId: number): number[] {
    return this.db
      .select({ id: alerts.id })
      .from(alerts)
      .where(eq(alerts.userId, userId))
      .all()
      .map(({ id }) => id);
  }
}
