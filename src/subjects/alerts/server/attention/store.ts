import { and, eq, gt, inArray, lt, or, isNull, sql } from 'drizzle-orm';
import { keptCheckResults, reviewChoices } from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';
import type { AlertKind, DaySpan } from '#subjects/alerts/rules/attention.ts';

type Bound = Record<string, number | string>;

const ALERT_DAYS = `SELECT a.id, d.value ->> 'date' AS date, count(*) AS fired
  FROM alerts a JOIN json_each($days) d JOIN alert_triggers t ON t.alert_id = a.id
    AND t.triggered_at >= (d.value ->> 'from') AND t.triggered_at < (d.value ->> 'until')
  WHERE a.user_id = $userId AND a.active = 1
  GROUP BY a.id, date`;
const SCAN_DAYS = `SELECT t.scan_alert_id AS id, d.value ->> 'date' AS date, count(*) AS fired
  FROM json_each($days) d JOIN scan_alert_triggers t ON t.user_id = $userId
    AND t.triggered_at >= (d.value ->> 'from') AND t.triggered_at < (d.value ->> 'until')
  GROUP BY t.scan_alert_id, date`;
const ALERT_KEPT = `SELECT a.id, count(t.id) AS kept, min(t.triggered_at) AS oldest
  FROM alerts a JOIN alert_triggers t ON t.alert_id = a.id WHERE a.user_id = $userId GROUP BY a.id`;
const SCAN_KEPT = `SELECT scan_alert_id AS id, count(*) AS kept, min(triggered_at) AS oldest
  FROM scan_alert_triggers WHERE user_id = $userId GROUP BY scan_alert_id`;

type FiredRow = { id: number; date: string; fired: number };
type KeptRow = { id: number; kept: number; oldest: number };

export class AttentionStore {
  constructor(private readonly db: Db) {}

  /** All or nothing; the callback must not await. */
  inTransaction<T>(work: () => T): T {
    return this.db.transaction(work, { behavior: 'immediate' });
  }

  /** Number of triggers per alert and day; days without triggers are missing. */
  fired(userId: number, of: AlertKind, days: readonly DaySpan[]): FiredRow[] {
    const query = this.db.$client.query<FiredRow, Bound>(of === 'alert' ? ALERT_DAYS : SCAN_DAYS);
    return query.all({ userId, days: JSON.stringify(days) });
  }

  kept(userId: number, of: AlertKind): KeptRow[] {
    return this.db.$client.query<KeptRow, Bound>(of === 'alert' ? ALERT_KEPT : SCAN_KEPT).all({ userId });
  }

  dismissed(userId: number, now: number): Set<string> {
    const rows = this.db
      .select({ key: keptCheckResults.key })
      .from(keptCheckResults)
      .where(and(eq(keptCheckResults.userId, userId), gt(keptCheckResults.until, now)))
      .all();
    return new Set(rows.map(({ key }) => key));
  }

  dismiss(userId: number, keys: readonly string[], until: number): void {
    if (keys.length === 0) return;
    this.db
      .insert(keptCheckResults)
      .values(keys.map((key) => ({ userId, key, until })))
      .onConflictDoUpdate({ target: [keptCheckResults.userId, keptCheckResults.key], set: { until } })
      .run();
  }

  showAgain(userId: number, keys: readonly string[]): void {
    this.db
      .delete(keptCheckResults)
      .where(and(eq(keptCheckResults.userId, userId), inArray(keptCheckResults.key, [...keys])))
      .run();
  }

  dropDismissed(now: number, most: number): number {
    return this.db
      .delete(keptCheckResults)
      .where(
        sql`rowid IN (SELECT rowid FROM ${keptCheckResults} WHERE ${lt(keptCheckResults.until, now)} LIMIT ${most})`,
      )
      .returning({ userId: keptCheckResults.userId })
      .all().length;
  }

  wantsWeekly(userId: number): boolean {
    return this.choice(userId)?.weekly ?? false;
  }

  setWeekly(userId: number, weekly: boolean): void {
    this.db
      .insert(reviewChoices)
      .values({ userId, weekly, toldWeek: null })
      .onConflictDoUpdate({ target: reviewChoices.userId, set: { weekly } })
      .run();
  }

  /** Some users who want the weekly message and may not have got it yet. */
  notNotified(week: string, most: number): { userId: number; toldWeek: string | null }[] {
    const { userId, toldWeek, weekly } = reviewChoices;
    // The stored week may also be a later one, if the clock was wrong.
    const isOther = or(isNull(toldWeek), sql`${toldWeek} <> ${week}`);
    return this.db
      .select({ userId, toldWeek })
      .from(reviewChoices)
      .where(and(eq(weekly, true), isOther))
      .orderBy(userId)
      .limit(most)
      .all();
  }

  setNotified(userId: number, week: string): void {
    this.db.update(reviewChoices).set({ toldWeek: week }).where(eq(reviewChoices.userId, userId)).run();
  }

  private choice(userId: number) {
    return this.db.select().from(reviewChoices).where(eq(reviewChoices.userId, userId)).get();
  }
}
