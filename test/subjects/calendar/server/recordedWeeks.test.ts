import { afterEach, describe, expect, test } from 'bun:test';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { type CalendarStage, createCalendarStage } from '#support/calendarStage.ts';
import type { FxItem } from '#support/fakeFxStreet.ts';
import { readRecordedSchedule } from '#support/recordedCalendar.ts';
import { recordings } from '#support/recordedScan.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** A figure is out so long after the time of its event. */
const OUT_AFTER = 23 * SECOND;

let stage: CalendarStage;
afterEach(() => stage.stop());

const timeOf = ({ dateUtc }: { dateUtc: string }): number => Date.parse(dateUtc);
const awaited = ({ volatility }: FxItem): boolean => volatility === 'HIGH' || volatility === 'MEDIUM';

/** The recorded events of these days, each with a figure that comes out a little after its time. */
function scheduleOf(folder: string, from: number, until: number): FxItem[] {
  const within = (item: FxItem): boolean => timeOf(item) >= from && timeOf(item) < until;
  return readRecordedSchedule(folder).filter(within);
}

const list = recordings();
if (list.length === 1)
  test.skip('whole weeks of FXStreet: skipped, as ../shared/data is absent', () => undefined);

describe.each(list)('recorded weeks of $name', ({ folder, isWhole }) => {
  test.each([
    ['Europe and America are still in daylight saving, Australia begins', '2026-10-01'],
    ['Europe ends daylight saving', '2026-10-24'],
    ['America ends daylight saving', '2026-10-31'],
  ])('go by while %s: each event once, each figure of weight within seconds', async (_, date) => {
    const from = Date.parse(`${date}T00:00:00Z`);
    const items = scheduleOf(folder, from - 2 * DAY, from + WEEK + 2 * DAY);
    const isInWeek = (item: { dateUtc: string }): boolean =>
      timeOf(item) >= from && timeOf(item) < from + WEEK;
    const week = items.filter(isInWeek);
    expect(week.filter(awaited).length).toBeGreaterThan(isWhole ? 20 : 0);
    stage = createCalendarStage({ now: from, items });
    const figures = new Map<string, number>();
    for (const item of week) {
      stage.fake.putAt(timeOf(item) + OUT_AFTER, { ...item, actual: 1.5, lastUpdated: 1 });
    }
    await stage.start();
    const { apply, replace } = stage.sink;
    const note = (events: readonly CalendarEvent[]): void => {
      for (const { id, actual } of events) {
        if (actual !== null && !figures.has(id)) figures.set(id, stage.hand.now());
      }
    };
    stage.sink.apply = (events) => (note(events), apply(events));
    stage.sink.replace = (span, events) => (note(events), replace(span, events));
    await stage.pass(WEEK);
    const arrived = [...stage.sink.events.values()].filter(isInWeek).map(({ id }) => id);
    expect(arrived.sort()).toEqual(week.map(({ id }) => id).sort());
    for (const item of week) {
      const event = stage.sink.events.get(item.id);
      const impact = item['volatility'] === 'NONE' ? 'LOW' : item['volatility'];
      expect(event).toMatchObject({ name: item.name.trim(), actual: 1.5, volatility: impact });
      expect(timeOf(event ?? { dateUtc: '' })).toBe(timeOf(item));
    }
    const late = week.filter(awaited).map((item) => (figures.get(item.id) ?? Number.NaN) - timeOf(item));
    expect(Math.max(0, ...late)).toBeLessThanOrEqual(OUT_AFTER + 12 * SECOND);
    expect([...stage.sink.arrivals.values()].every((times) => times === 1)).toBe(true);
    // The excerpt has days without any event, which are asked for again as a fault of the provider.
    if (!isWhole) return;
    // Hourly, and a few looks at each moment that has figures of weight.
    const moments = new Set(week.filter(awaited).map(timeOf)).size;
    expect(stage.fake.requests.length).toBeLessThanOrEqual(7 * 24 * 1.2 + moments * 6);
  });
});
