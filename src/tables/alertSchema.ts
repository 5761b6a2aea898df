import { sql } from 'drizzle-orm';
import {
  blob,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import type { StoredMessage } from '#platform/outbox/message.ts';
import type { EventFilter, TriggerFilter } from '#subjects/alerts/rules/eventFilter.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { users } from '../platform/db/schema.ts';
import { ALERT_SOUNDS } from '../subjects/alerts/answers/options.ts';
import type { WatchedScan } from '../subjects/alerts/answers/scanAlert.ts';
import type { Announced } from '../subjects/alerts/rules/scanAlerts/scanAlert.ts';
import type { SeenCondition } from '../subjects/alerts/rules/trigger.ts';
import type { DeviceChoice } from '../subjects/devices/rules/device.ts';

/** Watchlists, alerts, linked chats and messages. Times and booleans are as in `schema.ts`. */

const ownerId = () =>
  integer('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });

const platform = () => text('platform', { enum: ['telegram', 'discord'] }).notNull();

export const watchlists = sqliteTable(
  'watchlists',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: ownerId(),
    name: text('name').notNull(),
    position: integer('position').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('watchlists_user').on(table.userId, table.position)],
);

export const watchlistItems = sqliteTable(
  'watchlist_items',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: ownerId(),
    listId: integer('list_id')
      .notNull()
      .references(() => watchlists.id, { onDelete: 'cascade' }),
    symbol: text('symbol').notNull(),
    note: text('note'),
    target: real('target'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('watchlist_items_in_list').on(table.listId, table.symbol),
    index('watchlist_items_symbol').on(table.userId, table.symbol),
  ],
);

export const alerts = sqliteTable(
  'alerts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: ownerId(),
    symbol: text('symbol').notNull(),
    name: text('name'),
    active: integer('active', { mode: 'boolean' }).notNull(),
    persistent: integer('persistent', { mode: 'boolean' }).notNull(),
    logic: text('logic', { mode: 'json' }).$type<Logic>().notNull(),
    telegram: integer('telegram', { mode: 'boolean' }).notNull(),
    discord: integer('discord', { mode: 'boolean' }).notNull(),
    devices: text('devices', { mode: 'json' }).$type<DeviceChoice>().notNull().default([]),
    /** Counts changes by people, to detect a save over a newer version. */
    version: integer('version').notNull().default(1),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    lastTriggeredAt: integer('last_triggered_at'),
    /** Until then the alert is evaluated but sends nothing. `active` keeps the person's choice. */
    snoozedUntil: integer('snoozed_until'),
    /** Why the server stopped the alert, one sentence; null otherwise. */
    stoppedReason: text('stopped_reason'),
    note: text('note'),
    /** Epoch ms of the market's clock. The alert is off afterwards. */
    expiresAt: integer('expires_at'),
    /** Conditions that held when it was saved or enabled do not fire before then. */
    armedAt: integer('armed_at'),
    /** The conditions before their last change; null if the alert was off. */
    undoLogic: text('undo_logic', { mode: 'json' }).$type<Logic>(),
    /** The event filter: which currencies' events of HIGH impact the alert mentions. */
    guard: text('guard', { mode: 'json' }).$type<EventFilter>(),
    cooldownMinutes: integer('cooldown_minutes').notNull().default(1),
    urgent: integer('urgent', { mode: 'boolean' }).notNull().default(false),
    group: text('group_name'),
    /** Played by windows when it fires; null for each browser's own sound. */
    sound: text('sound', { enum: ALERT_SOUNDS }),
  },
  (table) => [
    index('alerts_user').on(table.userId, table.symbol),
    index('alerts_active').on(table.active, table.symbol),
  ],
);

/**
 * State of an active alert, kept over a restart. It is valid only for the same market source, symbol and
 * logic, whose hash it holds.
 */
export const alertStates = sqliteTable('alert_states', {
  alertId: integer('alert_id')
    .primaryKey()
    .references(() => alerts.id, { onDelete: 'cascade' }),
  source: text('source').notNull(),
  state: text('state').notNull(),
});

export const alertTriggers = sqliteTable(
  'alert_triggers',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    alertId: integer('alert_id')
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    /** The symbol when the alert fired; the alert may have another one now. */
    symbol: text('symbol').notNull(),
    triggeredAt: integer('triggered_at').notNull(),
    marketAt: integer('market_at').notNull(),
    seen: text('seen', { mode: 'json' }).$type<SeenCondition[]>().notNull(),
    /** Time of the quote by the market's clock; null if unknown. */
    quoteAt: integer('quote_at'),
    /** The source's name and its delay in minutes at that moment. */
    source: text('source').notNull(),
    delayMinutes: integer('delay_minutes').notNull(),
    deactivated: integer('deactivated', { mode: 'boolean' }).notNull(),
    silent: integer('silent', { mode: 'boolean' }).notNull(),
    guard: text('guard', { mode: 'json' }).$type<TriggerFilter>(),
  },
  (table) => [index('alert_triggers_alert').on(table.alertId, table.triggeredAt)],
);

export const linkedChats = sqliteTable(
  'linked_chats',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: ownerId(),
    platform: platform(),
    chatId: text('chat_id').notNull(),
    displayName: text('display_name'),
    createdAt: integer('created_at').notNull(),
    /** When the person confirmed the link in that chat. */
    confirmedAt: integer('confirmed_at'),
    /** Since when delivery fails, and a sentence with the reason; null otherwise. */
    brokenAt: integer('broken_at'),
    brokenReason: text('broken_reason'),
    /** The topic of a Telegram forum in which it was linked; null for none. */
    topicId: integer('topic_id'),
  },
  (table) => [
    uniqueIndex('linked_chats_own').on(table.userId, table.platform, table.chatId),
    uniqueIndex('linked_chats_confirmed')
      .on(table.platform, table.chatId)
      .where(sql`${table.confirmedAt} IS NOT NULL`),
  ],
);

export const linkTokens = sqliteTable('link_tokens', {
  /** SHA-256 of the token, hex. */
  tokenHash: text('token_hash').primaryKey(),
  platform: platform(),
  chatId: text('chat_id').notNull(),
  displayName: text('display_name'),
  topicId: integer('topic_id'),
  expiresAt: integer('expires_at').notNull(),
});

/** Messages to chats, written in the transaction of their cause. A chat's messages are sent by id. */
export const outbox = sqliteTable(
  'outbox',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    platform: text('platform', { enum: ['telegram', 'discord', 'push'] }).notNull(),
    /** See `ChatTarget`: messages to channels and to all users wait behind those to a person. */
    target: text('target', { enum: ['chat', 'channel', 'everybody'] })
      .notNull()
      .default('chat'),
    /** The platform's own ID; for web push the device and its push service: `deviceAddress`. */
    chatId: text('chat_id').notNull(),
    userId: integer('user_id').references(() => users.id, { onDelete: 'cascade' }),
    triggerId: integer('trigger_id').references(() => alertTriggers.id, { onDelete: 'cascade' }),
    /** Null unless the message is about a trigger of a scan alert, which may be deleted. */
    scanTriggerId: integer('scan_trigger_id'),
    broadcastId: integer('broadcast_id'),
    /** For an alert's trigger or a followed call it is a note, until the message is built when it is sent. */
    message: text('message', { mode: 'json' }).$type<StoredMessage>().notNull(),
    nonce: text('nonce').notNull(),
    /**
     * `held`: waits for a digest. `sending`: passed to the platform, without an answer yet. `digested`: part
     * of a digest and shares its outcome.
     */
    status: text('status', { enum: ['held', 'waiting', 'sending', 'sent', 'failed', 'digested'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    dueAt: integer('due_at').notNull(),
    /** Time of the first attempt that may have been delivered without an answer; null if there is none. */
    uncertainSince: integer('uncertain_since'),
    sentAt: integer('sent_at'),
    messageId: text('message_id'),
    failedReason: text('failed_reason'),
    digestId: integer('digest_id'),
  },
  (table) => [
    // Thousands of rows are written in one tick after a gap, and these indexes then only grow at their ends.
    index('outbox_status').on(table.status),
    index('outbox_trigger').on(table.triggerId),
    index('outbox_scan_trigger').on(table.scanTriggerId).where(sql`${table.scanTriggerId} IS NOT NULL`),
    index('outbox_broadcast')
      .on(table.broadcastId, table.status)
      .where(sql`${table.broadcastId} IS NOT NULL`),
    index('outbox_channel').on(table.platform, table.chatId).where(sql`${table.target} = 'channel'`),
    uniqueIndex('outbox_nonce').on(table.nonce).where(sql`${table.triggerId} IS NULL`),
    index('outbox_held').on(table.userId, table.id).where(sql`${table.status} = 'held'`),
    index('outbox_sent').on(table.sentAt).where(sql`${table.sentAt} IS NOT NULL`),
  ],
);

export const reviewChoices = sqliteTable('review_choices', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  weekly: integer('weekly', { mode: 'boolean' }).notNull(),
  /**
   * The Sydney date (YYYY-MM-DD) of the last Saturday that was handled, even if there was nothing to list.
   */
  toldWeek: text('told_week'),
});

export const keptCheckResults = sqliteTable(
  'kept_findings',
  {
    userId: ownerId(),
    key: text('key').notNull(),
    until: integer('until').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.key] }),
    index('kept_findings_until').on(table.until),
  ],
);

/** Presence of the stocks with alerts, once per session and source. */
export const stockPresence = sqliteTable(
  'stock_presence',
  {
    source: text('source').notNull(),
    symbol: text('symbol').notNull(),
    company: text('company').notNull(),
    /** Sydney dates of sessions, YYYY-MM-DD: the last checked one, and the first in which it was missing. */
    lookedOn: text('looked_on').notNull(),
    missingSince: text('missing_since'),
    missingDays: integer('missing_days').notNull().default(0),
    /** The first of the consecutive sessions in which it was halted. */
    haltedSince: text('halted_since'),
  },
  (table) => [primaryKey({ columns: [table.source, table.symbol] })],
);

export const quietHours = sqliteTable('quiet_hours', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  active: integer('active', { mode: 'boolean' }).notNull(),
  /** Minutes since midnight in the zone; the end may be on the next day. */
  from: integer('from_minute').notNull(),
  until: integer('until_minute').notNull(),
  zone: text('zone').notNull(),
  /** `end`: one digest when they end. `hourly`: one per hour of them. `always`: also per hour of the day. */
  digest: text('digest', { enum: ['end', 'hourly', 'always'] }).notNull(),
});

export const scanAlerts = sqliteTable(
  'scan_alerts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: ownerId(),
    name: text('name'),
    scan: text('scan', { mode: 'json' }).$type<WatchedScan>().notNull(),
    event: text('event', { enum: ['enters', 'leaves'] }).notNull(),
    scope: text('scope', { enum: ['market', 'watchlist'] }).notNull(),
    cooldownMinutes: integer('cooldown_minutes').notNull(),
    dayMaximum: integer('day_maximum').notNull(),
    minuteMaximum: integer('minute_maximum').notNull(),
    active: integer('active', { mode: 'boolean' }).notNull(),
    telegram: integer('telegram', { mode: 'boolean' }).notNull(),
    discord: integer('discord', { mode: 'boolean' }).notNull(),
    devices: text('devices', { mode: 'json' }).$type<DeviceChoice>().notNull().default([]),
    version: integer('version').notNull().default(1),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    lastTriggeredAt: integer('last_triggered_at'),
    snoozedUntil: integer('snoozed_until'),
    urgent: integer('urgent', { mode: 'boolean' }).notNull().default(false),
    group: text('group_name'),
    sound: text('sound', { enum: ALERT_SOUNDS }),
    guard: text('guard', { mode: 'json' }).$type<EventFilter>(),
  },
  (table) => [index('scan_alerts_user').on(table.userId)],
);

export const scanAlertTriggers = sqliteTable(
  'scan_alert_triggers',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: ownerId(),
    scanAlertId: integer('scan_alert_id')
      .notNull()
      .references(() => scanAlerts.id, { onDelete: 'cascade' }),
    symbol: text('symbol'),
    symbols: text('symbols', { mode: 'json' }).$type<string[]>().notNull(),
    /** The reported announcements; null for an alert on a scan. */
    announcements: text('announcements', { mode: 'json' }).$type<Announced[]>(),
    event: text('event', { enum: ['enters', 'leaves'] }).notNull(),
    scanLabel: text('scan_label').notNull(),
    /** Hash of the scan's conditions; an edit changes it. */
    scanHash: integer('scan_hash').notNull(),
    triggeredAt: integer('triggered_at').notNull(),
    marketAt: integer('market_at').notNull(),
    /** The market's session, YYYY-MM-DD: notifications of a stock are limited per session. */
    session: text('session').notNull(),
    seen: text('seen', { mode: 'json' }).$type<SeenCondition[]>().notNull(),
    quoteAt: integer('quote_at'),
    source: text('source').notNull(),
    delayMinutes: integer('delay_minutes').notNull(),
    silent: integer('silent', { mode: 'boolean' }).notNull(),
    /** A summary whose minute is not over: its message is not written yet. */
    isOpen: integer('is_open', { mode: 'boolean' }).notNull(),
    guard: text('guard', { mode: 'json' }).$type<TriggerFilter>(),
  },
  (table) => [
    index('scan_alert_triggers_alert').on(table.scanAlertId, table.id),
    index('scan_alert_triggers_session').on(table.session),
    index('scan_alert_triggers_user').on(table.userId, table.triggeredAt),
  ],
);

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

/** Members of a watched scan, kept over a restart, by source and conditions. */
export const scanStates = sqliteTable(
  'scan_states',
  {
    scanHash: integer('scan_hash').notNull(),
    source: text('source').notNull(),
    session: text('session').notNull(),
    /** Triggers with a higher id are newer than this state. */
    lastTriggerId: integer('last_trigger_id').notNull(),
    /** Two bits per stock, in the order of the codes in `facts`. */
    members: blob('members', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.scanHash, table.source] })],
);
