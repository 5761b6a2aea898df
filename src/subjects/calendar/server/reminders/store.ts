import { and, count, eq, inArray, isNull, lt, or } from 'drizzle-orm';
import { calendarReminders } from '../../../../platform/db/calendarSchema.ts';
import type { Db } from '../../../../platform/db/open.ts';
import type { Reminder } from '../../rules/reminders.ts';

const CHOICE = {
  eventId: calendarReminders.eventId,
  before: calendarReminders.before,
  figure: calendarReminders.figure,
};

/** SQL of the reminders on the events of one source. @param source its name */
export function reminderStore(db: Db, source: string) {
  const isOf = (eventId: string) =>
    and(eq(calendarReminders.source, source), eq(calendarReminders.eventId, eventId));
  const isOwn = (userId: number, eventId: string) => and(eq(calendarReminders.userId, userId), isOf(eventId));
  /** Told neither since then nor at all. */
  const waitsBefore = (eventId: string, toldSince: number) =>
    and(
      isOf(eventId),
      eq(calendarReminders.before, true),
      or(isNull(calendarReminders.beforeToldAt), lt(calendarReminders.beforeToldAt, toldSince)),
    );
  const waitsFigure = (eventId: string) =>
    and(isOf(eventId), eq(calendarReminders.figure, true), isNull(calendarReminders.figureToldAt));
  const users = (where: ReturnType<typeof and>, most: number): number[] =>
    db
      .select({ userId: calendarReminders.userId })
      .from(calendarReminders)
      .where(where)
      .orderBy(calendarReminders.createdAt, calendarReminders.userId)
      .limit(most)
      .all()
      .map(({ userId }) => userId);

  return {
    /** Inside the callback nothing else writes; it must not await. */
    inTransaction: <T>(work: () => T): T => db.transaction(work, { behavior: 'immediate' }),

    ofUser: (userId: number): Reminder[] =>
      db
        .select(CHOICE)
        .from(calendarReminders)
        .where(and(eq(calendarReminders.userId, userId), eq(calendarReminders.source, source)))
        .orderBy(calendarReminders.createdAt, calendarReminders.eventId)
        .all(),

    one: (userId: number, eventId: string): Reminder | undefined =>
      db.select(CHOICE).from(calendarReminders).where(isOwn(userId, eventId)).get(),

    /** Adds or changes one. What is chosen again was not sent yet. */
    put(
      userId: number,
      { eventId, before, figure }: Reminder,
      known: Reminder | undefined,
      now: number,
    ): void {
      const fresh = {
        ...(known?.before ? {} : { beforeToldAt: null }),
        ...(known?.figure ? {} : { figureToldAt: null }),
      };
      db.insert(calendarReminders)
        .values({ userId, source, eventId, before, figure, createdAt: now })
        .onConflictDoUpdate({
          target: [calendarReminders.userId, calendarReminders.source, calendarReminders.eventId],
          set: { before, figure, ...fresh },
        })
        .run();
    },

    remove: (userId: number, eventId: string): void => {
      db.delete(calendarReminders).where(isOwn(userId, eventId)).run();
    },

    /** The events that somebody may still be told of. */
    eventIds: (): string[] =>
      db
        .selectDistinct({ eventId: calendarReminders.eventId })
        .from(calendarReminders)
        .where(eq(calendarReminders.source, source))
        .all()
        .map(({ eventId }) => eventId),

    /** Who is to be told that an event comes. @param toldSince who was told since then is told, calendar time */
    toTellBefore: (eventId: string, toldSince: number, most: number): number[] =>
      users(waitsBefore(eventId, toldSince), most),

    /** Who is to be told the figure of an event. */
    toTellFigure: (eventId: string, most: number): number[] => users(waitsFigure(eventId), most),

    /** @param now by the clock of the calendar, epoch ms, as `toldSince` */
    markBefore: (eventId: string, userIds: readonly number[], now: number): void => {
      db.update(calendarReminders)
        .set({ beforeToldAt: now })
        .where(and(isOf(eventId), inArray(calendarReminders.userId, [...userIds])))
        .run();
    },

    markFigure: (eventId: string, userIds: readonly number[], now: number): void => {
      db.update(calendarReminders)
        .set({ figureToldAt: now })
        .where(and(isOf(eventId), inArray(calendarReminders.userId, [...userIds])))
        .run();
    },

    /** Removes reminders of any source made before a moment of the wall clock. @returns how many */
    prune: (before: number): number =>
      db
        .delete(calendarReminders)
        .where(lt(calendarReminders.createdAt, before))
        .returning({ userId: calendarReminders.userId })
        .all().length,

    count: (): number => db.select({ n: count() }).from(calendarReminders).get()?.n ?? 0,
  };
}

export type ReminderStore = ReturnType<typeof reminderStore>;
