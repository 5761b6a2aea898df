import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import {
  type BeforeDue,
  beforeDue,
  beforeMessage,
  figureMessage,
} from '#subjects/calendar/rules/reminderMessage.ts';
import type { App } from '#platform/app.ts';
import type { CalendarSource } from '#sources/calendar/source.ts';
import type { KeptEvents } from '../events.ts';
import type { ReminderStore } from './store.ts';

/** This many people are told in one transaction, which takes a few milliseconds; the others follow at once. */
const PEOPLE_AT_ONCE = 50;

type Due = { before: BeforeDue | null; hasFigure: boolean };

function dueOf(event: CalendarEvent, now: number): Due | null {
  const before = beforeDue(event, now);
  const hasFigure = event.actual !== null;
  return before || hasFigure ? { before, hasFigure } : null;
}

/** How many people were notified, and whether that was everybody. */
type Notified = { people: number; isAll: boolean };

/** Stays the same as long as those who were told are told of the same. */
const keyOf = ({ before, hasFigure }: Due): string => `${before?.time ?? ''} ${hasFigure}`;

/** Tells people what they wanted to be told of events, each thing once, also when the server is killed in between. */
export class ReminderWatch {
  /** By event: of what everybody was told already; null while it is not known that there is nobody left. */
  readonly #watched = new Map<string, string | null>();
  readonly #failing = new Set<string>();
  #cancel: (() => void) | null = null;

  constructor(
    private readonly app: App,
    private readonly source: CalendarSource | null,
    private readonly store: ReminderStore,
    private readonly events: KeptEvents,
  ) {}

  /** Events that are watched. */
  get watched(): number {
    return this.#watched.size;
  }

  /** Begins, or begins again, with the reminders that are kept. */
  restart(): void {
    this.#watched.clear();
    this.#failing.clear();
    for (const eventId of this.store.eventIds()) this.changed(eventId);
  }

  /** Takes note that a reminder was set on an event. */
  changed(eventId: string): void {
    this.#watched.set(eventId, null);
  }

  /** Looks whether anybody is to be told something now; to be called at every tick. The rest follows after other work. */
  look(): void {
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
    this.look();
  }

  /** An event that fails keeps no other waiting. @returns how many people were told */
  #safely(eventId: string): number {
    try {
      return this.#lookAt(eventId);
    } catch (error) {
      if (!this.#failing.has(eventId)) {
        const message = 'Reminders of an event could not be told; trying again';
        this.app.log.child('calendar').error(message, { event: eventId, error });
      }
      this.#failing.add(eventId);
      return 0;
    }
  }

  #lookAt(eventId: string): number {
    const event = this.events.all.get(eventId);
    const due = event && dueOf(event, this.events.clock.now());
    if (!due || this.#watched.get(eventId) === keyOf(due)) return 0;
    const { people, isAll } = this.store.inTransaction(() => this.#notify(event, due));
    this.#failing.delete(eventId);
    if (isAll) this.#watched.set(eventId, keyOf(due));
    return people;
  }

  /** Writes the marks and the messages of some people. To be called within a transaction. */
  #notify(event: CalendarEvent, { before, hasFigure }: Due): Notified {
    const {
      store,
      events: { clock },
    } = this;
    const early = before ? store.toTellBefore(event.id, before.toldSince, PEOPLE_AT_ONCE) : [];
    if (early.length > 0) {
      store.markBefore(event.id, early, clock.now());
      this.#send(event, early, beforeMessage);
    }
    const curious = hasFigure ? store.toTellFigure(event.id, PEOPLE_AT_ONCE) : [];
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
