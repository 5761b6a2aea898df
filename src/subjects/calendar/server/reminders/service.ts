import type { CalendarEvent } from '#subjects/calendar/rules/calendarEvent.ts';
import {
  canBeTold,
  checkReminder,
  MAX_REMINDERS,
  type Reminder,
  type ReminderChoice,
} from '#subjects/calendar/rules/reminders.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { savedAnswer } from '#subjects/calendar/answers/reminders.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import type { Clock, SystemClock } from '#lib/clock.ts';
import type { ReminderStore } from './store.ts';

/** Changes of one user in a minute. */
const MAX_WRITES_A_MINUTE = 120;

export const NO_CHAT = 'No chat or device gets reminders yet: add one in Settings.';

type RemindersDeps = {
  store: ReminderStore;
  events: ReadonlyMap<string, CalendarEvent>;
  /** By which the events happen. */
  calendarClock: Clock;
  clock: SystemClock;
  chatsOf(userId: number): readonly unknown[];
  /** Called with the id of an event on which a reminder was set. */
  changed(eventId: string): void;
};

/** What people want to be told of events. */
export class Reminders {
  readonly #countWrite: ReturnType<typeof createWriteLimit>;

  constructor(private readonly deps: RemindersDeps) {
    this.#countWrite = createWriteLimit(deps.clock, MAX_WRITES_A_MINUTE, 'your reminders');
  }

  /** Those on events that are still in the calendar, oldest first. */
  list(userId: number): Reminder[] {
    return this.deps.store.ofUser(userId).filter(({ eventId }) => this.deps.events.has(eventId));
  }

  /**
   * Sets what a user is told of an event; neither removes the reminder.
   * @throws AppError 404 for an event that is not in the calendar, 400 for one that is over or when there are too many, 429
   */
  put(userId: number, eventId: string, choice: ReminderChoice): Wire<typeof savedAnswer> {
    const { store, events, calendarClock, clock, chatsOf, changed } = this.deps;
    this.#countWrite(userId);
    const event = events.get(eventId);
    const known = store.one(userId, eventId);
    const isRemoval = !choice.before && !choice.figure;
    if (!event && !(known && isRemoval))
      throw new AppError(404, 'That event is not in the calendar any more.');
    if (!event || isRemoval) {
      store.remove(userId, eventId);
      return { eventId, ...choice, note: null };
    }
    accepted(checkReminder(choice, event, calendarClock.now()));
    this.#checkCount(userId, eventId);
    store.put(userId, { eventId, ...choice }, known, clock.now());
    changed(eventId);
    return { eventId, ...choice, note: chatsOf(userId).length === 0 ? NO_CHAT : null };
  }

  /** @throws AppError 400 when the user waits for as many events as allowed already */
  #checkCount(userId: number, eventId: string): void {
    const { store, events, calendarClock } = this.deps;
    const now = calendarClock.now();
    const open = store.ofUser(userId).filter((reminder) => {
      const event = events.get(reminder.eventId);
      return event && reminder.eventId !== eventId && canBeTold(reminder, event, now);
    });
    if (open.length < MAX_REMINDERS) return;
    throw new AppError(400, `You already have ${MAX_REMINDERS} reminders. Remove one first.`);
  }
}
