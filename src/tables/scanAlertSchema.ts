import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ALERT_SOUNDS } from '../subjects/alerts/rules/alert.ts';
import type { EventGuard, TriggerGuard } from '#subjects/alerts/rules/eventGuard.ts';
import type { SeenCondition } from '../subjects/alerts/rules/trigger.ts';
import type { DeviceChoice } from '../subjects/devices/rules/device.ts';
import type { WatchedScan } from '../subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { users } from '../platform/db/schema.ts';

/* Alerts on whole scans. Times and booleans are as in `schema.ts`. */

const ownerId = () =>
  integer('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });

export const scanAlerts = sqliteTable(
  'scan_alerts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: ownerId(),
    name: text('name'),
    /** JSON: WatchedScan. */
    scan: text('scan', { mode: 'json' }).$type<WatchedScan>().notNull(),
    event: text('event', { enum: ['enters', 'leaves'] }).notNull(),
    scope: text('scope', { enum: ['market', 'watchlist'] }).notNull(),
    cooldownMinutes: integer('cooldown_minutes').notNull(),
    dayMaximum: integer('day_maximum').notNull(),
    minuteMaximum: integer('minute_maximum').notNull(),
    active: integer('active', { mode: 'boolean' }).notNull(),
    telegram: integer('telegram', { mode: 'boolean' }).notNull(),
    discord: integer('discord', { mode: 'boolean' }).notNull(),
    /** JSON: DeviceChoice. */
    devices: text('devices', { mode: 'json' }).$type<DeviceChoice>().notNull().default([]),
    /** Counts the changes that a person made. */
    version: integer('version').notNull().default(1),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /** Of what is not kept any more: the triggers that are say it themselves. */
    lastTriggeredAt: integer('last_triggered_at'),
    snoozedUntil: integer('snoozed_until'),
    /** As of alerts on stocks. */
    urgent: integer('urgent', { mode: 'boolean' }).notNull().default(false),
    group: text('group_name'),
    sound: text('sound', { enum: ALERT_SOUNDS }),
    /** JSON: EventGuard. */
    guard: text('guard', { mode: 'json' }).$type<EventGuard>(),
  },
  (table) => [index('scan_alerts_user').on(table.userId)],
);

/** Every time that a stock was told, and every sum of several. */
export const scanAlertTriggers = sqliteTable(
  'scan_alert_triggers',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: ownerId(),
    scanAlertId: integer('scan_alert_id')
      .notNull()
      .references(() => scanAlerts.id, { onDelete: 'cascade' }),
    /** Null for a sum. */
    symbol: text('symbol'),
    /** JSON: the symbols of a sum. */
    symbols: text('symbols', { mode: 'json' }).$type<string[]>().notNull(),
    event: text('event', { enum: ['enters', 'leaves'] }).notNull(),
    /** What the scan was called then. */
    scanLabel: text('scan_label').notNull(),
    /** Of what the scan asks: after an edit it is another one. */
    scanHash: integer('scan_hash').notNull(),
    triggeredAt: integer('triggered_at').notNull(),
    marketAt: integer('market_at').notNull(),
    /** Of the market's session, YYYY-MM-DD: a stock is told so often in one. */
    session: text('session').notNull(),
    /** JSON: list of SeenCondition. */
    seen: text('seen', { mode: 'json' }).$type<SeenCondition[]>().notNull(),
    quoteAt: integer('quote_at'),
    source: text('source').notNull(),
    delayMinutes: integer('delay_minutes').notNull(),
    silent: integer('silent', { mode: 'boolean' }).notNull(),
    /** A sum whose minute is not over yet: its message is still to be written. */
    isOpen: integer('is_open', { mode: 'boolean' }).notNull(),
    /** JSON: TriggerGuard. */
    guard: text('guard', { mode: 'json' }).$type<TriggerGuard>(),
  },
  (table) => [
    index('scan_alert_triggers_alert').on(table.scanAlertId, table.id),
    index('scan_alert_triggers_session').on(table.session),
    index('scan_alert_triggers_user').on(table.userId, table.triggeredAt),
  ],
);

/** Stocks that a scan alert is not to tell in a session. */
export const scanAlertMutes = sqliteTable(
  'scan_alert_mutes',
  {
    scanAlertId: integer('scan_alert_id')
      .notNull()
      .references(() => scanAlerts.id, { onDelete: 'cascade' }),
    symbol: text('symbol').notNull(),
    session: text('session').notNull(),
  },
  (table) => [primaryKey({ columns: [table.scanAlertId, table.symbol] })],
);

/** Which stocks stood in a watched scan, over a restart: of a source, and of what the scan asks. */
export const scanStates = sqliteTable(
  'scan_states',
  {
    scanHash: integer('scan_hash').notNull(),
    source: text('source').notNull(),
    session: text('session').notNull(),
    /** What was told after this trigger is newer. */
    lastTriggerId: integer('last_trigger_id').notNull(),
    /** Two bits a stock, in the order of the codes that are kept beside it in `facts`. */
    members: blob('members', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.scanHash, table.source] })],
);
