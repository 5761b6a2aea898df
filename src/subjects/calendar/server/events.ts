import { MINUTE_MS } from '#lib/units.ts';
import {
  type CalendarEvent,
  emptyEvent,
  readStoredEvent,
  wireEvent,
} from '#market/calendar/rules/calendarEvent.ts';
import { eventFault } from '../rules/events.ts';
import { isInWindow, timeOf } from '#market/calendar/rules/days.ts';
import type { Clock } from '#lib/clock.ts';
import { FirstFailure, type Log } from '#lib/log.ts';
import { WriteBehind } from '#lib/writeBehind.ts';
import type { App } from '#platform/app.ts';
import type { Db } from '#platform/db/open.ts';
import { type CalendarSink, type CalendarSource, isWithin, type Span } from '#market/sources/calendar.ts';
import { and, eq, ne, sql } from 'drizzle-orm';
import { calendarEvents } from '#src/tables/calendarSchema.ts';
import { isRecord } from '#lib/json.ts';
import { lazy } from '#lib/lazy.ts';
import type { Delta, EventPatch, Snapshot } from '#market/rules/stream.ts';
import { diffPatch } from '#lib/mergePatch.ts';

/** Changes per tick. Finding, encoding and compressing them takes about 1 ms. */
const EVENTS_A_TICK = 100;

/** The events as the stream's clients know them, and the changes to send. */
export class EventChanges {
  readonly #sent = new Map<string, EventPatch>();
  readonly #noted = new Set<string>();
  #lastUpdated: number | null = null;
  /** True if only some of the changes at one moment were sent. */
  #isPartlyReported = false;
  #known: Snapshot['fx'] | null = null;

  /** @param wall clock that dates the changes */
  constructor(
    private readonly all: ReadonlyMap<string, CalendarEvent>,
    private readonly wall: Clock,
  ) {}

  get waiting(): number {
    return this.#noted.size;
  }

  note(id: string): void {
    this.#noted.add(id);
  }

  /**
   * Treats all events as sent before any client connected, so that the first snapshot after a restart contains them.
   * Has no effect after the first snapshot.
   */
  begin(): void {
    if (this.#known !== null || this.all.size === 0) return;
    for (const [id, event] of this.all) this.#sent.set(id, wireEvent(event));
    this.#noted.clear();
    this.#lastUpdated = this.wall.now();
  }

  /**
   * The events as clients know them, the base of later changes. Stays the same object until they change. While changes
   * wait, `lastUpdated` is omitted, so that clients do not treat a part as complete.
   */
  snapshot(): Snapshot['fx'] {
    return (this.#known ??= {
      data: Object.fromEntries(this.#sent),
      lastUpdated: this.#lastUpdated,
    });
  }

  /**
   * The next changes as merge patches, with new events complete; null for none. Call it once a tick. The last of the
   * waiting changes contain `lastUpdated`.
   */
  take(): Delta['fx'] | null {
    const upsert: Record<string, EventPatch> = {};
    const gone: string[] = [];
    let count = 0;
    for (const id of this.#noted) {
      if (count === EVENTS_A_TICK) break;
      this.#noted.delete(id);
      const change = this.#changeOf(id);
      if (change === undefined) continue;
      count += 1;
      if (change === null) gone.push(id);
      else upsert[id] = change;
    }
    if (count === 0 && !this.#isPartlyReported) return null;
    this.#isPartlyReported = this.#noted.size > 0;
    this.#lastUpdated = this.#isPartlyReported ? null : this.wall.now();
    this.#known = null;
    return { upsert, delete: gone, lastUpdated: this.#lastUpdated };
  }

  /** The change of an event: a patch, null if it was removed, undefined if it is unchanged. */
  #changeOf(id: string): EventPatch | null | undefined {
    const event = this.all.get(id);
    const before = this.#sent.get(id);
    if (!event) return this.#sent.delete(id) ? null : undefined;
    const after = wireEvent(event);
    this.#sent.set(id, after);
    // A new event is sent with its nulls, which a merge patch would leave out.
    return before === undefined ? after : (diffPatch(before, after) as EventPatch | undefined);
  }
}

/** Reads an event that another version may have written; null if it is invalid. */
function readEvent(id: string, value: unknown): CalendarEvent | null {
  if (!isRecord(value)) return null;
  const empty = emptyEvent(id);
  const forms = new Map<string, unknown>(Object.entries(empty));
  const known = Object.entries(value).filter(([name, member]) => {
    const form = forms.get(name);
    return form === null || typeof form === typeof member;
  });
  return readStoredEvent({ ...empty, ...Object.fromEntries(known), id });
}

const prepareUpsert = (db: Db, source: string) =>
  db
    .insert(calendarEvents)
    .values({
      source,
      id: sql.placeholder('id'),
      time: sql.placeholder('time'),
      event: sql.placeholder('event'),
    })
    .onConflictDoUpdate({
      target: [calendarEvents.source, calendarEvents.id],
      set: { time: sql`excluded.time`, event: sql`excluded.event` },
    })
    .prepare();

/** SQL of the events of one source. @param source its name */
function calendarStore(db: Db, source: string) {
  const isOwn = eq(calendarEvents.source, source);
  const upsert = lazy(() => prepareUpsert(db, source));
  const ofId = and(isOwn, eq(calendarEvents.id, sql.placeholder('id')));
  const remove = lazy(() => db.delete(calendarEvents).where(ofId).prepare());

  return {
    load: (): CalendarEvent[] =>
      db
        .select({ id: calendarEvents.id, event: calendarEvents.event })
        .from(calendarEvents)
        .where(isOwn)
        .all()
        .flatMap(({ id, event }) => readEvent(id, event) ?? []),

    /** Writes these events in one transaction, and removes those that are not in `all`. */
    save: (ids: readonly string[], all: ReadonlyMap<string, CalendarEvent>): void =>
      db.transaction(
        () => {
          for (const id of ids) {
            const event = all.get(id);
            if (event) upsert().run({ id, time: timeOf(event) ?? 0, event });
            else remove().run({ id });
          }
        },
        { behavior: 'immediate' },
      ),

    removeOthers: (): void => {
      db.delete(calendarEvents).where(ne(calendarEvents.source, source)).run();
    },
  };
}

/** Limit of events, far more than all countries publish in four days. */
const MAX_EVENTS = 6000;
/** Changes saved per tick, which takes about 1 ms plus the disk. */
const SAVED_A_TICK = 100;

/** Events from yesterday to tomorrow, in memory. */
export class EventsAroundNow implements CalendarSink {
  readonly #events = new Map<string, CalendarEvent>();
  readonly all: ReadonlyMap<string, CalendarEvent> = this.#events;
  #prunedAt: number | null = null;

  /**
   * @param clock times the events
   * @param changed called with the id of each event that was added, changed or removed
   */
  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly changed: (id: string) => void,
  ) {}

  replace(span: Span, events: readonly CalendarEvent[]): void {
    const ids = new Set(events.map(({ id }) => id));
    for (const [id, event] of this.all) if (!ids.has(id) && isWithin(event, span)) this.#remove(id);
    this.apply(events);
  }

  /** Applies events. An invalid event is skipped, and its known form stays. */
  apply(events: readonly CalendarEvent[]): void {
    const now = this.clock.now();
    const refused: { id: string; reason: string }[] = [];
    for (const event of events) {
      const reason = this.#put(event, now);
      if (reason) refused.push({ id: event.id.slice(0, 100), reason });
    }
    if (refused.length === 0) return;
    this.log.warn('Skipped events of the calendar', {
      count: refused.length,
      first: refused[0],
    });
  }

  known(span: Span): CalendarEvent[] {
    return [...this.all.values()].filter((event) => isWithin(event, span));
  }

  /** Removes events that are not shown in any time zone; call it at every tick. */
  prune(): void {
    const now = this.clock.now();
    const minute = Math.floor(now / MINUTE_MS);
    if (minute === this.#prunedAt) return;
    this.#prunedAt = minute;
    for (const [id, event] of this.all) if (!isInWindow(event, now)) this.#remove(id);
  }

  /** @returns why the event is refused; null if it was stored or is out of range */
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
    this.changed(event.id);
    return null;
  }

  #remove(id: string): void {
    if (this.#events.delete(id)) this.changed(id);
  }
}

/** Events from yesterday to tomorrow in memory and on disk, and what the stream sent of them. */
export class KeptEvents {
  readonly sink: EventsAroundNow;
  readonly all: ReadonlyMap<string, CalendarEvent>;
  readonly clock: Clock;
  readonly changes: EventChanges;
  readonly #store: ReturnType<typeof calendarStore>;
  readonly #unsaved: WriteBehind<string>;
  #revision = 0;

  constructor({ db, log, clock }: App, source: CalendarSource | null) {
    const ownLog = log.child('calendar');
    this.clock = source?.clock ?? clock;
    this.#store = calendarStore(db, source?.name ?? 'off');
    this.sink = new EventsAroundNow(this.clock, ownLog, (id) => this.#changed(id));
    this.all = this.sink.all;
    this.changes = new EventChanges(this.all, clock);
    this.#unsaved = new WriteBehind<string>({
      clock,
      atOnce: SAVED_A_TICK,
      write: (ids) => this.#store.save(ids, this.all),
      failure: new FirstFailure(ownLog, 'Could not save events of the calendar; trying again'),
    });
  }

  /** Restores the events of an earlier run, without those that are over. */
  restore(): void {
    this.#store.removeOthers();
    const events = this.#store.load();
    this.sink.apply(events);
    this.#unsaved.forgetAll();
    this.changes.begin();
    const now = this.clock.now();
    for (const event of events) {
      // Events far ahead are kept, because a board without a battery starts in 1970.
      if (!this.all.has(event.id) && (timeOf(event) ?? 0) < now) this.#unsaved.note(event.id);
    }
  }

  /** Writes some of the changes; call it at every tick. */
  save(): void {
    this.#unsaved.saveDue();
  }

  saveAll(): void {
    this.#unsaved.saveAll();
  }

  /** Increases with each change. */
  get revision(): number {
    return this.#revision;
  }

  #changed(id: string): void {
    this.#revision += 1;
    this.changes.note(id);
    this.#unsaved.note(id);
  }
}
