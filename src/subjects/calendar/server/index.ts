import { DAY_MS } from '#lib/units.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import type { FilterEvent } from '#subjects/alerts/rules/eventFilter.ts';
import { guardingEvents } from '../rules/events.ts';
import { eventsOn } from '#market/calendar/rules/days.ts';
import type { Delta, Snapshot, StreamMeta } from '#market/rules/stream.ts';
import type { Clock } from '#lib/clock.ts';
import type { CalendarSource } from '#market/sources/calendar.ts';
import type { MissingField } from '#market/sources/announcements.ts';
import type { App, Part, Pruned } from '#platform/app.ts';
import { KeptEvents } from './events.ts';
import { CALENDAR } from '../contract.ts';
import { serve } from '#platform/http/routes.ts';
import type { CompanyEvent } from '../rules/companyEvents.ts';
import { createCompanyEvents } from './companyEvents.ts';
import { ReminderStore, ReminderWatch } from './reminders.ts';
import {
  canBeNotified,
  checkReminder,
  MAX_REMINDERS,
  type Reminder,
  type ReminderChoice,
} from '../rules/reminderMessage.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { savedAnswer } from '../answers/calendar.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';

export type Calendar = {
  /** Events by id that are yesterday, today or tomorrow in some time zone. */
  events(): ReadonlyMap<string, CalendarEvent>;
  /** The events as the stream's clients know them. Stays the same object until they change. */
  snapshot(): Snapshot['fx'];
  /** The next changes for the stream; null for none. Only the stream may call it, once a tick. */
  takeChanges(): Delta['fx'] | null;
  /** State of the source; null if the calendar is switched off. */
  info(): StreamMeta['calendar'];
  /** Members that most rows of the source lack, and since when. */
  missing(): readonly MissingField[];
  /** Today's events in a time zone, in list order. @param zone an IANA name; throws a RangeError otherwise */
  today(zone: string): CalendarEvent[];
  /** Events of HIGH impact within five minutes of now, for alerts that mention them. */
  highEvents: { guarding(): readonly FilterEvent[]; now(): number };
  /** Data that the history needs in addition to the events. */
  memory: {
    source: string;
    /** The clock by which events are timed. */
    clock: Clock;
    /** Generates past events; null if the source cannot, so that they must be stored. */
    past: NonNullable<CalendarSource['past']> | null;
    /** Increases with each change of the events. */
    revision(): number;
  };
};

/** Searched at most once a second, because many alerts may need the events in one tick. */
function createHighEvents(events: KeptEvents): Calendar['highEvents'] {
  let known: { second: number; events: readonly FilterEvent[] } = {
    second: Number.NaN,
    events: [],
  };
  return {
    now: () => events.clock.now(),
    guarding() {
      const now = events.clock.now();
      const second = Math.floor(now / 1000);
      if (known.second !== second) known = { second, events: guardingEvents(events.all.values(), now) };
      return known.events;
    },
  };
}

const createCalendarService = (app: App, source: CalendarSource | null, events: KeptEvents): Calendar => ({
  events: () => events.all,
  snapshot: () => events.changes.snapshot(),
  takeChanges: () => events.changes.take(),
  info() {
    if (!source) return null;
    const { healthy, problem, lastSuccess } = source.health();
    return {
      label: source.label(),
      healthy,
      problem,
      lastUpdate: lastSuccess,
      onMarketClock: source.clock === app.source.clock,
    };
  },
  missing: () => source?.missing?.() ?? [],
  highEvents: createHighEvents(events),
  memory: {
    source: source?.name ?? 'off',
    clock: events.clock,
    past: source?.past ?? null,
    revision: () => events.revision,
  },
  today: (zone) => eventsOn('today', events.all.values(), zone, events.clock.now()),
});

const MAX_WRITES_A_MINUTE = 120;

const NO_CHAT = 'No chat or device receives reminders yet. Add one in Settings.';

class Reminders {
  readonly #countWrite: ReturnType<typeof createWriteLimit>;

  constructor(
    private readonly app: App,
    private readonly store: ReminderStore,
    private readonly events: KeptEvents,
    private readonly watch: ReminderWatch,
  ) {
    this.#countWrite = createWriteLimit(app.clock, MAX_WRITES_A_MINUTE, 'your reminders');
  }

  /** Reminders of events that are still in the calendar, oldest first. */
  list(userId: number): Reminder[] {
    return this.store.ofUser(userId).filter(({ eventId }) => this.events.all.has(eventId));
  }

  /**
   * Sets a user's reminder of an event; with neither choice it is removed.
   * @throws AppError 404 for an event that is not in the calendar, 400 for a past one or too many reminders, 429
   */
  put(userId: number, eventId: string, choice: ReminderChoice): Wire<typeof savedAnswer> {
    const { app, store, events } = this;
    this.#countWrite(userId);
    const event = events.all.get(eventId);
    const known = store.one(userId, eventId);
    const isRemoval = !choice.before && !choice.figure;
    if (!event && !(known && isRemoval)) throw new AppError(404, 'That event is no longer in the calendar.');
    if (!event || isRemoval) {
      store.remove(userId, eventId);
      return { eventId, ...choice, note: null };
    }
    accepted(checkReminder(choice, event, events.clock.now()));
    this.#checkCount(userId, eventId);
    store.put(userId, { eventId, ...choice }, known, app.clock.now());
    this.watch.changed(eventId);
    return {
      eventId,
      ...choice,
      note: app.chatsOf(userId).length === 0 ? NO_CHAT : null,
    };
  }

  /** @throws AppError 400 if the user has too many open reminders */
  #checkCount(userId: number, eventId: string): void {
    const { all, clock } = this.events;
    const now = clock.now();
    const open = this.store.ofUser(userId).filter((reminder) => {
      const event = all.get(reminder.eventId);
      return event && reminder.eventId !== eventId && canBeNotified(reminder, event, now);
    });
    if (open.length < MAX_REMINDERS) return;
    throw new AppError(400, `You already have ${MAX_REMINDERS} reminders. Remove one first.`);
  }
}

/** How long reminders are stored, ms. They are for events at most two days ahead, unless an event is postponed. */
const REMINDERS_KEPT_MS = 14 * DAY_MS;

const routesOf = (reminders: Reminders, companyEvents: () => CompanyEvent[]) =>
  serve(CALENDAR, {
    'GET /api/calendar/company-events': () => ({ events: companyEvents() }),
    'GET /api/calendar/reminders': ({ user }) => ({
      reminders: reminders.list(user.id),
    }),
    'PUT /api/calendar/reminders/:eventId': ({ user, params, body }) =>
      reminders.put(user.id, params.eventId, body),
  });

const inspect = (
  source: CalendarSource | null,
  service: Calendar,
  { events, ...counts }: { events: KeptEvents; watched: number; reminders: number },
) => ({
  label: 'Economic calendar',
  description: 'The calendar source and its events.',
  summary: {
    ...service.info(),
    events: events.all.size,
    waiting: events.changes.waiting,
    ...counts,
  },
  data: () => ({
    source: source?.details?.() ?? null,
    events: [...events.all.values()],
  }),
});

class ReminderSender {
  readonly reminders: Reminders;
  readonly #watch: ReminderWatch;
  readonly #store: ReminderStore;
  #tidiedAt = 0;

  constructor(
    private readonly app: App,
    source: CalendarSource | null,
    events: KeptEvents,
  ) {
    this.#store = new ReminderStore(app.db, source?.name ?? 'off');
    this.#watch = new ReminderWatch(app, source, this.#store, events);
    this.reminders = new Reminders(app, this.#store, events, this.#watch);
  }

  start(): void {
    this.#tidiedAt = this.app.clock.monotonic();
    this.#watch.restart();
  }

  tick(): void {
    this.#watch.check();
    if (this.app.clock.monotonic() - this.#tidiedAt > DAY_MS) this.start();
  }

  stop(): void {
    this.#watch.stop();
  }

  prune(): Pruned {
    return {
      removed: this.#store.prune(this.app.clock.now() - REMINDERS_KEPT_MS),
      hasMore: false,
    };
  }

  counts() {
    return { watched: this.#watch.watched, reminders: this.#store.count() };
  }
}

export function createCalendar(app: App, source: CalendarSource | null) {
  const events = new KeptEvents(app, source);
  const notifications = new ReminderSender(app, source, events);
  const service = createCalendarService(app, source, events);
  let isRunning = false;

  return {
    name: 'calendar',
    service,
    routes: () => routesOf(notifications.reminders, createCompanyEvents(app)),
    onChanges() {
      if (!isRunning) return;
      events.sink.prune();
      notifications.tick();
      events.save();
    },
    async start() {
      if (!source || isRunning) return;
      isRunning = true;
      events.restore();
      notifications.start();
      await source.start(events.sink);
    },
    async stop() {
      if (!isRunning) return;
      isRunning = false;
      notifications.stop();
      await source?.stop();
      events.saveAll();
    },
    prune: () => notifications.prune(),
    inspect: () => inspect(source, service, { events, ...notifications.counts() }),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    calendar: Calendar;
  }
}
