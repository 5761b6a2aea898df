import { blob, index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { calls, users } from '../platform/db/schema.ts';
import type { MarkChange } from '../subjects/calls/rules/types.ts';

/** What is kept of a call's prices, so that its picture can be shown when its minutes are long gone. */
export const callPaths = sqliteTable('call_paths', {
  callId: integer('call_id')
    .primaryKey()
    .references(() => calls.id),
  /** JSON: where a trailing stop stood from when, as [epoch ms of the wall clock, AUD, …]. */
  stops: text('stops', { mode: 'json' }).$type<number[]>().notNull().default([]),
  /** The path by `packJson`, written once when the call is settled; empty where none is known. Null until then. */
  path: blob('path', { mode: 'buffer' }).$type<Uint8Array>(),
});

/** Calls whose end was asked for and can still be taken back; a row goes with the end or with *Take back*. */
export const callEndings = sqliteTable('call_endings', {
  callId: integer('call_id')
    .primaryKey()
    .references(() => calls.id, { onDelete: 'cascade' }),
  kind: text('kind', { enum: ['close', 'cancel'] }).notNull(),
  /** AUD; null for a cancellation. */
  pocketedValue: real('pocketed_value'),
  dueAt: integer('due_at').notNull(),
});

/**
 * What administrators put right of recorded marks. The calls carry the corrected marks, these rows what was recorded
 * before; they are never changed or deleted.
 */
export const callCorrections = sqliteTable(
  'call_corrections',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    callId: integer('call_id')
      .notNull()
      .references(() => calls.id),
    /** The administrator. */
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    correctedAt: integer('corrected_at').notNull(),
    reason: text('reason').notNull(),
    reasonSalt: text('reason_salt'),
    /** JSON: list of MarkChange. */
    changes: text('changes', { mode: 'json' }).$type<MarkChange[]>().notNull(),
  },
  (table) => [index('call_corrections_call').on(table.callId)],
);

/**
 * The market's own level every quarter of an hour of trading, so that results can be measured against its move: the
 * cap-weighted price of the 50 largest stocks. Only levels of one chain compare.
 */
export const marketLevels = sqliteTable(
  'market_levels',
  {
    /** The name of the market source. */
    source: text('source').notNull(),
    /** When these prices were made, epoch ms of the wall clock. */
    at: integer('at').notNull(),
    /** The `at` of the first level of its chain. A chain ends when a day's close was not seen. */
    chain: integer('chain').notNull(),
    /** The level at the previous close; 1 at the beginning of a chain. */
    base: real('base').notNull(),
    level: real('level').notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.at] })],
);

/** The ledger of calls: each line carries the hash of the line before. Rows are never changed or deleted. */
export const callLedger = sqliteTable('call_ledger', {
  /** From 1, without gaps. */
  number: integer('number').primaryKey(),
  /** The JSON text that is hashed, plain ASCII. */
  line: text('line').notNull(),
  /** SHA-256 of the line, hex. */
  hash: text('hash').notNull(),
});

/**
 * Who stands in the ledger behind which reference. With a row goes what opens the name in the lines: they stay, and say no
 * name any more.
 */
export const callLedgerPeople = sqliteTable('call_ledger_people', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Random; says nothing of the person. */
  ref: text('ref').notNull().unique(),
  /** Random; what the name is hashed with. */
  salt: text('salt').notNull(),
  /** The commitment of the name as it was when a line told of it last. */
  name: text('name').notNull(),
});
