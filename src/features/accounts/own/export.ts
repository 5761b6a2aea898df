import { eq } from 'drizzle-orm';
import { alerts, alertTriggers } from '../../../db/alertSchema.ts';
import type { Db } from '../../../db/open.ts';
import { AppError } from '../../../http/errors.ts';
import { accountStore } from '../store.ts';
import type { OwnDeps } from './deps.ts';
import { PERSONAL_TABLES } from './personalTables.ts';

/** Times as people read them: members that end in `At` are epoch ms in the database. */
function readable(row: Record<string, unknown>, without: readonly string[]): Record<string, unknown> {
  const members = Object.entries(row).filter(([name]) => !without.includes(name));
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      typeof value === 'number' && name.endsWith('At') ? new Date(value).toISOString() : value,
    ]),
  );
}

const firingsOf = (db: Db, userId: number): Record<string, unknown>[] =>
  db
    .select({ firing: alertTriggers })
    .from(alertTriggers)
    .innerJoin(alerts, eq(alerts.id, alertTriggers.alertId))
    .where(eq(alerts.userId, userId))
    .all()
    .map(({ firing }) => readable(firing, []));

/**
 * Everything that this installation keeps of a person, without secrets: no password, no hash, no key. All of one moment.
 *
 * @throws AppError 401 when the account was deleted meanwhile
 */
export function exportData({ db, clock }: Pick<OwnDeps, 'db' | 'clock'>, userId: number) {
  return db.transaction(() => {
    const user = accountStore(db).byId(userId);
    if (!user) throw new AppError(401, 'This account no longer exists. Please log in again.');
    const rows = PERSONAL_TABLES.map(({ name, table, without }) => {
      const all = db.select().from(table).where(eq(table.userId, userId)).all();
      return [name, all.map((row) => readable(row, without))] as const;
    });
    return {
      exportedAt: new Date(clock.now()).toISOString(),
      account: readable(user, ['passwordHash', 'usernameKey', 'emailKey', 'deletedAt']),
      ...Object.fromEntries(rows),
      firings: firingsOf(db, userId),
    };
  });
}
