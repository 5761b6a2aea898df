import { and, eq, inArray, not } from 'drizzle-orm';
import type { Db } from '../../../../../platform/db/open.ts';
import {
  scanAlertMutes,
  scanAlerts,
  scanAlertTriggers,
  scanStates,
} from '../../../../../platform/db/scanAlertSchema.ts';
import { newestScanTrigger } from '../triggerStore.ts';
import type { Firing } from './types.ts';

const ADD_TRIGGER = `INSERT INTO scan_alert_triggers
  (user_id, scan_alert_id, symbol, symbols, event, scan_label, scan_hash, triggered_at, market_at, session, seen,
    quote_at, source, delay_minutes, silent, is_open)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const CHANGE_SUM = 'UPDATE scan_alert_triggers SET symbols = ?, is_open = ? WHERE id = ?';
const SAVE_STATE = `INSERT OR REPLACE INTO scan_states (scan_hash, source, session, last_trigger_id, members)
  VALUES (?, ?, ?, ?, ?)`;

export type ScanState = typeof scanStates.$inferSelect;
export type ScanTriggerRow = typeof scanAlertTriggers.$inferSelect;

/** SQL of the engine of scan alerts. */
export class ScanEngineStore {
  private readonly rows;

  constructor(private readonly db: Db) {
    const { $client: client } = db;
    this.rows = {
      addTrigger: client.query<null, (string | number | null)[]>(ADD_TRIGGER),
      changeSum: client.query<null, [string, number, number]>(CHANGE_SUM),
      saveState: client.query<null, (string | number | Uint8Array)[]>(SAVE_STATE),
    };
  }

  /** All or nothing; the callback must not await. */
  inTransaction<T>(work: () => T): T {
    return this.db.transaction(work, { behavior: 'immediate' });
  }

  /** @returns the trigger's id */
  addTrigger(firing: Firing, symbols: readonly string[], isOpen: boolean): number {
    const { lastInsertRowid } = this.rows.addTrigger.run(
      firing.userId,
      firing.scanAlertId,
      firing.symbol,
      JSON.stringify(symbols),
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
    );
    return Number(lastInsertRowid);
  }

  changeSum(id: number, symbols: readonly string[], isOpen: boolean): void {
    this.rows.changeSum.run(JSON.stringify(symbols), Number(isOpen), id);
  }

  newestTrigger(): number {
    return newestScanTrigger(this.db);
  }

  active() {
    return this.db.select().from(scanAlerts).where(eq(scanAlerts.active, true)).all();
  }

  mutesOf(session: string) {
    return this.db.select().from(scanAlertMutes).where(eq(scanAlertMutes.session, session)).all();
  }

  /** What was told in a session on a source, oldest first. */
  ofSession(session: string, source: string): ScanTriggerRow[] {
    const { session: ofSession, source: onSource, id } = scanAlertTriggers;
    const told = this.db.select().from(scanAlertTriggers);
    return told
      .where(and(eq(ofSession, session), eq(onSource, source)))
      .orderBy(id)
      .all();
  }

  /** Sums whose messages an earlier run did not write. */
  openSums(): ScanTriggerRow[] {
    return this.db.select().from(scanAlertTriggers).where(eq(scanAlertTriggers.isOpen, true)).all();
  }

  states(source: string): ScanState[] {
    return this.db.select().from(scanStates).where(eq(scanStates.source, source)).all();
  }

  saveState({ scanHash, source, session, lastTriggerId, members }: ScanState): void {
    this.rows.saveState.run(scanHash, source, session, lastTriggerId, members);
  }

  /** Drops what is remembered on a source of scans that nobody watches. */
  dropOthers(source: string, hashes: readonly number[]): void {
    const isOther = and(eq(scanStates.source, source), not(inArray(scanStates.scanHash, [...hashes])));
    this.db.delete(scanStates).where(isOther).run();
  }
}
