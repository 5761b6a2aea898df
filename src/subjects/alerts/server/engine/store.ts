import { CHECKPOINT_PAGES, type Db } from '#platform/db/open.ts';
import { WRITE_FACT } from '#platform/db/facts.ts';
import type { Alert } from '#subjects/alerts/rules/alert.ts';
import type { AlertSound } from '#subjects/alerts/answers/options.ts';
import type { EventFilter } from '#subjects/alerts/rules/eventFilter.ts';
import { type DeviceChoice, NO_DEVICES } from '#subjects/devices/rules/device.ts';
import type { Trigger } from '#subjects/alerts/rules/trigger.ts';

// Parameters are bound by position: names cost 50 % more, and thousands of rows may be written at once.
type Bound = (string | number | null)[];

type ResumeRow = {
  id: number;
  user_id: number;
  symbol: string;
  name: string | null;
  persistent: number;
  logic: string;
  telegram: number;
  discord: number;
  devices: string;
  version: number;
  last_triggered_at: number | null;
  snoozed_until: number | null;
  note: string | null;
  expires_at: number | null;
  armed_at: number | null;
  guard: string | null;
  cooldown_minutes: number;
  urgent: number;
  group_name: string | null;
  sound: AlertSound | null;
  source: string | null;
  state: string | null;
};

export type StoredAlert = {
  alert: Omit<Alert, 'logic'>;
  logic: string;
  source: string | null;
  state: string | null;
};

/** A trigger whose alert row is not updated yet. */
export type DeferredTrigger = Pick<
  Trigger,
  'alertId' | 'userId' | 'triggeredAt' | 'marketAt' | 'source' | 'deactivated' | 'silent'
> & { version: number };

type DeferredRow = Omit<DeferredTrigger, 'deactivated' | 'silent'> & {
  deactivated: number;
  silent: number;
};

const ACTIVE = `SELECT a.id, a.user_id, a.symbol, a.name, a.persistent, a.logic, a.telegram, a.discord, a.devices,
    a.version, a.last_triggered_at, a.snoozed_until, a.note, a.expires_at, a.armed_at, a.guard,
    a.cooldown_minutes, a.urgent, a.group_name, a.sound, s.source, s.state
  FROM alerts a LEFT JOIN alert_states s ON s.alert_id = a.id
  WHERE a.active = 1 ORDER BY a.symbol, a.id`;

// Alerts that their owner changed or deleted are not updated.
const TRIGGERED = `UPDATE alerts SET last_triggered_at = ?, active = ?, stopped_reason = ?
  WHERE id = ? AND active = 1 AND version = ?`;
const STOPPED = `UPDATE alerts SET active = 0, stopped_reason = ?
  WHERE id = ? AND active = 1 AND version = ?`;

const ADD_TRIGGER = `INSERT INTO alert_triggers
  (alert_id, symbol, triggered_at, market_at, seen, quote_at, source, delay_minutes, deactivated, silent, guard)
  SELECT id, symbol, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM alerts WHERE id = ? AND active = 1 AND version = ?`;

const DEFERRED_KEY = 'alerts_unsettled';
const NONE_DEFERRED = `DELETE FROM facts WHERE key = '${DEFERRED_KEY}'`;
// The newest trigger of each alert whose row is older. A user's change applies it first.
const DEFERRED = `SELECT t.alert_id AS alertId, t.triggered_at AS triggeredAt, t.market_at AS marketAt, t.source,
    t.deactivated, t.silent, a.user_id AS userId, a.version
  FROM (SELECT max(id) AS id FROM alert_triggers
    WHERE id >= (SELECT CAST(value AS INTEGER) FROM facts WHERE key = '${DEFERRED_KEY}')
    GROUP BY alert_id) newest
  JOIN alert_triggers t ON t.id = newest.id
  JOIN alerts a ON a.id = t.alert_id
  WHERE a.active = 1 AND a.last_triggered_at IS NOT t.triggered_at`;

// The alert may have been deleted together with its user.
const SAVE_STATE = `INSERT OR REPLACE INTO alert_states (alert_id, source, state)
  SELECT id, ?, ? FROM alerts WHERE id = ?`;
const DROP_STATE = 'DELETE FROM alert_states WHERE alert_id = ?';
const DROP_INACTIVE = 'DELETE FROM alert_states WHERE alert_id IN (SELECT id FROM alerts WHERE active = 0)';

/** Nearly all alerts name no device, so they share one array. */
const devicesOf = (json: string): DeviceChoice =>
  json === '[]' ? NO_DEVICES : (JSON.parse(json) as DeviceChoice);

const toStored = (row: ResumeRow): StoredAlert => ({
  alert: {
    id: row.id,
    userId: row.user_id,
    symbol: row.symbol,
    name: row.name,
    active: true,
    persistent: row.persistent === 1,
    destinations: {
      telegram: row.telegram === 1,
      discord: row.discord === 1,
      devices: devicesOf(row.devices),
    },
    version: row.version,
    lastTriggeredAt: row.last_triggered_at,
    snoozedUntil: row.snoozed_until,
    stoppedReason: null,
    note: row.note,
    expiresAt: row.expires_at,
    armedAt: row.armed_at,
    guard: row.guard === null ? null : (JSON.parse(row.guard) as EventFilter),
    cooldownMinutes: row.cooldown_minutes,
    urgent: row.urgent === 1,
    group: row.group_name,
    sound: row.sound,
  },
  logic: row.logic,
  source: row.source,
  state: row.state,
});

/** SQL of the alert engine, prepared because thousands of alerts may fire in one tick. */
export class AlertEngineStore {
  private readonly client: Db['$client'];
  private readonly rows;

  /**
   * @param savesStates false if states must not be written, so that those of another source stay
   * @param noteNews stores announcements that are not on disk yet; called before each transaction, because an alert may
   * have read them
   */
  constructor(
    private readonly db: Db,
    private readonly savesStates = true,
    private readonly noteNews: () => void = () => {},
  ) {
    const { $client: client } = db;
    this.client = client;
    this.rows = {
      active: client.query<ResumeRow, []>(ACTIVE),
      triggered: client.query<null, Bound>(TRIGGERED),
      stopped: client.query<null, Bound>(STOPPED),
      addTrigger: client.query<null, Bound>(ADD_TRIGGER),
      deferred: client.query<DeferredRow, []>(DEFERRED),
      noteDeferred: client.query<null, Bound>(WRITE_FACT),
      noneDeferred: client.query<null, []>(NONE_DEFERRED),
      saveState: client.query<null, Bound>(SAVE_STATE),
      dropState: client.query<null, Bound>(DROP_STATE),
    };
  }

  /** All or nothing; the callback must not await. */
  inTransaction<T>(work: () => T): T {
    this.noteNews();
    return this.db.transaction(work, { behavior: 'immediate' });
  }

  /**
   * Like `inTransaction`, for thousands of rows. They are durable in the write-ahead log when it returns; moving their
   * pages into the database file takes as long again and happens later.
   */
  inLargeTransaction<T>(work: () => T): T {
    this.client.run('PRAGMA wal_autocheckpoint = 0');
    try {
      return this.inTransaction(work);
    } finally {
      this.client.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    }
  }

  /** Yields the active alerts one by one; write nothing while reading them. */
  *active(): Iterable<StoredAlert> {
    for (const row of this.rows.active.iterate()) yield toStored(row);
  }

  /** Writes only a trigger. @returns its id; null if the alert was changed, switched off or deleted */
  addTrigger(trigger: Trigger, version: number): number | null {
    const { changes, lastInsertRowid } = this.rows.addTrigger.run(
      trigger.triggeredAt,
      trigger.marketAt,
      JSON.stringify(trigger.seen),
      trigger.quoteAt,
      trigger.source,
      trigger.delayMinutes,
      trigger.deactivated ? 1 : 0,
      trigger.silent ? 1 : 0,
      trigger.guard === null ? null : JSON.stringify(trigger.guard),
      trigger.alertId,
      version,
    );
    return changes === 0 ? null : Number(lastInsertRowid);
  }

  /** Updates an alert after a trigger, unless it was changed, switched off or deleted. */
  applyTrigger(
    { alertId, triggeredAt, deactivated }: Pick<Trigger, 'alertId' | 'triggeredAt' | 'deactivated'>,
    version: number,
    reason: string | null,
  ): void {
    this.rows.triggered.run(triggeredAt, deactivated ? 0 : 1, reason, alertId, version);
  }

  /** Stores the id of the first trigger with pending updates; null for none. */
  noteDeferred(firstTriggerId: number | null): void {
    if (firstTriggerId === null) this.rows.noneDeferred.run();
    else this.rows.noteDeferred.run(DEFERRED_KEY, String(firstTriggerId));
  }

  /** The last trigger of each alert whose update an earlier run did not apply. */
  deferredTriggers(): DeferredTrigger[] {
    return this.rows.deferred
      .all()
      .map((row) => ({ ...row, deactivated: row.deactivated === 1, silent: row.silent === 1 }));
  }

  /** Switches off an alert without a trigger. Returns false if it was changed or deleted. */
  stop(id: number, version: number, reason: string): boolean {
    return this.rows.stopped.run(reason, id, version).changes > 0;
  }

  saveState(id: number, source: string, state: string): void {
    if (this.savesStates) this.rows.saveState.run(source, state, id);
  }

  dropState(id: number): void {
    this.rows.dropState.run(id);
  }

  /** Deletes the states of inactive alerts, which start without a state. */
  dropInactiveStates(): void {
    this.client.run(DROP_INACTIVE);
  }
}
