import { FirstFailure } from '#lib/log.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { timeOf } from '#market/calendar/rules/days.ts';
import type { Outcome } from '#subjects/calendar/rules/outcomes.ts';
import { isPublished } from '#subjects/calendar/rules/events.ts';
import type { App } from '#platform/app.ts';
import type { OutcomeStore } from './outcomeStore.ts';

type Published = CalendarEvent & { actual: number };

/** What is remembered of a published figure; null where its moment can't be read. */
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

/** In one tick, so that none becomes long; a first start finds hundreds. */
const MAX_A_TICK = 100;

/** Remembers figures as they are published: each as it was first, and what was said of it later. */
export class OutcomeRecorder {
  /** Events as they stood when they were written. */
  readonly #written = new WeakSet<CalendarEvent>();
  readonly #failure: FirstFailure;
  #revision = -1;

  constructor(
    private readonly app: App,
    private readonly store: OutcomeStore,
  ) {
    this.#failure = new FirstFailure(
      app.log.child('calendar'),
      'Figures of the calendar could not be remembered; trying again',
    );
  }

  /** To be called at every tick. */
  look(): void {
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
