import { asc, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import { callLedger, callLedgerPeople } from '../../../../platform/db/callLedgerSchema.ts';
import type { Db } from '../../../../platform/db/open.ts';
import { callCorrections } from '../../../../platform/db/callPathSchema.ts';
import { calls, users } from '../../../../platform/db/schema.ts';
import type { Head } from '../../rules/ledger/line.ts';
import { lazy } from '../../../../lib/lazy.ts';

export type LedgerPerson = typeof callLedgerPeople.$inferSelect;
export type StoredLine = { line: string; hash: string };

/** What opens the commitments of calls: salts with their texts. */
export type OpenedRationale = { call: string; salt: string; text: string };

function lineQueries(db: Db) {
  // Asked for each deed.
  const head = lazy(() =>
    db
      .select({ number: callLedger.number, hash: callLedger.hash })
      .from(callLedger)
      .orderBy(desc(callLedger.number))
      .limit(1)
      .prepare(),
  );
  const insert = lazy(() =>
    db.$client.query<null, { number: number; line: string; hash: string }>(
      'INSERT INTO call_ledger (number, line, hash) VALUES ($number, $line, $hash)',
    ),
  );
  const after = lazy(() =>
    db
      .select({ line: callLedger.line, hash: callLedger.hash })
      .from(callLedger)
      .where(gt(callLedger.number, sql.placeholder('after')))
      .orderBy(asc(callLedger.number))
      .limit(sql.placeholder('limit'))
      .prepare(),
  );
  return {
    head: (): Head | null => head().get() ?? null,
    insert: (number: number, line: string, hash: string): void => {
      insert().run({ number, line, hash });
    },
    /** The lines after a number, in their order. */
    after: (number: number, limit: number): StoredLine[] => after().all({ after: number, limit }),
  };
}

const personQueries = (db: Db) => ({
  person: (userId: number): LedgerPerson | undefined =>
    db.select().from(callLedgerPeople).where(eq(callLedgerPeople.userId, userId)).get(),

  putPerson: (row: LedgerPerson): void => {
    const { userId: _, ...set } = row;
    db.insert(callLedgerPeople)
      .values(row)
      .onConflictDoUpdate({ target: callLedgerPeople.userId, set })
      .run();
  },

  /** Everybody in the ledger, with their name of now. */
  people: (): (LedgerPerson & { username: string })[] =>
    db
      .select({ person: callLedgerPeople, username: users.username })
      .from(callLedgerPeople)
      .innerJoin(users, eq(users.id, callLedgerPeople.userId))
      .orderBy(callLedgerPeople.userId)
      .all()
      .map(({ person, username }) => ({ ...person, username })),

  peopleOf: (refs: readonly string[]): (LedgerPerson & { username: string })[] =>
    db
      .select({ person: callLedgerPeople, username: users.username })
      .from(callLedgerPeople)
      .innerJoin(users, eq(users.id, callLedgerPeople.userId))
      .where(inArray(callLedgerPeople.ref, [...refs]))
      .all()
      .map(({ person, username }) => ({ ...person, username })),

  hasCalls: (userId: number): boolean =>
    db.select({ id: calls.id }).from(calls).where(eq(calls.userId, userId)).limit(1).get() !== undefined,
});

const textQueries = (db: Db) => ({
  /** The rationales of these calls, of those that everybody may see. */
  rationalesOf: (publicIds: readonly string[]): OpenedRationale[] =>
    db
      .select({
        call: calls.publicId,
        salt: calls.rationaleSalt,
        text: calls.rationale,
        adminStatus: calls.adminStatus,
      })
      .from(calls)
      .where(inArray(calls.publicId, [...publicIds]))
      .all()
      .flatMap(({ call, salt, text, adminStatus }) =>
        salt === null || text === null || adminStatus === 'rejected' ? [] : [{ call, salt, text }],
      ),

  /** Why marks of these calls were put right. */
  reasonsOf: (publicIds: readonly string[]): OpenedRationale[] =>
    db
      .select({ call: calls.publicId, salt: callCorrections.reasonSalt, text: callCorrections.reason })
      .from(callCorrections)
      .innerJoin(calls, eq(calls.id, callCorrections.callId))
      .where(inArray(calls.publicId, [...publicIds]))
      .all()
      .flatMap(({ call, salt, text }) => (salt === null ? [] : [{ call, salt, text }])),
});

/** How many calls are read at once to be imported. */
const IMPORTED_AT_ONCE = 500;

/** Every call that is stored, in the order of their numbers. */
function* storedCalls(db: Db): Generator<typeof calls.$inferSelect> {
  for (let last = 0; ; ) {
    const some = db
      .select()
      .from(calls)
      .where(gt(calls.id, last))
      .orderBy(asc(calls.id))
      .limit(IMPORTED_AT_ONCE)
      .all();
    yield* some;
    const newest = some.at(-1);
    if (newest === undefined) return;
    last = newest.id;
  }
}

/** SQL of the ledger. */
export const ledgerStore = (db: Db) => ({
  /** All or nothing; the callback must not await. */
  inTransaction: <T>(work: () => T): T => db.transaction(work, { behavior: 'immediate' }),
  isInTransaction: (): boolean => db.$client.inTransaction,
  storedCalls: () => storedCalls(db),
  ...lineQueries(db),
  ...personQueries(db),
  ...textQueries(db),
});

export type LedgerStore = ReturnType<typeof ledgerStore>;
