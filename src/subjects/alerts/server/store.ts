import { HOUR_MS } from '#lib/units.ts';
import { and, count, desc, eq, gt, inArray, isNull, lt, lte, max, ne, or, sql } from 'drizzle-orm';
import {
  alerts,
  alertTriggers,
  outbox,
  scanAlertMutes,
  scanAlerts,
  scanAlertTriggers,
} from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';
import type { Pruned } from '#platform/app.ts';
import type { AlertSound } from '../answers/options.ts';
import type { ScanTrigger } from '../rules/scanAlerts/scanAlert.ts';
import type { Trigger, TriggerBound } from '../rules/trigger.ts';
import { alertOf, OwnRows } from './ownRows.ts';

export type AlertRow = typeof alerts.$inferSelect;
export type ScanAlertRow = typeof scanAlerts.$inferSelect;

const toTrigger = (row: typeof alertTriggers.$inferSelect, userId: number): Trigger => ({ ...row, userId });

const ALERTS_OF_USER = 'SELECT id FROM alerts WHERE user_id = $userId';
/** This query reads only the index. */
const NEWEST_OF_ALERT = `SELECT triggered_at, id FROM alert_triggers
  WHERE alert_id = $alertId AND triggered_at BETWEEN $floor AND $at AND (triggered_at < $at OR id < $id)
  ORDER BY triggered_at DESC, id DESC LIMIT $limit`;

export const OWN_TRIGGER_QUERIES = [ALERTS_OF_USER, NEWEST_OF_ALERT] as const;

type Params = Record<string, number>;

const newestFirst = ([at, id]: number[], [otherAt, otherId]: number[]): number =>
  (otherAt ?? 0) - (at ?? 0) || (otherId ?? 0) - (id ?? 0);

/**
 * Queries alert by alert, because the index has no user. Stops at triggers older than this many newer ones, because an
 * alert that fires often has thousands.
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

/** Id of the newest trigger on stocks, or on scans; 0 for none. */
export const newestTrigger = (db: Db, table: typeof alertTriggers | typeof scanAlertTriggers): number =>
  db
    .select({ id: max(table.id) })
    .from(table)
    .get()?.id ?? 0;

export class AlertStore extends OwnRows<typeof alerts> {
  constructor(db: Db) {
    super(db, alerts, [alerts.symbol, alerts.id]);
  }

  removeOfSymbol(userId: number, symbol: string): number[] {
    return this.db
      .delete(alerts)
      .where(and(eq(alerts.userId, userId), eq(alerts.symbol, symbol)))
      .returning({ id: alerts.id })
      .all()
      .map(({ id }) => id);
  }

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

  trigger(userId: number, id: number): Trigger | undefined {
    const row = this.db
      .select({ trigger: alertTriggers })
      .from(alertTriggers)
      .innerJoin(alerts, eq(alerts.id, alertTriggers.alertId))
      .where(and(eq(alertTriggers.id, id), eq(alerts.userId, userId)))
      .get();
    return row && toTrigger(row.trigger, userId);
  }

  /** Triggers of a user's alerts after an id and a time, newest first. Queried per alert: ids cover all users. */
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
      .map(({ trigger, alert }) => ({ trigger: toTrigger(trigger, userId), alert: alertOf(alert) }));
  }

  /** The last trigger by alert id; `marketAt` is epoch ms by the market's clock. */
  lastTriggers(alertIds: readonly number[]): Map<number, { id: number; marketAt: number }> {
    // Uses the time, which is in the index. The newest id would be searched among thousands.
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

  /** Newest triggers of a user's alerts after a position, with the alerts' names, unsorted. */
  ownTriggers(userId: number, behind: TriggerBound, limit: number) {
    return this.db
      .select({ trigger: alertTriggers, name: alerts.name })
      .from(alertTriggers)
      .innerJoin(alerts, eq(alerts.id, alertTriggers.alertId))
      .where(inArray(alertTriggers.id, newestIds(this.db, userId, behind, limit)))
      .all();
  }
}

export class ScanAlertStore extends OwnRows<typeof scanAlerts> {
  constructor(db: Db) {
    super(db, scanAlerts, [scanAlerts.id]);
  }

  /** Also deletes its messages that were not sent. The database does that for an alert on a stock. */
  override remove(userId: number, id: number): ScanAlertRow | undefined {
    const own = eq(scanAlertTriggers.scanAlertId, id);
    const triggers = this.db.select({ id: scanAlertTriggers.id }).from(scanAlertTriggers);
    const isUnsent = inArray(outbox.status, ['held', 'waiting']);
    const isOwn = and(own, eq(scanAlertTriggers.userId, userId));
    return this.inTransaction(() => {
      this.db
        .delete(outbox)
        .where(and(isUnsent, inArray(outbox.scanTriggerId, triggers.where(isOwn))))
        .run();
      return super.remove(userId, id);
    });
  }

  /** @param without id of an alert to ignore */
  activeCount(userId: number, without: number | null): number {
    const { userId: owner, active, id } = scanAlerts;
    const isCounted = and(
      eq(owner, userId),
      eq(active, true),
      without === null ? undefined : ne(id, without),
    );
    return this.db.select({ n: count() }).from(scanAlerts).where(isCounted).get()?.n ?? 0;
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

  triggers(alert: ScanAlertRow, limit: number): ScanTrigger[] {
    return this.db
      .select()
      .from(scanAlertTriggers)
      .where(eq(scanAlertTriggers.scanAlertId, alert.id))
      .orderBy(desc(scanAlertTriggers.id))
      .limit(limit)
      .all();
  }

  /** Newest triggers of a user's alerts after a position, newest first, with the alerts' names. */
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

  /** Id of the newest trigger up to that id that is older by `age` ms; 0 for none. */
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

  /** Triggers of a user's alerts after an id, and closed summaries after `sumsAfter`; newest first. */
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

  /** Last trigger of an alert, epoch ms by wall and market clock; undefined if none is stored. */
  lastTriggered(scanAlertId: number): { at: number; marketAt: number } | undefined {
    return this.db
      .select({ at: scanAlertTriggers.triggeredAt, marketAt: scanAlertTriggers.marketAt })
      .from(scanAlertTriggers)
      .where(eq(scanAlertTriggers.scanAlertId, scanAlertId))
      .orderBy(desc(scanAlertTriggers.id))
      .limit(1)
      .get();
  }
}

export const usersWithAlerts = (db: Db): number[] =>
  db.$client
    .query<{ userId: number }, []>(
      'SELECT user_id AS userId FROM alerts WHERE active = 1 UNION SELECT user_id FROM scan_alerts WHERE active = 1',
    )
    .all()
    .map(({ userId }) => userId);

/** How long triggers are stored; the outbox stores deliveries as long. */
const KEPT_MS = 30 * 24 * HOUR_MS;
/**
 * Triggers stored per alert. A repeating alert fires up to 360 times a day, and deleting it takes as long as it has
 * triggers. Those of the last two days stay, because their messages may be pending.
 */
const KEPT_OF_AN_ALERT = 200;
const SURPLUS_AFTER_MS = 48 * HOUR_MS;
/** Limit per step, because each deletion also deletes rows that refer to it. */
const MAX_PRUNED = 250;

/** Tables of each kind of alert, and the column whose index finds the newest triggers. */
const KINDS = [
  { alerts: 'alerts', triggers: 'alert_triggers', alertId: 'alert_id', age: 'triggered_at' },
  { alerts: 'scan_alerts', triggers: 'scan_alert_triggers', alertId: 'scan_alert_id', age: 'id' },
] as const;
type Kind = (typeof KINDS)[number];

function dropOld({ $client: client }: Db, kind: Kind, before: number): number {
  const oldest = client
    .query<{ id: number; at: number }, [number]>(
      `SELECT id, triggered_at AS at FROM ${kind.triggers} ORDER BY id LIMIT ?`,
    )
    .all(MAX_PRUNED);
  const old = JSON.stringify(oldest.filter(({ at }) => at < before).map(({ id }) => id));
  if (old === '[]') return 0;
  // A scan alert's last time is read from its triggers, so it is stored before they are deleted.
  if (kind.alerts === 'scan_alerts') {
    client
      .query<null, [string]>(
        `UPDATE scan_alerts SET last_triggered_at = last.at
        FROM (SELECT scan_alert_id, max(triggered_at) AS at FROM scan_alert_triggers
          WHERE id IN (SELECT value FROM json_each(?)) GROUP BY scan_alert_id) last
        WHERE id = last.scan_alert_id`,
      )
      .run(old);
  }
  const drop = `DELETE FROM ${kind.triggers} WHERE id IN (SELECT value FROM json_each(?))`;
  return client.query<null, [string]>(drop).run(old).changes;
}

/**
 * Deletes surplus triggers before a time, among the next 500 alerts after an id.
 * @returns their number, and the id of the last alert; null for none
 */
function dropSurplus(
  { $client: client }: Db,
  { alerts: table, triggers, alertId, age }: Kind,
  after: number,
  before: number,
) {
  const next = `SELECT max(id) AS last FROM (SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT 500)`;
  const last = client.query<{ last: number | null }, [number]>(next).get(after)?.last ?? null;
  if (last === null) return { count: 0, last };
  // Materialized, because the limit would otherwise be searched once per trigger.
  const drop = client.query<null, Params>(`WITH kept AS MATERIALIZED (
      SELECT a.id, (SELECT n.${age} FROM ${triggers} n WHERE n.${alertId} = a.id
        ORDER BY n.${age} DESC LIMIT 1 OFFSET ${KEPT_OF_AN_ALERT - 1}) AS oldest
      FROM ${table} a WHERE a.id > $after AND a.id <= $last)
    DELETE FROM ${triggers} WHERE id IN (
      SELECT t.id FROM kept CROSS JOIN ${triggers} t
      WHERE t.${alertId} = kept.id AND t.${age} < kept.oldest AND t.triggered_at < $before LIMIT ${MAX_PRUNED})`);
  return { count: drop.run({ after, last, before }).changes, last };
}

/** @returns a function that deletes some old or surplus triggers and mutes */
export function createPruning(db: Db, now: () => number, session: () => string): () => Pruned {
  /** The last alert that was checked, per kind. */
  const after = KINDS.map(() => 0);
  return () => {
    const removed = KINDS.map((kind) => dropOld(db, kind, now() - KEPT_MS)).reduce((a, b) => a + b);
    if (removed > 0) return { removed, hasMore: true };
    let hasMore = false;
    let surplus = 0;
    for (const [index, kind] of KINDS.entries()) {
      const { count: dropped, last } = dropSurplus(db, kind, after[index] ?? 0, now() - SURPLUS_AFTER_MS);
      surplus += dropped;
      if (dropped < MAX_PRUNED) after[index] = last ?? 0;
      hasMore ||= last !== null;
    }
    const mutes = db.$client
      .query<null, [string]>(
        `DELETE FROM scan_alert_mutes WHERE rowid IN
        (SELECT rowid FROM scan_alert_mutes WHERE session < ? LIMIT ${MAX_PRUNED})`,
      )
      .run(session());
    return { removed: surplus + mutes.changes, hasMore: hasMore || mutes.changes === MAX_PRUNED };
  };
}
