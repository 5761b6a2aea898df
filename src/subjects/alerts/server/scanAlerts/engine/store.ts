import { and, eq, gte, inArray, isNotNull, not } from 'drizzle-orm';
import type { Db } from '#platform/db/open.ts';
import { scanAlertMutes, scanAlerts, scanAlertTriggers, scanStates } from '#src/tables/alertSchema.ts';
import { newestTrigger } from '../../store.ts';
import type { Firing } from './types.ts';

const ADD_TRIGGER = `INSERT INTO scan_alert_triggers
  (user_id, scan_alert_id, symbol, symbols, announcements, event, scan_label, scan_hash, triggered_at, market_at, session, seen,
    quote_at, source, delay_minutes, silent, is_open, guard)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const CHANGE_SUM = `UPDATE scan_alert_triggers
  SET symbols = ?, announcements = ?, is_open = ?, guard = ? WHERE id = ?`;
// An upsert, because a replacement would also rewrite the index.
const SAVE_STATE = `INSERT INTO scan_states (scan_hash, source, session, last_trigger_id, members)
  VALUES (?, ?, ?, ?, ?) ON CONFLICT (scan_hash, source) DO UPDATE
  SET session = excluded.session, last_trigger_id = excluded.last_trigger_id, members = excluded.members`;

export type ScanState = typeof scanStates.$inferSelect;
export type ScanTriggerRow = typeof scanAlertTriggers.$inferSelect;

export class ScanEngineStore {
  private readonly rows;

  /** @param noteNews as in `AlertEngineStore` */
  constructor(
    private readonly db: Db,
    private readonly noteNews: () => void = () => {},
  ) {
    const { $client: client } = db;
    this.rows = {
      addTrigger: client.query<null, (string | number | null)[]>(ADD_TRIGGER),
      changeSum: client.query<null, (string | number | null)[]>(CHANGE_SUM),
      saveState: client.query<null, (string | number | Uint8Array)[]>(SAVE_STATE),
    };
  }

  /** All or nothing; the callback must not await. */
  inTransaction<T>(work: () => T): T {
    this.noteNews();
    return this.db.transaction(work, { behavior: 'immediate' });
  }

  addTrigger(firing: Firing, symbols: Iterable<string>, isOpen: boolean): number {
    const { lastInsertRowid } = this.rows.addTrigger.run(
      firing.userId,
      firing.scanAlertId,
      firing.symbol,
      JSON.stringify([...symbols]),
      firing.announcements && JSON.stringify(firing.announcements),
      firing.event,
      firing.scanLabel,
      firing.scanHash,
      firing.triggeredAt,
      firing.marketAt,
      firing.session,
      JSON.stringify(firing.seen),
      firing.quoteAt,
      firing.source,
      firing.delayMinutes,
      Number(firing.silent),
      Number(isOpen),
      firing.guard && JSON.stringify(firing.guard),
    );
    return Number(lastInsertRowid);
  }

  changeSum(id: number, firing: Firing, symbols: Iterable<string>, isOpen: boolean): void {
    this.rows.changeSum.run(
      JSON.stringify([...symbols]),
      firing.announcements && JSON.stringify(firing.announcements),
      Number(isOpen),
      firing.guard && JSON.stringify(firing.guard),
      id,
    );
  }

  /** Closes a summary without sending it. */
  abandonSum(id: number): void {
    this.db.update(scanAlertTriggers).set({ isOpen: false }).where(eq(scanAlertTriggers.id, id)).run();
  }

  /** Deletes a summary whose announcements were all withdrawn. */
  dropSum(id: number): void {
    this.db.delete(scanAlertTriggers).where(eq(scanAlertTriggers.id, id)).run();
  }

  newestTrigger(): number {
    return newestTrigger(this.db, scanAlertTriggers);
  }

  active() {
    return this.db.select().from(scanAlerts).where(eq(scanAlerts.active, true)).all();
  }

  mutesOf(session: string) {
    return this.db.select().from(scanAlertMutes).where(eq(scanAlertMutes.session, session)).all();
  }

  ofSession(session: string, source: string): ScanTriggerRow[] {
    const { session: ofSession, source: onSource, id } = scanAlertTriggers;
    const query = this.db.select().from(scanAlertTriggers);
    return query
      .where(and(eq(ofSession, session), eq(onSource, source)))
      .orderBy(id)
      .all();
  }

  /** What users were notified of since a session, YYYY-MM-DD. */
  announcedSince(session: string, source: string) {
    const { userId, announcements, session: inSession, source: onSource } = scanAlertTriggers;
    return this.db
      .select({ userId, announcements })
      .from(scanAlertTriggers)
      .where(and(gte(inSession, session), eq(onSource, source), isNotNull(announcements)))
      .all();
  }

  /** Summaries whose messages an earlier run did not write. */
  openSums(): ScanTriggerRow[] {
    return this.db.select().from(scanAlertTriggers).where(eq(scanAlertTriggers.isOpen, true)).all();
  }

  states(source: string): ScanState[] {
    return this.db.select().from(scanStates).where(eq(scanStates.source, source)).all();
  }

  saveState({ scanHash, source, session, lastTriggerId, members }: ScanState): void {
    this.rows.saveState.run(scanHash, source, session, lastTriggerId, members);
  }

  /** Deletes the states of scans that no alert watches. */
  dropOthers(source: string, hashes: readonly number[]): void {
    const isOther = and(eq(scanStates.source, source), not(inArray(scanStates.scanHash, [...hashes])));
    this.db.delete(scanStates).where(isOther).run();
  }
}
