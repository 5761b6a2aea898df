import {
  and,
  asc,
  count,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  or,
  type Placeholder,
  sql,
} from 'drizzle-orm';
import { devices } from '#src/tables/userSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { loginSessions, users } from '#platform/db/schema.ts';
import { RETRY_BROKEN_MS } from '#platform/outbox/rules/delivery.ts';
import type { PushTally } from '../rules/pushEndpoint.ts';
import { lazy } from '#lib/lazy.ts';

export type DeviceRow = typeof devices.$inferSelect;
type NewDeviceRow = typeof devices.$inferInsert;

const isOwn = (userId: number, id: number) => and(eq(devices.userId, userId), eq(devices.id, id));
/** Condition for devices that were refused so long ago that they are tried again. */
const isTriedAgain = (now: number | Placeholder, retryFrom: number | Placeholder) =>
  and(
    eq(devices.status, 'refused'),
    or(
      lte(devices.failedAt, retryFrom),
      // A time in the future is from before the clock was set back.
      gt(devices.failedAt, now),
    ),
  );

/** Condition for devices whose owners did not switch off broadcasts. */
const isReached = (now: number) =>
  and(
    or(eq(devices.status, 'registered'), isTriedAgain(now, now - RETRY_BROKEN_MS)),
    eq(users.adminMessagesOnDevices, true),
    isNull(users.deletedAt),
  );

/** Prepared, because it runs for every trigger. */
const prepareUsable = (db: Db) =>
  db
    .select({ id: devices.id, endpoint: devices.endpoint })
    .from(devices)
    .where(
      and(
        eq(devices.userId, sql.placeholder('userId')),
        or(
          eq(devices.status, 'registered'),
          isTriedAgain(sql.placeholder('now'), sql.placeholder('retryFrom')),
        ),
      ),
    )
    .orderBy(devices.id)
    .prepare();

export class DeviceStore {
  readonly #usable: () => ReturnType<typeof prepareUsable>;

  constructor(private readonly db: Db) {
    this.#usable = lazy(() => prepareUsable(db));
  }

  /** The callback must not await. */
  inTransaction<T>(work: () => T): T {
    return this.db.transaction(work, { behavior: 'immediate' });
  }

  ofUser(userId: number): DeviceRow[] {
    return this.db.select().from(devices).where(eq(devices.userId, userId)).orderBy(devices.id).all();
  }

  usableOf(userId: number, now: number): Pick<DeviceRow, 'id' | 'endpoint'>[] {
    return this.#usable().all({ userId, now, retryFrom: now - RETRY_BROKEN_MS });
  }

  own(userId: number, id: number): DeviceRow | undefined {
    return this.db.select().from(devices).where(isOwn(userId, id)).get();
  }

  byId(id: number): DeviceRow | undefined {
    return this.db.select().from(devices).where(eq(devices.id, id)).get();
  }

  byEndpoint(endpoint: string): DeviceRow | undefined {
    return this.db.select().from(devices).where(eq(devices.endpoint, endpoint)).get();
  }

  insert(row: NewDeviceRow): DeviceRow {
    return this.db.insert(devices).values(row).returning().get();
  }

  update(id: number, change: Partial<NewDeviceRow>): DeviceRow | undefined {
    return this.db.update(devices).set(change).where(eq(devices.id, id)).returning().get();
  }

  remove(id: number): void {
    this.db.delete(devices).where(eq(devices.id, id)).run();
  }

  removeOther(endpoint: string, id: number): void {
    this.db
      .delete(devices)
      .where(and(eq(devices.endpoint, endpoint), ne(devices.id, id)))
      .run();
  }

  /** Deletes a user's devices whose session has ended. @returns their number */
  removeLoggedOut(userId: number): number {
    const ended = this.db
      .select({ id: loginSessions.id })
      .from(loginSessions)
      .where(and(eq(loginSessions.userId, userId), isNotNull(loginSessions.revokedAt)));
    return this.db
      .delete(devices)
      .where(and(eq(devices.userId, userId), inArray(devices.sessionId, ended)))
      .returning({ id: devices.id })
      .all().length;
  }

  /** Deletes devices that ended before a time. @returns their number */
  dropGone(before: number): number {
    return this.db
      .delete(devices)
      .where(and(eq(devices.status, 'gone'), lt(devices.failedAt, before)))
      .returning({ id: devices.id })
      .all().length;
  }

  counts() {
    return this.db.select({ status: devices.status, n: count() }).from(devices).groupBy(devices.status).all();
  }

  tally(): PushTally {
    const lastDelivery = sql`coalesce((SELECT max(${devices.deliveredAt}) FROM ${devices}), 0)`;
    const isRefused = and(eq(devices.status, 'refused'), gt(devices.failedAt, lastDelivery));
    const row = this.db
      .select({
        registered: sql<number>`count(*) FILTER (WHERE ${eq(devices.status, 'registered')})`,
        refused: sql<number>`count(*) FILTER (WHERE ${isRefused})`,
        delivered: count(devices.deliveredAt),
      })
      .from(devices)
      .get();
    return row ?? { registered: 0, refused: 0, delivered: 0 };
  }

  wantsAdminMessages(userId: number): boolean {
    const row = this.db
      .select({ wanted: users.adminMessagesOnDevices })
      .from(users)
      .where(eq(users.id, userId))
      .get();
    return row?.wanted ?? true;
  }

  setAdminMessages(userId: number, wanted: boolean): void {
    this.db.update(users).set({ adminMessagesOnDevices: wanted }).where(eq(users.id, userId)).run();
  }

  reach(now: number): { people: number; devices: number } {
    const row = this.db
      .select({ people: sql<number>`count(DISTINCT ${devices.userId})`, devices: count() })
      .from(devices)
      .innerJoin(users, eq(users.id, devices.userId))
      .where(isReached(now))
      .get();
    return row ?? { people: 0, devices: 0 };
  }

  reachedAfter(id: number, most: number, now: number): Pick<DeviceRow, 'id' | 'userId' | 'endpoint'>[] {
    return this.db
      .select({ id: devices.id, userId: devices.userId, endpoint: devices.endpoint })
      .from(devices)
      .innerJoin(users, eq(users.id, devices.userId))
      .where(and(gt(devices.id, id), isReached(now)))
      .orderBy(asc(devices.id))
      .limit(most)
      .all();
  }
}
