import { and, count, eq, inArray, isNull, lt, or, type SQL } from 'drizzle-orm';
import { calendarReminders } from '#src/tables/calendarSchema.ts';
import type { Db } from '#platform/db/open.ts';
import type { Reminder } from '#subjects/calendar/rules/reminderMessage.ts';

const { userId: USER, source: SOURCE, eventId: EVENT, createdAt: CREATED } = calendarReminders;

/** SQL of the reminders on the events of one source. */
export class ReminderStore {
  /** @param source its name */
  constructor(
    private readonly db: Db,
    private readonly source: string,
  ) {}

  /** Inside the callback nothing else writes; it must not await. */
  inTransaction<T>(work: () => T): T {
    return this.db.transaction(work, { behavior: 'immediate' });
  }

  ofUser(userId: number): Reminder[] {
    const own = and(eq(USER, userId), eq(SOURCE, this.source));
    return this.#choices(own).orderBy(CREATED, EVENT).all();
  }

  one(userId: number, eventId: string): Reminder | undefined {
    return this.#choices(this.#isOwn(userId, eventId)).get();
  }

  /** Adds or changes one. What is chosen again was not sent yet. */
  put(userId: number, reminder: Reminder, known: Reminder | undefined, now: number): void {
    const { eventId, before, figure } = reminder;
    const fresh = {
      ...(known?.before ? {} : { beforeToldAt: null }),
      ...(known?.figure ? {} : { figureToldAt: null }),
    };
    this.db
      .insert(calendarReminders)
      .values({ userId, source: this.source, eventId, before, figure, createdAt: now })
      .onConflictDoUpdate({ target: [USER, SOURCE, EVENT], set: { before, figure, ...fresh } })
      .run();
  }

  remove(userId: number, eventId: string): void {
    this.db.delete(calendarReminders).where(this.#isOwn(userId, eventId)).run();
  }

  /** The events that somebody may still be told of. */
  eventIds(): string[] {
    const { db, source } = this;
    const rows = db.selectDistinct({ id: EVENT }).from(calendarReminders).where(eq(SOURCE, source)).all();
    return rows.map(({ id }) => id);
  }

  /** Who is to be told that an event comes. @param toldSince who was told since then is told, calendar time */
  toTellBefore(eventId: string, toldSince: number, most: number): number[] {
    const { before, beforeToldAt } = calendarReminders;
    const isUntold = or(isNull(beforeToldAt), lt(beforeToldAt, toldSince));
    return this.#users(and(this.#isOf(eventId), eq(before, true), isUntold), most);
  }

  /** Who is to be told the figure of an event. */
  toTellFigure(eventId: string, most: number): number[] {
    const { figure, figureToldAt } = calendarReminders;
    return this.#users(and(this.#isOf(eventId), eq(figure, true), isNull(figureToldAt)), most);
  }

  /** @param now by the clock of the calendar, epoch ms, as `toldSince` */
  markBefore(eventId: string, userIds: readonly number[], now: number): void {
    this.#mark(eventId, userIds, { beforeToldAt: now });
  }

  markFigure(eventId: string, userIds: readonly number[], now: number): void {
    this.#mark(eventId, userIds, { figureToldAt: now });
  }

  /** Removes reminders of any source made before a moment of the wall clock. @returns how many */
  prune(before: number): number {
    const old = this.db.delete(calendarReminders).where(lt(CREATED, before));
    return old.returning({ userId: USER }).all().length;
  }

  count(): number {
    return this.db.select({ n: count() }).from(calendarReminders).get()?.n ?? 0;
  }

  #isOf(eventId: string): SQL | undefined {
    return and(eq(SOURCE, this.source), eq(EVENT, eventId));
  }

  #isOwn(userId: number, eventId: string): SQL | undefined {
    return and(eq(USER, userId), this.#isOf(eventId));
  }

  #choices(where: SQL | undefined) {
    const { before, figure } = calendarReminders;
    return this.db.select({ eventId: EVENT, before, figure }).from(calendarReminders).where(where);
  }

  #users(where: SQL | undefined, most: number): number[] {
    const users = this.db.select({ userId: USER }).from(calendarReminders).where(where);
    return users
      .orderBy(CREATED, USER)
      .limit(most)
      .all()
      .map(({ userId }) => userId);
  }

  #mark(
    eventId: string,
    userIds: readonly number[],
    told: Partial<typeof calendarReminders.$inferInsert>,
  ): void {
    const where = and(this.#isOf(eventId), inArray(USER, [...userIds]));
    this.db.update(calendarReminders).set(told).where(where).run();
  }
}
