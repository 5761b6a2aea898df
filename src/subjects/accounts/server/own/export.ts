import { and, eq, gt, sql } from 'drizzle-orm';
import { alerts, alertTriggers } from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { userKey } from '#platform/http/requestLimits.ts';
import { AppError } from '#platform/http/errors.ts';
import type { Steps } from '#platform/http/readQueue.ts';
import { accountStore } from '../store.ts';
import type { App } from '#platform/app.ts';
import { PERSONAL_TABLES } from './personalTables.ts';

/** Rows per read, because a user whose alerts fire all day has tens of thousands. */
const PAGE = 100;

type Row = Record<string, unknown>;
/** Reads at most a page of rows after a `rowid`, in order. */
type ReadPage = (after: number) => { rowid: number; row: Row }[];

/** Formats times as ISO 8601: columns that end in `At` are epoch ms in the database. */
function readable(row: Row, without: readonly string[]): Row {
  const members = Object.entries(row).filter(([name]) => !without.includes(name));
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      typeof value === 'number' && name.endsWith('At') ? new Date(value).toISOString() : value,
    ]),
  );
}

const firingsOf =
  (db: Db, alertId: number): ReadPage =>
  (after) =>
    db
      .select({ rowid: alertTriggers.id, row: alertTriggers })
      .from(alertTriggers)
      .where(and(eq(alertTriggers.alertId, alertId), gt(alertTriggers.id, after)))
      .orderBy(alertTriggers.id)
      .limit(PAGE)
      .all()
      .map(({ rowid, row }) => ({ rowid, row: readable(row, []) }));

const alertIds = (db: Db, userId: number): number[] =>
  db
    .select({ id: alerts.id })
    .from(alerts)
    .where(eq(alerts.userId, userId))
    .all()
    .map(({ id }) => id);

const rowsOf =
  (db: Db, userId: number, { table, without }: (typeof PERSONAL_TABLES)[number]): ReadPage =>
  (after) =>
    db
      .select({ rowid: sql<number>`${table}.rowid`, row: table })
      .from(table)
      .where(and(eq(table.userId, userId), sql`${table}.rowid > ${after}`))
      .orderBy(sql`${table}.rowid`)
      .limit(PAGE)
      .all()
      .map(({ rowid, row }) => ({ rowid, row: readable(row, without) }));

type Page = { last: number | null; text: string };

function* pageText(read: ReadPage, after: number): Steps<Page> {
  const rows = read(after);
  yield;
  return {
    last: rows.at(-1)?.rowid ?? null,
    text: rows.map(({ row }) => JSON.stringify(row)).join(',\n'),
  };
}

type InTurn = (steps: Steps<Page>) => Page | Promise<Page>;

async function* listText(name: string, reads: readonly ReadPage[], inTurn: InTurn): AsyncGenerator<string> {
  yield `,\n${JSON.stringify(name)}: [`;
  let comma = '';
  for (const read of reads) {
    let page = await inTurn(pageText(read, 0));
    while (page.last !== null) {
      yield `${comma}\n${page.text}`;
      comma = ',';
      page = await inTurn(pageText(read, page.last));
    }
  }
  yield ']';
}

async function* exportText(db: Db, userId: number, head: Row, inTurn: InTurn): AsyncGenerator<string> {
  yield JSON.stringify(head, null, 1).replace(/\n\}$/, '');
  for (const table of PERSONAL_TABLES) yield* listText(table.name, [rowsOf(db, userId, table)], inTurn);
  const firings = alertIds(db, userId).map((id) => firingsOf(db, id));
  yield* listText('firings', firings, inTurn);
  yield '\n}\n';
}

/**
 * Everything stored about a user, without passwords, hashes and keys.
 * @returns JSON in pieces, read from the database as fast as the client takes them
 * @throws AppError 401 if the account was deleted
 */
export function exportData({ clock, db, reads }: App, userId: number): ReadableStream<Uint8Array> {
  const user = accountStore(db).byId(userId);
  if (!user) throw new AppError(401, 'This account no longer exists. Please log in again.');
  const account = readable(user, ['passwordHash', 'usernameKey', 'emailKey', 'deletedAt']);
  const head = { exportedAt: new Date(clock.now()).toISOString(), account };
  const chunks = exportText(db, userId, head, (steps) => reads.run(userKey(userId), 'export', steps));
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => void (await chunks.return(undefined)),
  });
}
