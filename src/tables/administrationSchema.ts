import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { users } from '../platform/db/schema.ts';

/*
 * What administrators do and what the installation keeps of its own running. Times are epoch milliseconds, dates those of
 * Sydney, YYYY-MM-DD.
 */

/** What administrators did. Rows are written in the transaction of the action; they are never changed, nor deleted. */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    at: integer('at').notNull(),
    /** The administrator; null for what the server did by itself, such as bringing an old version back. */
    userId: integer('user_id').references(() => users.id),
    action: text('action').notNull(),
    /** What it was done to, in words: a username, a file, a channel's name, a call's public id. */
    target: text('target').notNull(),
    /** JSON; null where there is no such side. */
    before: text('before', { mode: 'json' }).$type<unknown>(),
    after: text('after', { mode: 'json' }).$type<unknown>(),
    /** In the administrator's own words; null where none was asked for. */
    reason: text('reason'),
  },
  (table) => [
    index('audit_entries_at').on(table.at),
    index('audit_entries_action').on(table.action),
    index('audit_entries_user').on(table.userId),
  ],
);

/** Days on which the exchange does otherwise than its calendar's rules say. Those that are over are never changed. */
export const specialDays = sqliteTable('special_days', {
  date: text('date').primaryKey(),
  kind: text('kind', { enum: ['closed', 'early', 'normal'] }).notNull(),
  /** HH:MM in Sydney; null unless trading ends early. */
  closesAt: text('closes_at'),
  reason: text('reason').notNull(),
  /** A setting names it; otherwise an administrator added it. */
  bySetting: integer('by_setting', { mode: 'boolean' }).notNull(),
  addedAt: integer('added_at').notNull(),
});

/** Chats that administrators send messages to. */
export const channels = sqliteTable(
  'channels',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    platform: text('platform', { enum: ['discord', 'telegram'] }).notNull(),
    /** The platform's own ID. */
    chatId: text('chat_id').notNull(),
    /** It can be chosen for a broadcast. */
    subscribed: integer('subscribed', { mode: 'boolean' }).notNull(),
    /** It gets the summary after the close. */
    sendDaily: integer('send_daily', { mode: 'boolean' }).notNull().default(false),
    createdAt: integer('created_at').notNull(),
    /** Since when nothing can be delivered, and a sentence saying why; null while the last message got there. */
    brokenAt: integer('broken_at'),
    brokenReason: text('broken_reason'),
  },
  (table) => [uniqueIndex('channels_chat').on(table.platform, table.chatId)],
);

/** Messages that administrators sent to channels. */
export const broadcasts = sqliteTable('broadcasts', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  userId: integer('user_id').references(() => users.id),
  sentAt: integer('sent_at').notNull(),
  message: text('message').notNull(),
  /** How many devices it was written for; null where it does not go to devices. */
  devices: integer('devices'),
  /** The id of the last device that it was written for; null once it was for all. */
  devicesDone: integer('devices_done'),
});

/** Which message of the outbox brings a broadcast, a day's summary, or the ledger's head, to which channel. */
export const channelMessages = sqliteTable(
  'channel_messages',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** Null when the channel was deleted since. */
    channelId: integer('channel_id').references(() => channels.id, { onDelete: 'set null' }),
    /** As it was called then. */
    channelName: text('channel_name').notNull(),
    broadcastId: integer('broadcast_id').references(() => broadcasts.id, { onDelete: 'cascade' }),
    /** The trading day that it sums up; null for a broadcast. */
    summaryDate: text('summary_date'),
    /** The name of the market source whose day that was; null for a broadcast. */
    summarySource: text('summary_source'),
    /** The day, in Sydney, whose head of the ledger it tells; null for any other message. */
    headDate: text('head_date'),
    /** The nonce of the outbox's row, which is deleted after a month; null when nothing was sent. */
    nonce: text('nonce'),
    /** A sentence saying why there was no summary of that day; null when there was one. */
    skippedReason: text('skipped_reason'),
  },
  (table) => [
    index('channel_messages_broadcast').on(table.broadcastId),
    // At most one summary a channel and day of a market, also after a restart.
    uniqueIndex('channel_messages_summary').on(table.channelId, table.summarySource, table.summaryDate),
    uniqueIndex('channel_messages_head').on(table.channelId, table.headDate),
  ],
);

/** Calls to other servers, counted by day, method and endpoint. An endpoint holds placeholders for what differs. */
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
    /** When the last one had a usable answer; null when none had on that day. */
    lastSuccessAt: integer('last_success_at'),
    /** What went wrong last, in a few words; null when nothing did on that day. */
    lastError: text('last_error'),
  },
  (table) => [primaryKey({ columns: [table.date, table.method, table.endpoint] })],
);
