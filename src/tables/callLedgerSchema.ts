import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { users } from '../platform/db/schema.ts';

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
