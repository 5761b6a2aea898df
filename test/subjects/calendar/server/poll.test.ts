import { afterEach, describe, expect, test } from 'bun:test';
import { emptyEvent } from '../../../../src/subjects/calendar/rules/calendarEvent.ts';
import { type CalendarStage, createCalendarStage } from '../../../support/calendarStage.ts';
import type { FxItem, WeekItem } from '../../../support/fakeFxStreet.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** A Tuesday. */
const NOW = Date.UTC(2026, 7, 25, 0, 10, 0);

const iso = (time: number): string => new Date(time).toISOString();
const item = (id: string, time: number, more: Record<string, unknown> = {}): FxItem => ({
  ...{ id, dateUtc: iso(time), name: `Event ${id}`, consensus: 1.5, previous: 1.2 },
  ...more,
});
const inWeek = (title: string, date: string, more: Partial<WeekItem> = {}): WeekItem => ({
  ...{ title, country: 'AUD', date, impact: 'High', forecast: '0.2%', previous: '1.0%' },
  ...more,
});
/** Of the week of NOW, with the offset of New York. */
const WEEK = [
  inWeek('Past one', '2026-08-24T08:30:00-04:00'),
  inWeek('Coming one', '2026-08-25T21:30:00-04:00'),
  inWeek('Late one', '2026-08-29T08:30:00-04:00'),
];

let stage: CalendarStage;
afterEach(() => stage.stop());

const names = (): string[] =>
  [...stage.sink.events.values()].sort((a, b) => (a.dateUtc < b.dateUtc ? -1 : 1)).map(({ name }) => name);

describe('the whole window', () => {
  test('is asked for with each parameter repeated, a referer, and whole seconds', async () => {
    stage = createCalendarStage({ now: NOW + 387, items: [item('a', NOW)] });
    await stage.start();
    const [request] = stage.fake.requests;
    expect(request?.path).toMatch(/^\/en\/api\/v2\/eventDates\/2026-08-21T23:00:00Z\/2026-08-27T04:00:00Z$/);
    expect(request?.query.getAll('volatilities')).toEqual(['NONE', 'LOW', 'MEDIUM', 'HIGH']);
    expect(request?.query.getAll('countries')).toContain('EMU');
    expect(request?.query.getAll('countries').some((value) => value.includes(','))).toBe(false);
    expect(request?.headers.get('referer')).toBe('https://www.fxstreet.com/');
    expect(request?.headers.get('origin')).toBe('https://www.fxstreet.com');
    expect(stage.source.health()).toEqual({ healthy: true, problem: null, lastSuccess: NOW + 387 });
    expect(stage.source.label()).toBe('FXStreet');
  });

  test('holds a holiday of yesterday wherever yesterday is', async () => {
    // In Honolulu it is 23:00 of the 24th.
    const now = Date.UTC(2026, 7, 25, 9, 0, 0);
    const holiday = item('holiday', Date.UTC(2026, 7, 23), { isAllDay: true });
    stage = createCalendarStage({ now, items: [holiday] });
    await stage.start();
    expect(names()).toEqual(['Event holiday']);
  });

  test('is asked for each hour, and what does not come any more is gone', async () => {
    stage = createCalendarStage({ now: NOW, items: [item('a', NOW + 5 * HOUR), item('b', NOW + 6 * HOUR)] });
    await stage.start();
    expect(names()).toEqual(['Event a', 'Event b']);
    stage.fake.remove('a');
    stage.fake.put(item('b', NOW + 7 * HOUR));
    await stage.pass(HOUR);
    expect(stage.fake.requests).toHaveLength(2);
    expect([...stage.sink.events.values()].map(({ dateUtc }) => dateUtc)).toEqual([iso(NOW + 7 * HOUR)]);
    await stage.pass(3 * HOUR);
    expect(stage.fake.requests).toHaveLength(5);
  });
});

describe('a figure that is due', () => {
  test('is asked for from its time on, every 10 s, until it is there', async () => {
    const time = NOW + 37 * MINUTE + 13 * SECOND;
    stage = createCalendarStage({ now: NOW, items: [item('a', time, { volatility: 'HIGH' })] });
    stage.fake.putAt(time + 34 * SECOND, item('a', time, { actual: 1.7, isBetterThanExpected: true }));
    await stage.start();
    await stage.pass(45 * MINUTE);
    const asked = stage.fake.requests.slice(1).map(({ at }) => at - time);
    expect(asked).toHaveLength(5);
    expect(asked[0]).toBeGreaterThanOrEqual(0);
    expect(asked[0]).toBeLessThan(2 * SECOND);
    expect(asked.slice(1).map((at, index) => at - (asked[index] ?? 0))).toEqual(
      Array.from({ length: 4 }, () => 10 * SECOND),
    );
    expect(stage.sink.events.get('a')?.actual).toBe(1.7);
    expect(stage.sink.events.get('a')?.isBetterThanExpected).toBe(true);
  });

  test('is asked for during five minutes at most', async () => {
    const time = NOW + 10 * MINUTE;
    stage = createCalendarStage({ now: NOW, items: [item('a', time, { volatility: 'MEDIUM' })] });
    await stage.start();
    await stage.pass(40 * MINUTE);
    const asked = stage.fake.requests.slice(1).map(({ at }) => at - time);
    expect(asked.length).toBeGreaterThanOrEqual(29);
    expect(asked.length).toBeLessThanOrEqual(31);
    expect(Math.max(...asked)).toBeLessThan(5 * MINUTE);
  });

  test.each([
    ['of low impact', { volatility: 'LOW' }],
    ['of a speech', { volatility: 'HIGH', isSpeech: true }],
    ['of a report', { volatility: 'HIGH', isReport: true }],
    ['of a holiday', { volatility: 'MEDIUM', isAllDay: true }],
    ['that is there already', { volatility: 'HIGH', actual: 0 }],
  ])('is not asked for %s', async (_, more) => {
    stage = createCalendarStage({ now: NOW, items: [item('a', NOW + 10 * MINUTE, more)] });
    await stage.start();
    await stage.pass(40 * MINUTE);
    expect(stage.fake.requests).toHaveLength(1);
  });

  test('an older copy of an event does not take its figure away', async () => {
    stage = createCalendarStage({
      now: NOW,
      items: [item('a', NOW - HOUR, { actual: 2, lastUpdated: 200 })],
    });
    await stage.start();
    stage.fake.put(item('a', NOW - HOUR, { actual: null, lastUpdated: 100 }));
    await stage.pass(HOUR);
    expect(stage.sink.events.get('a')?.actual).toBe(2);
    stage.fake.put(item('a', NOW - HOUR, { actual: 3, lastUpdated: 300 }));
    await stage.pass(HOUR);
    expect(stage.sink.events.get('a')?.actual).toBe(3);
  });
});

describe('the weekly file', () => {
  test('stands in at once where nothing is known, and says so', async () => {
    stage = createCalendarStage({ now: NOW, items: [item('a', NOW)], week: WEEK });
    stage.fake.setFault({ kind: 'status', status: 401 });
    await stage.start();
    expect(names()).toEqual(['Past one', 'Coming one']);
    expect(stage.source.label()).toBe('ForexFactory');
    expect(stage.source.health()).toEqual({
      healthy: false,
      problem:
        'FXStreet refuses the request (HTTP 401). The weekly calendar of ForexFactory stands in: it has no actual figures. Next try in 20 seconds.',
      lastSuccess: NOW,
    });
  });

  test('is fetched once an hour at most, with the same ids', async () => {
    stage = createCalendarStage({ now: NOW, week: WEEK });
    stage.fake.setFault({ kind: 'html' });
    await stage.start();
    const before = [...stage.sink.events.keys()];
    stage.fake.setWeek(WEEK.map((one) => ({ ...one, forecast: '0.9%' })));
    await stage.pass(2 * HOUR + 30 * MINUTE);
    expect(stage.fake.weekRequests.length).toBe(3);
    const gaps = stage.fake.weekRequests.map(({ at }, n) => at - (stage.fake.weekRequests[n - 1]?.at ?? 0));
    expect(Math.min(...gaps.slice(1))).toBeGreaterThanOrEqual(HOUR);
    expect([...stage.sink.events.keys()]).toEqual(before);
    expect([...stage.sink.events.values()].map(({ consensus }) => consensus)).toEqual([0.9, 0.9]);
  });

  test('goes when FXStreet comes back: the two never show side by side', async () => {
    const items = [item('a', NOW - 12 * HOUR), item('b', NOW + 25 * HOUR)];
    stage = createCalendarStage({ now: NOW, items, week: WEEK });
    stage.fake.setFault({ kind: 'garbage', body: '{"a":' });
    await stage.start();
    expect(names()).toEqual(['Past one', 'Coming one']);
    stage.fake.setFault({ kind: 'none' });
    await stage.pass(MINUTE);
    expect(names()).toEqual(['Event a', 'Event b']);
    expect(stage.source.label()).toBe('FXStreet');
    expect(stage.source.health().healthy).toBe(true);
  });

  test('waits while FXStreet’s own events are fresh, then leaves it the past with its figures', async () => {
    const items = [item('a', NOW - 12 * HOUR, { actual: 5 }), item('b', NOW + 25 * HOUR)];
    stage = createCalendarStage({ now: NOW, items, week: WEEK });
    await stage.start();
    stage.fake.setFault({ kind: 'otherShape' });
    await stage.pass(HOUR + 20 * MINUTE);
    expect(names()).toEqual(['Event a', 'Event b']);
    expect(stage.source.health().problem).toContain('events stay as they were');
    expect(stage.fake.weekRequests).toHaveLength(0);
    await stage.pass(30 * MINUTE);
    expect(names()).toEqual(['Event a', 'Coming one']);
    expect(stage.sink.events.get('a')?.actual).toBe(5);
    expect(stage.source.label()).toBe('ForexFactory');
  });

  test('after a restart goes on from where it stood in', async () => {
    const before = [
      { ...emptyEvent('own'), dateUtc: iso(NOW - 20 * HOUR), name: 'Own', actual: 1 },
      { ...emptyEvent('ff-1'), dateUtc: '2026-08-24T12:30:00.000Z', name: 'Past one' },
    ];
    stage = createCalendarStage({ now: NOW, week: WEEK, before });
    stage.fake.setFault({ kind: 'status', status: 500 });
    await stage.start();
    expect(names()).toEqual(['Own', 'Past one', 'Coming one']);
  });

  test('that fails too leaves what is known as it is, and says so', async () => {
    stage = createCalendarStage({ now: NOW, week: WEEK });
    stage.fake.setFault({ kind: 'status', status: 404 });
    stage.fake.setWeekFault({ kind: 'status', status: 429, headers: { 'retry-after': '7200' } });
    await stage.start();
    expect(stage.source.label()).toBe('FXStreet');
    expect(stage.source.health().problem).toBe(
      'FXStreet answered HTTP 404. ForexFactory, which could stand in, asks to slow down (HTTP 429). Events that were kept earlier stay. Next try in 20 seconds.',
    );
    await stage.pass(HOUR + 50 * MINUTE);
    expect(stage.fake.weekRequests).toHaveLength(1);
  });
});
