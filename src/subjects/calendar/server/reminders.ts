import { and, count, eq, inArray, isNull, lt, or, type SQL } from 'drizzle-orm';
import { calendarReminders } from '#src/tables/calendarSchema.ts';
import type { Db } from '#platform/db/open.ts';
import {
  type Reminder,
  type BeforeDue,
  beforeDue,
  beforeMessage,
  figureMessage,
} from '#subjects/calendar/rules/reminderMessage.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import type { App } from '#platform/app.ts';
import type { CalendarSource } from '#market/sources/calendar.ts';
import type { KeptEvents } from './events.ts';

const { userId: USER, source: SOURCE, eventId: EVENT, createdAt: CREATED } = calendarReminders;

export class ReminderStore {
  constructor(
    private readonly db: Db,
    private readonly source: string,
  ) {}

  /** The callback must not await. */
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

  /** Adds or changes a reminder. A choice that is made again is also sent again. */
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

  eventIds(): string[] {
    const { db, source } = this;
    const rows = db.selectDistinct({ id: EVENT }).from(calendarReminders).where(eq(SOURCE, source)).all();
    return rows.map(({ id }) => id);
  }

  /** Users to remind before an event. @param notifiedSince leaves out users reminded since then, calendar time */
  dueBefore(eventId: string, notifiedSince: number, most: number): number[] {
    const { before, beforeToldAt } = calendarReminders;
    const isUntold = or(isNull(beforeToldAt), lt(beforeToldAt, notifiedSince));
    return this.#users(and(this.#isOf(eventId), eq(before, true), isUntold), most);
  }

  dueFigure(eventId: string, most: number): number[] {
    const { figure, figureToldAt } = calendarReminders;
    return this.#users(and(this.#isOf(eventId), eq(figure, true), isNull(figureToldAt)), most);
  }

  /** @param now by the calendar's clock, epoch ms, like `toldSince` */
  markBefore(eventId: string, userIds: readonly number[], now: number): void {
    this.#mark(eventId, userIds, { beforeToldAt: now });
  }

  markFigure(eventId: string, userIds: readonly number[], now: number): void {
    this.#mark(eventId, userIds, { figureToldAt: now });
  }

  /** Deletes reminders of every source that were made before a wall time. @returns their number */
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
    marks: Partial<typeof calendarReminders.$inferInsert>,
  ): void {
    const where = and(this.#isOf(eventId), inArray(USER, [...userIds]));
    this.db.update(calendarReminders).set(marks).where(where).run();
  }
}

/** Users per transaction, which takes some ms; the others follow immediately. */
const PEOPLE_AT_ONCE = 50;

type Due = { before: BeforeDue | null; hasFigure: boolean };

function dueOf(event: CalendarEvent, now: number): Due | null {
  const before = beforeDue(event, now);
  const hasFigure = event.actual !== null;
  return before || hasFigure ? { before, hasFigure } : null;
}

type Notified = { people: number; isAll: boolean };

/** A key that stays the same while the same messages are due. */
const keyOf = ({ before, hasFigure }: Due): string => `${before?.time ?? ''} ${hasFigure}`;

/** Sends reminders exactly once, also if the server is killed in between. */
export class ReminderWatch {
  /** The messages that every user got, by event; null while some may be missing. */
  readonly #watched = new Map<string, string | null>();
  readonly #failing = new Set<string>();
  #cancel: (() => void) | null = null;

  constructor(
    private readonly app: App,
    private readonly source: CalendarSource | null,
    private readonly store: ReminderStore,
    private readonly events: KeptEvents,
  ) {}

  get watched(): number {
    return this.#watched.size;
  }

  restart(): void {
    this.#watched.clear();
    this.#failing.clear();
    for (const eventId of this.store.eventIds()) this.changed(eventId);
  }

  changed(eventId: string): void {
    this.#watched.set(eventId, null);
  }

  /** Sends due reminders; call it at every tick. Many reminders are sent in parts, between other work. */
  check(): void {
    let people = 0;
    for (const eventId of this.#watched.keys()) {
      people += this.#safely(eventId);
      if (people < PEOPLE_AT_ONCE) continue;
      this.#cancel ??= this.app.schedule(0, () => this.#goOn());
      break;
    }
    if (people > 0) this.app.outbox.wake();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #goOn(): void {
    this.#cancel = null;
    this.check();
  }

  /** A failing event does not block the others. @returns the number of notified users */
  #safely(eventId: string): number {
    try {
      return this.#checkAt(eventId);
    } catch (error) {
      if (!this.#failing.has(eventId)) {
        const message = 'Could not send reminders of an event; trying again';
        this.app.log.child('calendar').error(message, { event: eventId, error });
      }
      this.#failing.add(eventId);
      return 0;
    }
  }

  #checkAt(eventId: string): number {
    const event = this.events.all.get(eventId);
    const due = event && dueOf(event, this.events.clock.now());
    if (!due || this.#watched.get(eventId) === keyOf(due)) return 0;
    const { people, isAll } = this.store.inTransaction(() => this.#notify(event, due));
    this.#failing.delete(eventId);
    if (isAll) this.#watched.set(eventId, keyOf(due));
    return people;
  }

  /** Marks an event as sent for some users and writes their messages. Call it in a transaction. */
  #notify(event: CalendarEvent, { before, hasFigure }: Due): Notified {
    const {
      store,
      events: { clock },
    } = this;
    const early = before ? store.dueBefore(event.id, before.notifiedSince, PEOPLE_AT_ONCE) : [];
    if (early.length > 0) {
      store.markBefore(event.id, early, clock.now());
      this.#send(event, early, beforeMessage);
    }
    const curious = hasFigure ? store.dueFigure(event.id, PEOPLE_AT_ONCE) : [];
    if (curious.length > 0) {
      store.markFigure(event.id, curious, clock.now());
      this.#send(event, curious, figureMessage);
    }
    const isAll = early.length < PEOPLE_AT_ONCE && curious.length < PEOPLE_AT_ONCE;
    return { people: early.length + curious.length, isAll };
  }

  #send(event: CalendarEvent, userIds: readonly number[], messageOf: typeof beforeMessage): void {
    const { chatsOf, config, outbox } = this.app;
    const { publicUrl } = config;
    const label = this.source?.label() ?? '';
    const message = messageOf(event, {
      now: this.events.clock.now(),
      label,
      publicUrl,
    });
    const messages = userIds.flatMap((userId) =>
      chatsOf(userId).map(({ platform, chatId }) => ({
        platform,
        chatId,
        userId,
        triggerId: null,
        message,
      })),
    );
    if (messages.length > 0) outbox.add(messages);
  }
}
