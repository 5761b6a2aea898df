import type { CalendarEvent } from '../rules/calendarEvent.ts';
import { eventFault } from '../rules/checkEvent.ts';
import { isInWindow, timeOf } from '../rules/days.ts';
import type { Clock, SystemClock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { FirstFailure } from '#lib/firstFailure.ts';
import { WriteBehind } from '#lib/writeBehind.ts';
import type { Db } from '#platform/db/open.ts';
import { type CalendarSink, isWithin, type Span } from '#sources/calendar/source.ts';
import { EventChanges } from './changes.ts';
import { calendarStore } from './store.ts';

/** Far more than all countries of the world publish in four days. */
const MAX_EVENTS = 6000;
const MINUTE_MS = 60_000;
/** Written in one tick; it takes about a millisecond and what the disk takes. */
const SAVED_A_TICK = 100;

export type EventsAroundNowDeps = {
  /** By which the events happen. */
  clock: Clock;
  log: Log;
  /** Called with the id of each event that came, changed or went. */
  changed(id: string): void;
};

/** The events around now, in memory. */
export class EventsAroundNow implements CalendarSink {
  readonly #events = new Map<string, CalendarEvent>();
  readonly all: ReadonlyMap<string, CalendarEvent> = this.#events;
  #prunedAt: number | null = null;

  constructor(private readonly deps: EventsAroundNowDeps) {}

  replace(span: Span, events: readonly CalendarEvent[]): void {
    const ids = new Set(events.map(({ id }) => id));
    for (const [id, event] of this.all) if (!ids.has(id) && isWithin(event, span)) this.#remove(id);
    this.apply(events);
  }

  /** A wrong event costs itself alone: if it is known, what was known of it stays. */
  apply(events: readonly CalendarEvent[]): void {
    const now = this.deps.clock.now();
    const refused: { id: string; reason: string }[] = [];
    for (const event of events) {
      const reason = this.#put(event, now);
      if (reason) refused.push({ id: event.id.slice(0, 100), reason });
    }
    if (refused.length === 0) return;
    this.deps.log.warn('Events of the calendar were refused', { count: refused.length, first: refused[0] });
  }

  known(span: Span): CalendarEvent[] {
    return [...this.all.values()].filter((event) => isWithin(event, span));
  }

  /** Removes what no time zone shows any more; to be called at every tick. */
  prune(): void {
    const now = this.deps.clock.now();
    const minute = Math.floor(now / MINUTE_MS);
    if (minute === this.#prunedAt) return;
    this.#prunedAt = minute;
    for (const [id, event] of this.all) if (!isInWindow(event, now)) this.#remove(id);
  }

  /** @returns why the event is refused; null when it is kept, or lies beyond what is kept */
  #put(event: CalendarEvent, now: number): string | null {
    const fault = eventFault(event);
    if (fault) return fault;
    if (!isInWindow(event, now)) {
      this.#remove(event.id);
      return null;
    }
    const known = this.all.get(event.id);
    if (known && Bun.deepEquals(known, event)) return null;
    if (!known && this.all.size >= MAX_EVENTS) return 'there are too many';
    this.#events.set(event.id, event);
    this.deps.changed(event.id);
    return null;
  }

  #remove(id: string): void {
    if (this.#events.delete(id)) this.deps.changed(id);
  }
}

export type KeptEventsDeps = {
  db: Db;
  log: Log;
  clock: SystemClock;
  /** By which the events happen. */
  calendarClock: Clock;
  /** The name of the source, with which its events are kept. */
  source: string;
};

/** The events around now: in memory, on the disk behind it, and what of them the stream has told. */
export class KeptEvents {
  readonly sink: EventsAroundNow;
  readonly all: ReadonlyMap<string, CalendarEvent>;
  readonly changes: EventChanges;
  readonly #store: ReturnType<typeof calendarStore>;
  readonly #unsaved: WriteBehind<string>;
  #revision = 0;

  constructor(private readonly deps: KeptEventsDeps) {
    const { db, log, clock, calendarClock, source } = deps;
    this.#store = calendarStore(db, source);
    this.sink = new EventsAroundNow({ clock: calendarClock, log, changed: (id) => this.#changed(id) });
    this.all = this.sink.all;
    this.changes = new EventChanges(this.all, clock);
    this.#unsaved = new WriteBehind<string>({
      clock,
      atOnce: SAVED_A_TICK,
      write: (ids) => this.#store.save(ids, this.all),
      failure: new FirstFailure(log, 'Events of the calendar could not be written; trying again'),
    });
  }

  /** Brings back what an earlier run kept; what is past by now goes. */
  restore(): void {
    this.#store.removeOthers();
    const events = this.#store.load();
    this.sink.apply(events);
    this.#unsaved.forgetAll();
    this.changes.begin();
    const now = this.deps.calendarClock.now();
    for (const event of events) {
      // What lies far ahead stays: a board without a battery starts in 1970.
      if (!this.all.has(event.id) && (timeOf(event) ?? 0) < now) this.#unsaved.note(event.id);
    }
  }

  /** Writes some of what changed; to be called at every tick. */
  save(): void {
    this.#unsaved.saveDue();
  }

  saveAll(): void {
    this.#unsaved.saveAll();
  }

  /** Counts up with each change. */
  get revision(): number {
    return this.#revision;
  }

  #changed(id: string): void {
    this.#revision += 1;
    this.changes.note(id);
    this.#unsaved.note(id);
  }
}
