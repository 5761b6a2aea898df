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
import { calls, users } from '../platform/db/schema.ts';
import type { MarkChange } from '../subjects/calls/rules/types.ts';

export const callPaths = sqliteTable('call_paths', {
  callId: integer('call_id')
    .primaryKey()
    .references(() => calls.id),
  /** Levels of a trailing stop over time, as [epoch ms of the wall clock, AUD, …]. */
  stops: text('stops', { mode: 'json' }).$type<number[]>().notNull().default([]),
  /** Price history by `packJson`, written when the call is settled, empty if unknown; null until then. */
  path: blob('path', { mode: 'buffer' }).$type<Uint8Array>(),
});

/** Requested ends of calls that can still be undone. A row is deleted with the end or the undo. */
export const callEndings = sqliteTable('call_endings', {
  callId: integer('call_id')
    .primaryKey()
    .references(() => calls.id, { onDelete: 'cascade' }),
  kind: text('kind', { enum: ['close', 'cancel'] }).notNull(),
  pocketedValue: real('pocketed_value'),
  dueAt: integer('due_at').notNull(),
});

/** Corrections by administrators: the recorded marks; calls have the corrected ones. Never changed. */
export const callCorrections = sqliteTable(
  'call_corrections',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    callId: integer('call_id')
      .notNull()
      .references(() => calls.id),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    correctedAt: integer('corrected_at').notNull(),
    reason: text('reason').notNull(),
    reasonSalt: text('reason_salt'),
    changes: text('changes', { mode: 'json' }).$type<MarkChange[]>().notNull(),
  },
  (table) => [index('call_corrections_call').on(table.callId)],
);

/** The submitters that users follow. */
export const callFollows = sqliteTable(
  'call_follows',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    submitterId: integer('submitter_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.submitterId] }),
    index('call_follows_submitter').on(table.submitterId, table.userId),
  ],
);

/** Stocks whose followed calls send a user no messages. */
export const callMutes = sqliteTable(
  'call_mutes',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    symbol: text('symbol').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.symbol] })],
);

/**
 * Events of followed calls, one row per call and event, written with the event. A row is never deleted, so that an
 * event that is found again after a correction sends no second message.
 */
export const callNotices = sqliteTable(
  'call_notices',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    callId: integer('call_id')
      .notNull()
      .references(() => calls.id),
    event: text('event', { enum: ['posted', 'filled', 'target', 'stop'] }).notNull(),
    at: integer('at').notNull(),
    /** Followers up to this user id have their message; null if all have. */
    doneUntil: integer('done_until').default(0),
  },
  (table) => [
    uniqueIndex('call_notices_event').on(table.callId, table.event),
    index('call_notices_done').on(table.doneUntil),
  ],
);

/**
 * The market's level every 15 minutes of trading, to measure results against: the cap-weighted price of the
 * 50 largest stocks. Only levels of one chain are comparable.
 */
export const marketLevels = sqliteTable(
  'market_levels',
  {
    source: text('source').notNull(),
    /** When these prices were made, epoch ms of the wall clock. */
    at: integer('at').notNull(),
    /** The `at` of the first level of its chain. A chain ends if a day's close is missing. */
    chain: integer('chain').notNull(),
    /** The level at the previous close; 1 at the beginning of a chain. */
    base: real('base').notNull(),
    level: real('level').notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.at] })],
);

/** The ledger of calls: each entry contains the hash of the previous entry. Rows are never changed or deleted. */
export const callLedger = sqliteTable('call_ledger', {
  number: integer('number').primaryKey(),
  /** The hashed JSON text, plain ASCII. */
  line: text('line').notNull(),
  hash: text('hash').notNull(),
});

/** The people behind references in the ledger. Without a row their name can't be revealed. */
export const callLedgerPeople = sqliteTable('call_ledger_people', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  ref: text('ref').notNull().unique(),
  salt: text('salt').notNull(),
  /** The salted hash of the name in the last entry about it. */
  name: text('name').notNull(),
});
