import { and, asc, between, count, desc, eq, lt, sql } from 'drizzle-orm';
import { calendarOutcomes, calendarSeries } from '#src/tables/calendarSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { type CalendarEvent, POTENCIES } from '#market/calendar/rules/calendarEvent.ts';
import type { Outcome } from '#subjects/calendar/rules/outcomes.ts';
import { seriesKey, isPublished } from '#subjects/calendar/rules/events.ts';
import { FirstFailure } from '#lib/log.ts';
import { timeOf } from '#market/calendar/rules/days.ts';
import type { App } from '#platform/app.ts';

/** A release that moved by less than this (ms) is the same one. */
const SAME_RELEASE_MS = 6 * 3_600_000;

type Row = typeof calendarOutcomes.$inferSelect;

const toOutcome = ({ seriesId: _, potency, ...row }: Row): Outcome => ({
  ...row,
  potency: POTENCIES[potency] ?? 'ZERO',
});

export class OutcomeStore {
  constructor(
    private readonly db: Db,
    private readonly source: string,
  ) {}

  /** All or nothing; the callback must not await. */
  inTransaction<T>(work: () => T): T {
    return this.db.transaction(work, { behavior: 'immediate' });
  }

  /** The series of an event with the same unit, because figures in other units cannot be compared. Null for none. */
  seriesOf(event: CalendarEvent): number | null {
    const known = this.#series(seriesKey(event));
    if (known === null || known.unit === event.unit) return known?.id ?? null;
    return this.#series(keyWithUnit(event))?.id ?? (event.unit === null ? known.id : null);
  }

  ensureSeries(event: CalendarEvent & { actual: number }): number {
    const { name, countryCode, unit } = event;
    const known = this.#series(seriesKey(event));
    if (known?.unit === unit) return known.id;
    const key = known === null ? seriesKey(event) : keyWithUnit(event);
    const other = known === null ? null : this.#series(key);
    if (other) return other.id;
    const row = { source: this.source, key, name, countryCode, unit };
    return this.db.insert(calendarSeries).values(row).returning({ id: calendarSeries.id }).get().id;
  }

  /** The figure published nearest to a time, at most `SAME_RELEASE_MS` from it; null for none. */
  at(seriesId: number, time: number): Outcome | null {
    const near = between(calendarOutcomes.time, time - SAME_RELEASE_MS, time + SAME_RELEASE_MS);
    const row = this.db
      .select()
      .from(calendarOutcomes)
      .where(and(eq(calendarOutcomes.seriesId, seriesId), near))
      .orderBy(asc(sql`abs(${calendarOutcomes.time} - ${time})`))
      .limit(1)
      .get();
    return row ? toOutcome(row) : null;
  }

  add(seriesId: number, outcome: Outcome): void {
    const potency = POTENCIES.indexOf(outcome.potency);
    this.db
      .insert(calendarOutcomes)
      .values({ ...outcome, seriesId, potency })
      .onConflictDoNothing()
      .run();
  }

  change(seriesId: number, time: number, change: Pick<Outcome, 'revised' | 'corrected'>): void {
    const own = and(eq(calendarOutcomes.seriesId, seriesId), eq(calendarOutcomes.time, time));
    this.db.update(calendarOutcomes).set(change).where(own).run();
  }

  /** Figures of a series, newest first. */
  newest(seriesId: number, limit: number): Outcome[] {
    return this.db
      .select()
      .from(calendarOutcomes)
      .where(eq(calendarOutcomes.seriesId, seriesId))
      .orderBy(desc(calendarOutcomes.time))
      .limit(limit)
      .all()
      .map(toOutcome);
  }

  count(seriesId?: number): number {
    const where = seriesId === undefined ? undefined : eq(calendarOutcomes.seriesId, seriesId);
    return this.db.select({ n: count() }).from(calendarOutcomes).where(where).get()?.n ?? 0;
  }

  /** Deletes older figures of every source. @returns their number */
  prune(before: number): number {
    const old = this.db.delete(calendarOutcomes).where(lt(calendarOutcomes.time, before));
    return old.returning({ time: calendarOutcomes.time }).all().length;
  }

  #series(key: string): { id: number; unit: string | null } | null {
    const { id, unit, source, key: keyColumn } = calendarSeries;
    const own = and(eq(source, this.source), eq(keyColumn, key));
    return this.db.select({ id, unit }).from(calendarSeries).where(own).get() ?? null;
  }
}

const keyWithUnit = (event: CalendarEvent): string => `${seriesKey(event)}#${event.unit ?? ''}`;

type Published = CalendarEvent & { actual: number };

/** The stored form of a published figure; null if its time is unreadable. */
export function outcomeOf(event: Published): Outcome | null {
  const time = timeOf(event);
  if (time === null) return null;
  const { actual, consensus, previous, revised, potency, isBetterThanExpected } = event;
  return {
    time,
    actual,
    consensus,
    previous,
    revised,
    corrected: null,
    potency,
    isBetter: isBetterThanExpected,
  };
}

/** Figures per tick; a first start finds hundreds. */
const MAX_A_TICK = 100;

/** Stores figures as they were first published, and later corrections. */
export class OutcomeRecorder {
  /** Events as they were last written. */
  readonly #written = new WeakSet<CalendarEvent>();
  readonly #failure: FirstFailure;
  #revision = -1;

  constructor(
    private readonly app: App,
    private readonly store: OutcomeStore,
  ) {
    this.#failure = new FirstFailure(
      app.log.child('calendar'),
      'Could not save figures of the calendar; trying again',
    );
  }

  check(): void {
    const { calendar } = this.app;
    const revision = calendar.memory.revision();
    if (revision === this.#revision) return;
    const news = [...calendar.events().values()].filter(
      (event): event is Published => isPublished(event) && !this.#written.has(event),
    );
    const some = news.slice(0, MAX_A_TICK);
    try {
      if (some.length > 0) this.store.inTransaction(() => some.forEach((event) => this.#write(event)));
      for (const event of some) this.#written.add(event);
      this.#failure.ended();
      if (some.length === news.length) this.#revision = revision;
    } catch (error) {
      this.#failure.failed(error);
    }
  }

  #write(event: Published): void {
    const { store } = this;
    const outcome = outcomeOf(event);
    if (outcome === null) return;
    const seriesId = store.ensureSeries(event);
    const known = store.at(seriesId, outcome.time);
    if (known === null) return store.add(seriesId, outcome);
    const corrected = outcome.actual === known.actual ? known.corrected : outcome.actual;
    const revised = outcome.revised ?? known.revised;
    if (corrected === known.corrected && revised === known.revised) return;
    store.change(seriesId, known.time, { revised, corrected });
  }
}
