import { and, count, eq, isNotNull } from 'drizzle-orm';
import { type SQLiteColumn, type SQLiteTable, union } from 'drizzle-orm/sqlite-core';
import { alerts, scanAlerts } from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { type Destinations } from '../rules/recipient.ts';
import { destinationsOf } from '../rules/alert.ts';

export type OwnTable = SQLiteTable & Record<'id' | 'userId', SQLiteColumn>;

export const alertOf = <Row extends Destinations>(row: Row) => {
  const { telegram: _telegram, discord: _discord, devices: _devices, ...alert } = row;
  return { ...alert, destinations: destinationsOf(row) };
};

export class OwnRows<T extends OwnTable> {
  constructor(
    protected readonly db: Db,
    private readonly table: T,
    private readonly order: readonly SQLiteColumn[],
  ) {}

  /** All or nothing; the callback must not await. */
  inTransaction<R>(work: () => R): R {
    return this.db.transaction(work, { behavior: 'immediate' });
  }

  ofUser(userId: number): T['$inferSelect'][] {
    const { db, order } = this;
    const table: OwnTable = this.table;
    return db
      .select()
      .from(table)
      .where(eq(table.userId, userId))
      .orderBy(...order)
      .all();
  }

  own(userId: number, id: number): T['$inferSelect'] | undefined {
    return this.db.select().from<OwnTable>(this.table).where(this.isOwn(userId, id)).get();
  }

  count(userId: number): number {
    const { table } = this;
    const found = this.db.select({ n: count() }).from<OwnTable>(table).where(eq(table.userId, userId));
    return found.get()?.n ?? 0;
  }

  insert(row: T['$inferInsert']): T['$inferSelect'] {
    const table: OwnTable = this.table;
    return this.db.insert(table).values(row).returning().get();
  }

  /** @returns the changed row; undefined if the user has none */
  update(userId: number, id: number, change: Partial<T['$inferInsert']>): T['$inferSelect'] | undefined {
    const table: OwnTable = this.table;
    return this.db.update(table).set(change).where(this.isOwn(userId, id)).returning().get();
  }

  remove(userId: number, id: number): T['$inferSelect'] | undefined {
    const table: OwnTable = this.table;
    return this.db.delete(table).where(this.isOwn(userId, id)).returning().get();
  }

  groups(userId: number): string[] {
    const groupsIn = (table: typeof alerts | typeof scanAlerts) =>
      this.db
        .select({ group: table.group })
        .from<OwnTable>(table)
        .where(and(eq(table.userId, userId), isNotNull(table.group)));
    return union(groupsIn(alerts), groupsIn(scanAlerts))
      .all()
      .flatMap(({ group }) => group ?? []);
  }

  private isOwn(userId: number, id: number) {
    return and(eq(this.table.id, id), eq(this.table.userId, userId));
  }
}
