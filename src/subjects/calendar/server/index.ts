import { Elysia } from 'elysia';
import { CALENDAR } from '../contract.ts';
import type { Auth } from '../../../platform/http/auth.ts';
import { routeSchemas } from '../../../platform/http/contract.ts';
import type { Clock } from '../../../lib/clock.ts';
import { type Scheduler, timerScheduler } from '../../../lib/scheduler.ts';
import type { Core, Part } from '../../../part.ts';
import type { CalendarSource } from '../../../sources/calendar/source.ts';
import { createKeeping, type Keeping } from './keeping.ts';
import { createReminders, type Reminders } from './reminders/service.ts';
import { reminderStore } from './reminders/store.ts';
import { createReminderWatch, type ReminderWatchDeps } from './reminders/watch.ts';
import { createCalendarService } from './service.ts';

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

/** Who is to be told of which events, and those who tell them. */
function createTelling(
  core: CalendarCore,
  needs: CalendarNeeds,
  events: Keeping['all'],
  calendarClock: Clock,
) {
  const { db, clock } = core;
  const { source, outbox, chatsOf, schedule = timerScheduler } = needs;
  const store = reminderStore(db, source?.name ?? 'off');
  const watch = createReminderWatch({
    ...{ store, events, clock: calendarClock, outbox, chatsOf, schedule },
    log: core.log.child('calendar'),
    label: () => source?.label() ?? '',
    publicUrl: core.config.publicUrl,
  });
  const reminders = createReminders({
    ...{ store, events, calendarClock, clock, chatsOf },
    changed: watch.changed,
  });
  let tidiedAt = 0;

  /** Takes up the reminders anew. */
  function tidy(): void {
    tidiedAt = clock.monotonic();
    watch.restart();
  }

  return {
    reminders,
    start: tidy,
    tick() {
      watch.look();
      if (clock.monotonic() - tidiedAt > DAY_MS) tidy();
    },
    stop: watch.stop,
    prune: () => ({ removed: store.prune(clock.now() - REMINDERS_KEPT_MS), hasMore: false }),
    counts: () => ({ watched: watch.watched(), reminders: store.count() }),
  };
}

/** The events of the economic calendar around now, and the reminders of them. */
export function createCalendar(core: CalendarCore, needs: CalendarNeeds) {
  const { db, clock, source: market } = core;
  const { auth, source } = needs;
  const calendarClock = source?.clock ?? clock;
  const log = core.log.child('calendar');
  const keeping = createKeeping({ db, log, clock, calendarClock, source: source?.name ?? 'off' });
  const { all, changes } = keeping;
  const telling = createTelling(core, needs, all, calendarClock);
  const service = createCalendarService({ source, all, changes, calendarClock, marketClock: market.clock });
  let isRunning = false;

  return {
    name: 'calendar',
    service,
    routes: () => routesOf(auth, telling.reminders),
    onChanges() {
      if (!isRunning) return;
      keeping.prune();
      telling.tick();
      keeping.save();
    },
    async start() {
      if (!source || isRunning) return;
      isRunning = true;
      keeping.restore();
      telling.start();
      await source.start(keeping.sink);
    },
    async stop() {
      if (!isRunning) return;
      isRunning = false;
      telling.stop();
      await source?.stop();
      keeping.saveAll();
    },
    prune: telling.prune,
    inspect: () => ({
      label: 'Economic calendar',
      description: 'The source of the calendar, and its events.',
      summary: { ...service.info(), events: all.size, waiting: changes.waiting(), ...telling.counts() },
      data: () => ({ source: source?.details?.() ?? null, events: [...all.values()] }),
    }),
  } satisfies Part;
}
