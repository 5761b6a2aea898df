import { asc, desc, eq, gt } from 'drizzle-orm';
import { callLedger, callLedgerPeople } from '#src/tables/callSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { calls, users } from '#platform/db/schema.ts';
import type { LatestEntry } from '#subjects/calls/rules/ledger/entry.ts';
import { lazy } from '#lib/lazy.ts';

export type LedgerPerson = typeof callLedgerPeople.$inferSelect;
export type StoredEntry = { line: string; hash: string };

type NamedPerson = { ref: string; salt: string; name: string; username: string };

type NotedCall = { call: string; source: string; isInReview: number };

type RevealedText = { call: string; salt: string; text: string };

function entryQueries(db: Db) {
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
  // Prepared by hand, because a page has a thousand rows.
  const after = lazy(() =>
    db.$client.query<StoredEntry, { after: number; limit: number }>(
      'SELECT line, hash FROM call_ledger WHERE number > $after ORDER BY number LIMIT $limit',
    ),
  );
  return {
    head: (): LatestEntry | null => head().get() ?? null,
    insert: (number: number, line: string, hash: string): void => {
      insert().run({ number, line, hash });
    },
    after: (number: number, limit: number): StoredEntry[] => after().all({ after: number, limit }),
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

  people: (): (LedgerPerson & { username: string })[] =>
    db
      .select({ person: callLedgerPeople, username: users.username })
      .from(callLedgerPeople)
      .innerJoin(users, eq(users.id, callLedgerPeople.userId))
      .orderBy(callLedgerPeople.userId)
      .all()
      .map(({ person, username }) => ({ ...person, username })),

  hasCalls: (userId: number): boolean =>
    db.select({ id: calls.id }).from(calls).where(eq(calls.userId, userId)).limit(1).get() !== undefined,
});

/** One parameter for any number of ids, so that the statement is prepared once. */
const listed = 'IN (SELECT value FROM json_each($ids))';

const PEOPLE = `SELECT p.ref AS ref, p.salt AS salt, p.name AS name, u.username AS username
  FROM call_ledger_people p JOIN users u ON u.id = p.user_id WHERE p.ref ${listed}`;

const RATIONALES = `SELECT public_id AS call, rationale_salt AS salt, rationale AS text FROM calls
  WHERE public_id ${listed} AND rationale_salt IS NOT NULL AND rationale IS NOT NULL AND admin_status <> 'rejected'`;

const REASONS = `SELECT c.public_id AS call, k.reason_salt AS salt, k.reason AS text
  FROM call_corrections k JOIN calls c ON c.id = k.call_id WHERE c.public_id ${listed} AND k.reason_salt IS NOT NULL`;

const CALLS = `SELECT public_id AS call, source, admin_status = 'review' AS isInReview FROM calls
  WHERE public_id ${listed}`;

function textQueries({ $client }: Db) {
  const noted = lazy(() => $client.query<NotedCall, { ids: string }>(CALLS));
  const people = lazy(() => $client.query<NamedPerson, { ids: string }>(PEOPLE));
  const rationales = lazy(() => $client.query<RevealedText, { ids: string }>(RATIONALES));
  const reasons = lazy(() => $client.query<RevealedText, { ids: string }>(REASONS));
  return {
    peopleOf: (refs: readonly string[]): NamedPerson[] => people().all({ ids: JSON.stringify(refs) }),

    notedCalls: (publicIds: readonly string[]): NotedCall[] =>
      noted().all({ ids: JSON.stringify(publicIds) }),

    /** Public rationales of these calls. */
    rationalesOf: (publicIds: readonly string[]): RevealedText[] =>
      rationales().all({ ids: JSON.stringify(publicIds) }),

    reasonsOf: (publicIds: readonly string[]): RevealedText[] =>
      reasons().all({ ids: JSON.stringify(publicIds) }),
  };
}

const IMPORTED_AT_ONCE = 500;

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

export const ledgerStore = (db: Db) => ({
  /** All or nothing; the callback must not await. */
  inTransaction: <T>(work: () => T): T => db.transaction(work, { behavior: 'immediate' }),
  isInTransaction: (): boolean => db.$client.inTransaction,
  storedCalls: () => storedCalls(db),
  ...entryQueries(db),
  ...personQueries(db),
  ...textQueries(db),
});

export type LedgerStore = ReturnType<typeof ledgerStore>;
