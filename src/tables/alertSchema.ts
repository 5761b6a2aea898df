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
import type { AlertNote } from '#subjects/alerts/rules/alertMessage.ts';
import type { EventGuard, TriggerGuard } from '#subjects/alerts/rules/eventGuard.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import type { ChatMessage } from '../platform/chatClients/rules/chatMessage.ts';
import { users } from '../platform/db/schema.ts';
import { ALERT_SOUNDS } from '../subjects/alerts/rules/alert.ts';
import type { WatchedScan } from '../subjects/alerts/rules/scanAlerts/scanAlert.ts';
import type { SeenCondition } from '../subjects/alerts/rules/trigger.ts';
import type { DeviceChoice } from '../subjects/devices/rules/device.ts';

/* Watchlists, alerts, linked chats and the messages to them. Times and booleans are as in `schema.ts`. */

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
    /** Its place among its owner's lists, from 0. */
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
    /** What its owner wrote beside it. */
    note: text('note'),
    /** A price that its owner waits for, AUD. */
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
    /** JSON: Logic. */
    logic: text('logic', { mode: 'json' }).$type<Logic>().notNull(),
    telegram: integer('telegram', { mode: 'boolean' }).notNull(),
    discord: integer('discord', { mode: 'boolean' }).notNull(),
    /** JSON: DeviceChoice. */
    devices: text('devices', { mode: 'json' }).$type<DeviceChoice>().notNull().default([]),
    /** Counts the changes that a person made: a window that saves over a newer one is told so. */
    version: integer('version').notNull().default(1),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    lastTriggeredAt: integer('last_triggered_at'),
    /** It is evaluated but sends nothing until then; apart from `active`, which stays what the person chose. */
    snoozedUntil: integer('snoozed_until'),
    /** A sentence saying why it was stopped without its owner; null when it was not. */
    stoppedReason: text('stopped_reason'),
    /** What its owner wrote to go into its message. */
    note: text('note'),
    /** By the market's clock: from then on it is off. */
    expiresAt: integer('expires_at'),
    /** What was true when it was saved or switched on does not fire before then. */
    armedAt: integer('armed_at'),
    /** JSON: the conditions that it was live with before its last change of them; null where it was not. */
    undoLogic: text('undo_logic', { mode: 'json' }).$type<Logic>(),
    /** JSON: of which currencies it mentions events of HIGH impact. */
    guard: text('guard', { mode: 'json' }).$type<EventGuard>(),
    /** How long it is quiet after it fired. */
    cooldownMinutes: integer('cooldown_minutes').notNull().default(1),
    /** Neither quiet hours nor a digest hold its messages. */
    urgent: integer('urgent', { mode: 'boolean' }).notNull().default(false),
    /** What its owner files it under. */
    group: text('group_name'),
    /** What windows play as it fires; null for what each browser plays. */
    sound: text('sound', { enum: ALERT_SOUNDS }),
  },
  (table) => [
    index('alerts_user').on(table.userId, table.symbol),
    index('alerts_active').on(table.active, table.symbol),
  ],
);

/**
 * What an active alert remembers over a restart. It belongs to the market source it was made on, and to the symbol and the
 * logic whose hash it holds; on any other it counts nothing.
 */
export const alertStates = sqliteTable('alert_states', {
  alertId: integer('alert_id')
    .primaryKey()
    .references(() => alerts.id, { onDelete: 'cascade' }),
  source: text('source').notNull(),
  /** JSON, or bytes of an earlier version; see subjects/alerts/server/engine/keptState. */
  state: text('state').notNull(),
});

/** Every time an alert fired, with the values it saw. */
export const alertTriggers = sqliteTable(
  'alert_triggers',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    alertId: integer('alert_id')
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    /** The alert's at that moment: it may have been moved since. */
    symbol: text('symbol').notNull(),
    /** By the wall clock. */
    triggeredAt: integer('triggered_at').notNull(),
    /** By the market's clock. */
    marketAt: integer('market_at').notNull(),
    /** JSON: list of SeenCondition. */
    seen: text('seen', { mode: 'json' }).$type<SeenCondition[]>().notNull(),
    /** When the quote was made, by the market's clock; null when that is not known. */
    quoteAt: integer('quote_at'),
    /** The source's name and its delay in minutes at that moment. */
    source: text('source').notNull(),
    delayMinutes: integer('delay_minutes').notNull(),
    deactivated: integer('deactivated', { mode: 'boolean' }).notNull(),
    /** It fired while snoozed: nothing was sent. */
    silent: integer('silent', { mode: 'boolean' }).notNull(),
    /** JSON: what it has to do with an event of the calendar. */
    guard: text('guard', { mode: 'json' }).$type<TriggerGuard>(),
  },
  (table) => [index('alert_triggers_alert').on(table.alertId, table.triggeredAt)],
);

/** Chats that belong to a user. A chat is confirmed for one user at most; only confirmed ones are sent alerts. */
export const linkedChats = sqliteTable(
  'linked_chats',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: ownerId(),
    platform: platform(),
    /** The platform's own ID: a Telegram chat, a Discord user. */
    chatId: text('chat_id').notNull(),
    displayName: text('display_name'),
    createdAt: integer('created_at').notNull(),
    /** The person confirmed in that chat that it is theirs. */
    confirmedAt: integer('confirmed_at'),
    /** Since when nothing can be delivered, and a sentence saying why; null while all is well. */
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

/** One-time tokens by which a chat is linked to the account that claims it. */
export const linkTokens = sqliteTable('link_tokens', {
  /** SHA-256 of the token, hex. */
  tokenHash: text('token_hash').primaryKey(),
  platform: platform(),
  chatId: text('chat_id').notNull(),
  displayName: text('display_name'),
  /** As of the chat that it links. */
  topicId: integer('topic_id'),
  expiresAt: integer('expires_at').notNull(),
});

/**
 * Messages to chats, written in the transaction of what causes them. A chat's messages are sent in the order of their
 * ids.
 */
export const outbox = sqliteTable(
  'outbox',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    platform: text('platform', { enum: ['telegram', 'discord', 'push'] }).notNull(),
    /** As `ChatTarget`: what goes to channels and to everybody waits behind what goes to a person. */
    target: text('target', { enum: ['chat', 'channel', 'everybody'] })
      .notNull()
      .default('chat'),
    /** The platform's own ID; of web push the device and the push service that it is of: `deviceAddress`. */
    chatId: text('chat_id').notNull(),
    /** Whom it is for; null for what goes to no user's chat. */
    userId: integer('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** The trigger it tells of; null for any other message. */
    triggerId: integer('trigger_id').references(() => alertTriggers.id, { onDelete: 'cascade' }),
    /** The trigger of an alert on a whole scan that it tells of, which may be gone; null for any other message. */
    scanTriggerId: integer('scan_trigger_id'),
    /** The broadcast to devices that it is of; null for any other message. */
    broadcastId: integer('broadcast_id'),
    /** JSON: the message; of an alert's trigger what was noted, until the message is made of both as it is sent. */
    message: text('message', { mode: 'json' }).$type<ChatMessage | { note: AlertNote }>().notNull(),
    /** Makes a repeat recognisable to platforms that look for it. */
    nonce: text('nonce').notNull(),
    /**
     * `held`: it waits for a digest. `sending`: handed to the platform, its answer is not known yet. `digested`: a digest
     * tells of it, and what becomes of that becomes of it.
     */
    status: text('status', { enum: ['held', 'waiting', 'sending', 'sent', 'failed', 'digested'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    /** Not before then. */
    dueAt: integer('due_at').notNull(),
    /** When the first attempt was made that may have arrived without its answer; null while there is none. */
    uncertainSince: integer('uncertain_since'),
    sentAt: integer('sent_at'),
    /** The platform's ID of the sent message. */
    messageId: text('message_id'),
    /** A sentence saying why it was given up. */
    failedReason: text('failed_reason'),
    /** The message that tells of it together with others. */
    digestId: integer('digest_id'),
  },
  (table) => [
    // In a gap thousands are written in one tick: these indexes only grow at their ends then.
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

/* What keeps alerts few: those that need attention, and quiet hours. Times and booleans are as in `schema.ts`. */

/** Which users want the weekly message about alerts that need attention. */
export const reviewChoices = sqliteTable('review_choices', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  weekly: integer('weekly', { mode: 'boolean' }).notNull(),
  /** The Sydney date of the last Saturday whose message was sent, or had nothing to list, YYYY-MM-DD. */
  toldWeek: text('told_week'),
});

/** Reasons for attention that the owner dismissed until then. */
export const keptFindings = sqliteTable(
  'kept_findings',
  {
    userId: ownerId(),
    /** As `Attention`. */
    key: text('key').notNull(),
    until: integer('until').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.key] }),
    index('kept_findings_until').on(table.until),
  ],
);

/** What was seen of the stocks that alerts are on, once a session. Of the market, so it names its source. */
export const stockPresence = sqliteTable(
  'stock_presence',
  {
    source: text('source').notNull(),
    symbol: text('symbol').notNull(),
    /** What the company was called when the stock was listed last; '' where it never was. */
    company: text('company').notNull(),
    /** Sydney dates of sessions, YYYY-MM-DD: the last that was looked at, and the first of those that it was missing in. */
    lookedOn: text('looked_on').notNull(),
    missingSince: text('missing_since'),
    /** In how many sessions in a row it was missing. */
    missingDays: integer('missing_days').notNull().default(0),
    /** The first of the sessions in a row in which it was halted. */
    haltedSince: text('halted_since'),
  },
  (table) => [primaryKey({ columns: [table.source, table.symbol] })],
);

/** When a person wants no messages, and how those are told that came meanwhile. */
export const quietHours = sqliteTable('quiet_hours', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  active: integer('active', { mode: 'boolean' }).notNull(),
  /** Minutes since midnight by the clocks of the zone; over midnight where the end is less. */
  from: integer('from_minute').notNull(),
  until: integer('until_minute').notNull(),
  /** A name of the time zone database. */
  zone: text('zone').notNull(),
  /** `end`: one digest as they end. `hourly`: one each hour of them. `always`: as `end`, and one each hour of the day. */
  digest: text('digest', { enum: ['end', 'hourly', 'always'] }).notNull(),
});

/* Alerts on whole scans. Times and booleans are as in `schema.ts`. */

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
