import { Elysia } from 'elysia';
import { timeOf } from '../../domain/calendar/days.ts';
import type { Auth } from '../../http/auth.ts';
import { type Scheduler, timerScheduler } from '../../lib/scheduler.ts';
import type { Core, Part } from '../../part.ts';
import type { CalendarSource } from '../../sources/calendar/source.ts';
import { createChanges } from './changes.ts';
import { createKeptEvents } from './events.ts';
import { reminderBody, reminderList, reminderParams, reminderSaved } from './model.ts';
import { createReminders, type Reminders } from './reminders/service.ts';
import { reminderStore } from './reminders/store.ts';
import { createReminderWatch, type ReminderWatchDeps } from './reminders/watch.ts';
import { createSaver } from './saver.ts';
import { createCalendarService } from './service.ts';
import { calendarStore } from './store.ts';

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
      response: { 200: reminderList },
    })
    .put('/:eventId', ({ user, params, body }) => reminders.put(user.id, params.eventId, body), {
      minLevel: 1,
      params: reminderParams,
      body: reminderBody,
      response: { 200: reminderSaved },
    });

/** The events of the economic calendar around now, and the reminders of them. */
export function createCalendar(
  core: Pick<Core, 'db' | 'clock' | 'log' | 'source'> & { config: Pick<Core['config'], 'publicUrl'> },
  { auth, source, outbox, chatsOf, schedule = timerScheduler }: CalendarNeeds,
) {
  const { db, clock } = core;
  const log = core.log.child('calendar');
  const calendarClock = source?.clock ?? clock;
  const name = source?.name ?? 'off';
  const store = calendarStore(db, name);
  const remindersOf = reminderStore(db, name);
  const kept = createKeptEvents({
    clock: calendarClock,
    log,
    changed(id) {
      changes.note(id);
      saver.note(id);
    },
  });
  const changes = createChanges(kept.all, clock);
  const saver = createSaver(store, kept.all, log);
  const watch = createReminderWatch({
    ...{ events: kept.all, clock: calendarClock, log, outbox, chatsOf, schedule },
    store: remindersOf,
    label: () => source?.label() ?? '',
    publicUrl: core.config.publicUrl,
  });
  const reminders = createReminders({
    ...{ events: kept.all, calendarClock, clock, chatsOf },
    store: remindersOf,
    changed: watch.changed,
  });
  const service = createCalendarService({
    ...{ source, all: kept.all, changes, calendarClock },
    marketClock: core.source.clock,
  });
  let isRunning = false;
  let tidiedAt = 0;

  /** Brings back what an earlier run kept; what is past by now goes. */
  function restore(): void {
    store.removeOthers();
    const events = store.load();
    kept.sink.apply(events);
    saver.forget();
    const now = calendarClock.now();
    for (const event of events) {
      // What lies far ahead stays: a board without a battery starts in 1970.
      if (!kept.all.has(event.id) && (timeOf(event) ?? 0) < now) saver.note(event.id);
    }
  }

  /** Removes old reminders, and takes up the others. */
  function tidy(): void {
    tidiedAt = clock.monotonic();
    remindersOf.prune(clock.now() - REMINDERS_KEPT_MS);
    watch.restart();
  }

  return {
    name: 'calendar',
    service,
    routes: routesOf(auth, reminders),
    onChanges() {
      if (!isRunning) return;
      kept.prune();
      watch.look();
      saver.save();
      if (clock.monotonic() - tidiedAt > DAY_MS) tidy();
    },
    async start() {
      if (!source || isRunning) return;
      isRunning = true;
      restore();
      tidy();
      await source.start(kept.sink);
    },
    async stop() {
      if (!isRunning) return;
      isRunning = false;
      watch.stop();
      await source?.stop();
      saver.saveAll();
    },
    inspect() {
      const summary = { events: kept.all.size, waiting: changes.waiting(), watched: watch.watched() };
      return {
        label: 'Economic calendar',
        summary: { ...service.info(), ...summary, reminders: remindersOf.count() },
        data: () => ({ source: source?.details?.() ?? null, events: [...kept.all.values()] }),
      };
    },
  } satisfies Part;
}
