import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import { type CalendarSink, type CalendarSource, isWithin, type Span } from '../source.ts';
import { changedBetween, eventAt, mondayOf, nextChange, planWeek, type Planned } from './week.ts';
import { createZoneOffset } from '#lib/zoneOffset.ts';

/** Converts local times to instants; caches the offset functions, which are slow to make. */
export type LocalTimes = {
  /**
   * A time skipped by daylight saving gives one near it.
   * @param date YYYY-MM-DD
   * @param time 'HH:MM'
   * @returns epoch ms
   */
  instant(zone: string, date: string, time: string): number;
};

export function createLocalTimes(): LocalTimes {
  const offsets = new Map<string, (instant: number) => number>();

  function offsetOf(zone: string): (instant: number) => number {
    const known = offsets.get(zone);
    if (known) return known;
    const made = createZoneOffset(zone);
    offsets.set(zone, made);
    return made;
  }

  return {
    instant(zone, date, time) {
      const offset = offsetOf(zone);
      const local = Date.parse(`${date}T${time}:00Z`);
      return local - offset(local - offset(local));
    },
  };
}

export type SimulatedCalendarOptions = {
  seed: number;
  clock: Clock;
  wall: Clock;
  log: Log;
  schedule?: Scheduler;
};

const STEP_MS = 1000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** All that any time zone shows, plus the hour until the next statement. */
const BACK_MS = 3 * DAY_MS;
const AHEAD_MS = 2 * DAY_MS + 3 * HOUR_MS;

function createPlans(seed: number): (span: Span) => Planned[] {
  const times = createLocalTimes();
  let weeks = new Map<string, Planned[]>();
  return ({ from, until }) => {
    const used = new Map<string, Planned[]>();
    for (let time = from; time < until + 7 * DAY_MS; time += 7 * DAY_MS) {
      const monday = mondayOf(Math.min(time, until));
      used.set(monday, weeks.get(monday) ?? planWeek(monday, seed, times));
    }
    weeks = used;
    return [...used.values()].flat();
  };
}

/** Earlier events of a series, derived from the seed. */
function createPast(seed: number): NonNullable<CalendarSource['past']> {
  const times = createLocalTimes();
  return (series, before, count) =>
    Array.from({ length: count + 1 }, (_, week) => mondayOf(before - week * 7 * DAY_MS))
      .flatMap((monday) => planWeek(monday, seed, times, series))
      .map((planned) => eventAt(planned, before))
      .filter((event) => event.series === series && Date.parse(event.dateUtc) < before);
}

/** Sends the whole calendar at first, each hour and after the clock went back; otherwise changes. */
function createStatements(seed: number) {
  const plansOf = createPlans(seed);
  let last: number | null = null;
  let planned: Planned[] = [];
  let nextAt = 0;

  function stateAll(sink: CalendarSink, now: number): void {
    const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
    const span = { from: hour - BACK_MS, until: hour + AHEAD_MS };
    planned = plansOf(span);
    const events = planned.map((item) => eventAt(item, now));
    sink.replace(
      span,
      events.filter((event) => isWithin(event, span)),
    );
  }

  return (sink: CalendarSink, now: number): boolean => {
    const before = last;
    last = null;
    const isSameHour = before !== null && Math.floor(now / HOUR_MS) === Math.floor(before / HOUR_MS);
    const isAll = before === null || !isSameHour || now < before;
    const changed = isAll || now < nextAt ? [] : planned.filter((item) => changedBetween(item, before, now));
    if (isAll) stateAll(sink, now);
    else if (changed.length > 0) sink.apply(changed.map((item) => eventAt(item, now)));
    if (isAll || changed.length > 0) nextAt = nextChange(planned, now);
    last = now;
    return isAll || changed.length > 0;
  };
}

/**
 * An invented economic calendar whose figures arrive some seconds after their time. It is labelled
 * 'Simulated' and says nothing about a real economy.
 */
export function createSimulatedCalendar(options: SimulatedCalendarOptions): CalendarSource {
  const { seed, clock, wall, log, schedule = timerScheduler } = options;
  let cancel: (() => void) | null = null;
  let lastSuccess: number | null = null;
  let problem: string | null = null;

  function step(state: ReturnType<typeof createStatements>, sink: CalendarSink): void {
    try {
      if (state(sink, clock.now())) lastSuccess = wall.now();
      problem = null;
    } catch (error) {
      if (!problem) log.error('A step of the simulated calendar failed', { error });
      problem =
        'The simulated calendar stopped by a fault of its own. Restart the server; its log tells more.';
    }
  }

  return {
    name: 'simulator',
    label: () => 'Simulated',
    clock,
    async start(sink) {
      if (cancel) return;
      const state = createStatements(seed);
      const again = (): void => {
        step(state, sink);
        cancel = schedule(STEP_MS, again);
      };
      again();
    },
    async stop() {
      cancel?.();
      cancel = null;
    },
    health: () => ({ healthy: problem === null, problem, lastSuccess }),
    past: createPast(seed),
  };
}
