import { describe, expect, test } from 'bun:test';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { createLog } from '#lib/log.ts';
import {
  createLocalTimes,
  createSimulatedCalendar,
  eventAt,
  mondayOf,
  planWeek,
} from '#sources/calendar/simulator.ts';
import type { CalendarSink } from '#market/sources/calendar.ts';
import { createHandScheduler } from '#support/handScheduler.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MONDAY = '2026-11-16';
const week = (monday = MONDAY, seed = 1) => planWeek(monday, seed, createLocalTimes());
const afterwards = (planned: ReturnType<typeof week>): CalendarEvent[] =>
  planned.map((item) => eventAt(item, Number.MAX_SAFE_INTEGER));

describe('a simulated week', () => {
  const events = afterwards(week());

  test('is the same for the same seed, and another for another', () => {
    expect(week()).toEqual(week());
    expect(afterwards(week(MONDAY, 2))).not.toEqual(events);
    expect(afterwards(week('2026-11-23')).map(({ actual }) => actual)).not.toEqual(
      events.map(({ actual }) => actual),
    );
  });

  test.each(['2026-03-30', '2026-04-06', '2026-09-28', '2026-10-05'])(
    'is at local time in the week of %s, around a change of daylight saving',
    (monday) => {
      const retail = afterwards(week(monday)).find(
        ({ countryCode, name }) => countryCode === 'AU' && name.startsWith('Retail'),
      );
      expect(Date.parse(retail?.dateUtc ?? '')).toBe(fromSydney(monday, 10, 30));
    },
  );
});

/** A sink that stores everything and counts calls. */
function createTestSink() {
  const events = new Map<string, CalendarEvent>();
  const counts = { replaced: 0, applied: 0, faults: 0 };
  let isBroken = false;
  const put = (given: readonly CalendarEvent[]) => {
    if (isBroken) {
      counts.faults += 1;
      throw new Error('The sink is broken.');
    }
    for (const event of given) events.set(event.id, event);
  };
  const sink: CalendarSink = {
    replace({ from, until }, given) {
      for (const { id, dateUtc } of events.values()) {
        const time = Date.parse(dateUtc);
        if (time >= from && time < until) events.delete(id);
      }
      put(given);
      counts.replaced += 1;
    },
    apply(given) {
      put(given);
      counts.applied += given.length;
    },
    known: () => [],
  };
  return { sink, events, counts, breakIt: (value: boolean) => (isBroken = value) };
}

function begin(start: number, speed = 1) {
  const scheduler = createHandScheduler(start);
  let shift = 0;
  const clock = { now: () => start + (scheduler.now() - start) * speed + shift };
  const source = createSimulatedCalendar({
    seed: 1,
    clock,
    wall: scheduler,
    schedule: scheduler.schedule,
    log: createLog(() => undefined),
  });
  return { scheduler, clock, source, stepClock: (ms: number) => (shift += ms) };
}

/** The expected events at a time, within the span that is always delivered. */
function expectedAt(now: number): Map<string, CalendarEvent> {
  const mondays = new Set([now - 3 * DAY, now, now + 3 * DAY].map(mondayOf));
  const all = [...mondays].flatMap((monday) => week(monday)).map((item) => eventAt(item, now));
  const isNear = ({ dateUtc }: CalendarEvent) => Math.abs(Date.parse(dateUtc) - now) < 49 * HOUR;
  return new Map(all.filter(isNear).map((event) => [event.id, event]));
}

const near = (events: ReadonlyMap<string, CalendarEvent>, now: number) =>
  new Map([...events].filter(([, { dateUtc }]) => Math.abs(Date.parse(dateUtc) - now) < 49 * HOUR));

describe('the simulated calendar as a source', () => {
  test.each([1, 60])('at speed %d delivers everything at its time, through a day', async (speed) => {
    const { scheduler, clock, source } = begin(fromSydney('2026-11-18', 9, 50), speed);
    const { sink, events, counts } = createTestSink();
    await source.start(sink);
    expect(near(events, clock.now())).toEqual(expectedAt(clock.now()));
    for (let step = 0; step < 24; step += 1) {
      scheduler.advance(HOUR / speed);
      expect(near(events, clock.now())).toEqual(expectedAt(clock.now()));
    }
    expect(counts.applied).toBeGreaterThan(10);
    expect(counts.replaced).toBeLessThan(30);
    await source.stop();
    const before = { ...counts };
    scheduler.advance(DAY);
    expect(counts).toEqual(before);
  });

  test('removes figures when its clock steps back, and skips a night with it', async () => {
    const { scheduler, clock, source, stepClock } = begin(fromSydney('2026-11-18', 11, 0));
    const { sink, events } = createTestSink();
    await source.start(sink);
    for (const step of [-2 * HOUR, 22 * HOUR, 62 * HOUR, -40 * HOUR]) {
      stepClock(step);
      scheduler.advance(1000);
      expect(near(events, clock.now())).toEqual(expectedAt(clock.now()));
    }
    await source.stop();
  });
});
