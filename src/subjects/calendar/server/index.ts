import { Elysia } from 'elysia';
import { CALENDAR } from '../contract.ts';
import type { Auth } from '#platform/http/auth.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import type { Clock } from '#lib/clock.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import type { Core, Part, Pruned } from '#src/part.ts';
import type { CalendarSource } from '#sources/calendar/source.ts';
import { KeptEvents } from './events.ts';
import { Reminders } from './reminders/service.ts';
import { ReminderStore } from './reminders/store.ts';
import { ReminderWatch, type ReminderWatchDeps } from './reminders/watch.ts';
import { type Calendar, createCalendarService } from './service.ts';

type CalendarCore = Pick<Core, 'db' | 'clock' | 'log' | 'source'> & {
  config: Pick<Core['config'], 'publicUrl'>;
};

export type CalendarNeeds = Pick<ReminderWatchDeps, 'outbox' | 'chatsOf'> & {
  auth: Auth;
  /** Null when the calendar is switched off. */
  source: CalendarSource | null;
  schedule?: Scheduler;
};

const DAY_MS = 86_400_000;
/** Reminders are of events at most two days ahead, unless those are put off. */
const REMINDERS_KEPT_MS = 14 * DAY_MS;

/** GET /calendar/reminders and PUT /calendar/reminders/:eventId. */
const routesOf = (auth: Auth, reminders: Reminders) =>
  new Elysia({ name: 'calendar', prefix: '/calendar/reminders' })
    .use(auth)
    .get('/', ({ user }) => ({ reminders: reminders.list(user.id) }), {
      minLevel: 1,
      ...routeSchemas(CALENDAR['GET /api/calendar/reminders/']),
    })
    .put('/:eventId', ({ user, params, body }) => reminders.put(user.id, params.eventId, body), {
      minLevel: 1,
      ...routeSchemas(CALENDAR['PUT /api/calendar/reminders/:eventId']),
    });

const inspect = (
  source: CalendarSource | null,
  service: Calendar,
  { events, ...counts }: { events: KeptEvents; watched: number; reminders: number },
) => ({
  label: 'Economic calendar',
  description: 'The source of the calendar, and its events.',
  summary: { ...service.info(), events: events.all.size, waiting: events.changes.waiting, ...counts },
  data: () => ({ source: source?.details?.() ?? null, events: [...events.all.values()] }),
});

/** Who is to be told of which events, and those who tell them. */
class Telling {
  readonly reminders: Reminders;
  readonly #watch: ReminderWatch;
  readonly #store: ReminderStore;
  #tidiedAt = 0;

  constructor(
    private readonly core: CalendarCore,
    { source, outbox, chatsOf, schedule = timerScheduler }: CalendarNeeds,
    { events, calendarClock }: { events: KeptEvents['all']; calendarClock: Clock },
  ) {
    const { db, clock } = core;
    const store = new ReminderStore(db, source?.name ?? 'off');
    this.#store = store;
    this.#watch = new ReminderWatch({
      store,
      events,
      clock: calendarClock,
      outbox,
      chatsOf,
      schedule,
      log: core.log.child('calendar'),
      label: () => source?.label() ?? '',
      publicUrl: core.config.publicUrl,
    });
    this.reminders = new Reminders({
      store,
      events,
      calendarClock,
      clock,
      chatsOf,
      changed: (eventId) => this.#watch.changed(eventId),
    });
  }

  /** Takes up the reminders that are kept. */
  start(): void {
    this.#tidiedAt = this.core.clock.monotonic();
    this.#watch.restart();
  }

  tick(): void {
    this.#watch.look();
    if (this.core.clock.monotonic() - this.#tidiedAt > DAY_MS) this.start();
  }

  stop(): void {
    this.#watch.stop();
  }

  prune(): Pruned {
    return { removed: this.#store.prune(this.core.clock.now() - REMINDERS_KEPT_MS), hasMore: false };
  }

  counts() {
    return { watched: this.#watch.watched, reminders: this.#store.count() };
  }
}

/** The events of the economic calendar around now, and the reminders of them. */
export function createCalendar(core: CalendarCore, needs: CalendarNeeds) {
  const { db, clock, source: market } = core;
  const { auth, source } = needs;
  const calendarClock = source?.clock ?? clock;
  const log = core.log.child('calendar');
  const events = new KeptEvents({ db, log, clock, calendarClock, source: source?.name ?? 'off' });
  const telling = new Telling(core, needs, { events: events.all, calendarClock });
  const service = createCalendarService({ source, events, calendarClock, marketClock: market.clock });
  let isRunning = false;

  return {
    name: 'calendar',
    service,
    routes: () => routesOf(auth, telling.reminders),
    onChanges() {
      if (!isRunning) return;
      events.sink.prune();
      telling.tick();
      events.save();
    },
    async start() {
      if (!source || isRunning) return;
      isRunning = true;
      events.restore();
      telling.start();
      await source.start(events.sink);
    },
    async stop() {
      if (!isRunning) return;
      isRunning = false;
      telling.stop();
      await source?.stop();
      events.saveAll();
    },
    prune: () => telling.prune(),
    inspect: () => inspect(source, service, { events, ...telling.counts() }),
  } satisfies Part;
}
