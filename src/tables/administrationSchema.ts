import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { users } from '../platform/db/schema.ts';

/** Actions of administrators, written in their transaction and never changed or deleted. */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    at: integer('at').notNull(),
    /** The administrator; null for actions of the server, such as a roll-back. */
    userId: integer('user_id').references(() => users.id),
    action: text('action').notNull(),
    target: text('target').notNull(),
    before: text('before', { mode: 'json' }).$type<unknown>(),
    after: text('after', { mode: 'json' }).$type<unknown>(),
    reason: text('reason'),
  },
  (table) => [
    index('audit_entries_at').on(table.at),
    index('audit_entries_action').on(table.action),
    index('audit_entries_user').on(table.userId),
  ],
);

/** Days that differ from the exchange's calendar. Past ones are never changed. */
export const specialDays = sqliteTable('special_days', {
  date: text('date').primaryKey(),
  kind: text('kind', { enum: ['closed', 'early', 'normal'] }).notNull(),
  /** HH:MM in Sydney; null unless trading ends early. */
  closesAt: text('closes_at'),
  reason: text('reason').notNull(),
  bySetting: integer('by_setting', { mode: 'boolean' }).notNull(),
  addedAt: integer('added_at').notNull(),
});

export const channels = sqliteTable(
  'channels',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    platform: text('platform', { enum: ['discord', 'telegram'] }).notNull(),
    chatId: text('chat_id').notNull(),
    subscribed: integer('subscribed', { mode: 'boolean' }).notNull(),
    sendDaily: integer('send_daily', { mode: 'boolean' }).notNull().default(false),
    createdAt: integer('created_at').notNull(),
    /** Since when delivery fails, and a sentence with the reason; null after a success. */
    brokenAt: integer('broken_at'),
    brokenReason: text('broken_reason'),
  },
  (table) => [uniqueIndex('channels_chat').on(table.platform, table.chatId)],
);

export const broadcasts = sqliteTable('broadcasts', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  userId: integer('user_id').references(() => users.id),
  sentAt: integer('sent_at').notNull(),
  message: text('message').notNull(),
  devices: integer('devices'),
  /** The id of the last queued device; null once all are queued. */
  devicesDone: integer('devices_done'),
});

/** The outbox message of a broadcast, a daily summary or the ledger's latest entry, per channel. */
export const channelMessages = sqliteTable(
  'channel_messages',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    channelId: integer('channel_id').references(() => channels.id, { onDelete: 'set null' }),
    channelName: text('channel_name').notNull(),
    broadcastId: integer('broadcast_id').references(() => broadcasts.id, { onDelete: 'cascade' }),
    /** The trading day of the summary; null for a broadcast. */
    summaryDate: text('summary_date'),
    /** The market source of that day; null for a broadcast. */
    summarySource: text('summary_source'),
    /** The Sydney day of the ledger's latest entry; null for other messages. */
    headDate: text('head_date'),
    nonce: text('nonce'),
    /** Why there was no summary, one sentence; null if there was one. */
    skippedReason: text('skipped_reason'),
  },
  (table) => [
    index('channel_messages_broadcast').on(table.broadcastId),
    // At most one summary per channel, day and market, even after a restart.
    uniqueIndex('channel_messages_summary').on(table.channelId, table.summarySource, table.summaryDate),
    uniqueIndex('channel_messages_head').on(table.channelId, table.headDate),
  ],
);

/** External requests by day, method and endpoint, with placeholders for variable parts. */
export const endpointCalls = sqliteTable(
  'endpoint_calls',
  {
    date: text('date').notNull(),
    method: text('method').notNull(),
    endpoint: text('endpoint').notNull(),
    count: integer('count').notNull(),
    errors: integer('errors').notNull(),
    totalMs: integer('total_ms').notNull(),
    slowestMs: integer('slowest_ms').notNull(),
    lastAt: integer('last_at').notNull(),
    lastSuccessAt: integer('last_success_at'),
    lastError: text('last_error'),
  },
  (table) => [primaryKey({ columns: [table.date, table.method, table.endpoint] })],
);
