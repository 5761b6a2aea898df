import { describe, afterEach, expect, test } from 'bun:test';
import { type CalendarFixture, createCalendarFixture } from '#support/calendarFixture.ts';
import type { FxItem, WeekItem } from '#support/fakeFxStreet.ts';
import { readFigure, readFigures } from '#sources/calendar/forexFactory.ts';

describe('polls', () => {
  const SECOND = 1000;
  const MINUTE = 60 * SECOND;
  const HOUR = 60 * MINUTE;
  /** A Tuesday. */
  const NOW = Date.UTC(2026, 7, 25, 0, 10, 0);

  const iso = (time: number): string => new Date(time).toISOString();
  const item = (id: string, time: number, more: Record<string, unknown> = {}): FxItem => ({
    id,
    dateUtc: iso(time),
    name: `Event ${id}`,
    consensus: 1.5,
    previous: 1.2,
    ...more,
  });
  const inWeek = (title: string, date: string, more: Partial<WeekItem> = {}): WeekItem => ({
    title,
    country: 'AUD',
    date,
    impact: 'High',
    forecast: '0.2%',
    previous: '1.0%',
    ...more,
  });
  /** In the week of NOW, with the offset of New York. */
  const WEEK = [
    inWeek('Past one', '2026-08-24T08:30:00-04:00'),
    inWeek('Coming one', '2026-08-25T21:30:00-04:00'),
    inWeek('Late one', '2026-08-29T08:30:00-04:00'),
  ];

  let fixture: CalendarFixture;
  afterEach(() => fixture.stop());

  const names = (): string[] =>
    [...fixture.sink.events.values()]
      .sort((a, b) => (a.dateUtc < b.dateUtc ? -1 : 1))
      .map(({ name }) => name);

  describe('the whole window', () => {
    test('is requested with repeated parameters, a referer, and whole seconds', async () => {
      fixture = createCalendarFixture({ now: NOW + 387, items: [item('a', NOW)] });
      await fixture.start();
      const [request] = fixture.fake.requests;
      expect(request?.path).toMatch(
        /^\/en\/api\/v2\/eventDates\/2026-08-21T23:00:00Z\/2026-08-27T04:00:00Z$/,
      );
      expect(request?.query.getAll('volatilities')).toEqual(['NONE', 'LOW', 'MEDIUM', 'HIGH']);
      expect(request?.query.getAll('countries')).toContain('EMU');
      expect(request?.query.getAll('countries').some((value) => value.includes(','))).toBe(false);
      expect(request?.headers.get('referer')).toBe('https://www.fxstreet.com/');
      expect(request?.headers.get('origin')).toBe('https://www.fxstreet.com');
      expect(fixture.source.health()).toEqual({ healthy: true, problem: null, lastSuccess: NOW + 387 });
      expect(fixture.source.label()).toBe('FXStreet');
    });

    test('is requested hourly, and missing events are removed', async () => {
      fixture = createCalendarFixture({
        now: NOW,
        items: [item('a', NOW + 5 * HOUR), item('b', NOW + 6 * HOUR)],
      });
      await fixture.start();
      expect(names()).toEqual(['Event a', 'Event b']);
      fixture.fake.remove('a');
      fixture.fake.put(item('b', NOW + 7 * HOUR));
      await fixture.pass(HOUR);
      expect(fixture.fake.requests).toHaveLength(2);
      expect([...fixture.sink.events.values()].map(({ dateUtc }) => dateUtc)).toEqual([iso(NOW + 7 * HOUR)]);
      await fixture.pass(3 * HOUR);
      expect(fixture.fake.requests).toHaveLength(5);
    });
  });

  describe('a figure that is due', () => {
    test('is requested from its time on, every 10 s, until it is there', async () => {
      const time = NOW + 37 * MINUTE + 13 * SECOND;
      fixture = createCalendarFixture({ now: NOW, items: [item('a', time, { volatility: 'HIGH' })] });
      fixture.fake.putAt(time + 34 * SECOND, item('a', time, { actual: 1.7, isBetterThanExpected: true }));
      await fixture.start();
      await fixture.pass(45 * MINUTE);
      const asked = fixture.fake.requests.slice(1).map(({ at }) => at - time);
      expect(asked).toHaveLength(5);
      expect(asked[0]).toBeGreaterThanOrEqual(0);
      expect(asked[0]).toBeLessThan(2 * SECOND);
      expect(asked.slice(1).map((at, index) => at - (asked[index] ?? 0))).toEqual(
        Array.from({ length: 4 }, () => 10 * SECOND),
      );
      expect(fixture.sink.events.get('a')?.actual).toBe(1.7);
      expect(fixture.sink.events.get('a')?.isBetterThanExpected).toBe(true);
    });

    test.each([
      ['of low impact', { volatility: 'LOW' }],
      ['of a speech', { volatility: 'HIGH', isSpeech: true }],
      ['of a report', { volatility: 'HIGH', isReport: true }],
      ['of a holiday', { volatility: 'MEDIUM', isAllDay: true }],
      ['that is already there', { volatility: 'HIGH', actual: 0 }],
    ])('is not requested for %s', async (_, more) => {
      fixture = createCalendarFixture({ now: NOW, items: [item('a', NOW + 10 * MINUTE, more)] });
      await fixture.start();
      await fixture.pass(40 * MINUTE);
      expect(fixture.fake.requests).toHaveLength(1);
    });

    test('is not removed by an older copy of the event', async () => {
      fixture = createCalendarFixture({
        now: NOW,
        items: [item('a', NOW - HOUR, { actual: 2, lastUpdated: 200 })],
      });
      await fixture.start();
      fixture.fake.put(item('a', NOW - HOUR, { actual: null, lastUpdated: 100 }));
      await fixture.pass(HOUR);
      expect(fixture.sink.events.get('a')?.actual).toBe(2);
      fixture.fake.put(item('a', NOW - HOUR, { actual: 3, lastUpdated: 300 }));
      await fixture.pass(HOUR);
      expect(fixture.sink.events.get('a')?.actual).toBe(3);
    });
  });

  describe('the weekly file', () => {
    test('is used immediately if nothing is known, and named as the source', async () => {
      fixture = createCalendarFixture({ now: NOW, items: [item('a', NOW)], week: WEEK });
      fixture.fake.setFault({ kind: 'status', status: 401 });
      await fixture.start();
      expect(names()).toEqual(['Past one', 'Coming one']);
      expect(fixture.source.label()).toBe('ForexFactory');
      expect(fixture.source.health()).toEqual({
        healthy: false,
        problem:
          'FXStreet refuses the request (HTTP 401). The weekly calendar of ForexFactory is used instead. It has no actual figures. Next try in 20 seconds.',
        lastSuccess: NOW,
      });
    });

    test('is dropped when FXStreet returns: the two are never mixed', async () => {
      const items = [item('a', NOW - 12 * HOUR), item('b', NOW + 25 * HOUR)];
      fixture = createCalendarFixture({ now: NOW, items, week: WEEK });
      fixture.fake.setFault({ kind: 'garbage', body: '{"a":' });
      await fixture.start();
      expect(names()).toEqual(['Past one', 'Coming one']);
      fixture.fake.setFault({ kind: 'none' });
      await fixture.pass(MINUTE);
      expect(names()).toEqual(['Event a', 'Event b']);
      expect(fixture.source.label()).toBe('FXStreet');
      expect(fixture.source.health().healthy).toBe(true);
    });

    test('waits while FXStreet’s events are fresh, then keeps the past with its figures', async () => {
      const items = [item('a', NOW - 12 * HOUR, { actual: 5 }), item('b', NOW + 25 * HOUR)];
      fixture = createCalendarFixture({ now: NOW, items, week: WEEK });
      await fixture.start();
      fixture.fake.setFault({ kind: 'otherShape' });
      await fixture.pass(HOUR + 20 * MINUTE);
      expect(names()).toEqual(['Event a', 'Event b']);
      expect(fixture.source.health().problem).toContain('Events up to then are shown');
      expect(fixture.fake.weekRequests).toHaveLength(0);
      await fixture.pass(30 * MINUTE);
      expect(names()).toEqual(['Event a', 'Coming one']);
      expect(fixture.sink.events.get('a')?.actual).toBe(5);
      expect(fixture.source.label()).toBe('ForexFactory');
    });
  });

  describe('failures', () => {
    const items: FxItem[] = Array.from({ length: 40 }, (_, at) => ({
      id: `e${at}`,
      dateUtc: iso(NOW + (at - 19.5) * HOUR),
      name: `Event ${at}`,
    }));

    test.each([
      ['HTML', { kind: 'html' }, 'sent data that is not a list of events'],
      ['an envelope', { kind: 'otherShape' }, 'sent data that is not a list of events'],
      ['other members', { kind: 'otherNames' }, 'sent 40 of 40 events in an unknown format'],
      ['no events', { kind: 'empty' }, 'sent a calendar without events'],
      ['401', { kind: 'status', status: 401 }, 'refuses the request (HTTP 401)'],
      ['404', { kind: 'status', status: 404 }, 'answered HTTP 404'],
      ['429', { kind: 'status', status: 429 }, 'asks to slow down (HTTP 429)'],
    ] as const)('%s is reported, and the old events stay', async (_, fault, reason) => {
      fixture = createCalendarFixture({ now: NOW, items });
      await fixture.start();
      fixture.fake.setFault(fault);
      await fixture.pass(HOUR + SECOND);
      const { healthy, problem, lastSuccess } = fixture.source.health();
      expect([healthy, lastSuccess]).toEqual([false, NOW]);
      expect(problem).toStartWith(`FXStreet ${reason}`);
      expect(problem).toContain('The last good answer is 60 minutes old. Events up to then are shown.');
      expect(fixture.sink.events.size).toBe(40);
      fixture.fake.setFault({ kind: 'none' });
      await fixture.pass(MINUTE);
      expect(fixture.source.health()).toMatchObject({ healthy: true, problem: null });
    });

    test('an answer with less than half of the known events removes nothing until it persists', async () => {
      fixture = createCalendarFixture({ now: NOW, items });
      await fixture.start();
      fixture.fake.setFault({ kind: 'sparse', every: 4 });
      await fixture.pass(HOUR + SECOND);
      expect(fixture.sink.events.size).toBe(40);
      expect(fixture.source.health().problem).toBe(
        'FXStreet sent only 10 of 40 known events. The others are still shown.',
      );
      await fixture.pass(4 * HOUR);
      expect(fixture.sink.events.size).toBe(10);
      expect(fixture.source.health().healthy).toBe(true);
    });
  });
});

describe('a figure of the weekly file', () => {
  test.each([
    ['66K', 66, null, 'K'],
    ['0.2%', 0.2, '%', 'ZERO'],
    ['-0.37%', -0.37, '%', 'ZERO'],
    ['-144.7B', -144.7, null, 'B'],
    ['2.95T', 2.95, null, 'T'],
    ['4.16M', 4.16, null, 'M'],
    ['99.5', 99.5, null, 'ZERO'],
    ['0', 0, null, 'ZERO'],
    ['-30', -30, null, 'ZERO'],
    ['$1.2B', 1.2, '$', 'B'],
    ['-€3M', -3, '€', 'M'],
    [' 5K ', 5, null, 'K'],
    ['4.17|2.6', 4.17, '%', 'ZERO'],
    ['3.49|2.4', 3.49, '%', 'ZERO'],
  ] as const)('%s', (text, value, unit, potency) => {
    expect(readFigure(text)).toEqual({ value, unit, potency });
  });

  test.each(['', ' ', '2-0-7', '<1.00%', 'n/a', '1.2.3', '5X', '1|2|3', '%', '-', '9'.repeat(40)])(
    'that is invalid: %p',
    (text) => {
      expect(readFigure(text)).toBeNull();
    },
  );

  test('shares unit and potency between forecast and previous', () => {
    expect(readFigures('66K', '50K')).toEqual({ consensus: 66, previous: 50, unit: null, potency: 'K' });
    expect(readFigures('1.1M', '950K')).toEqual({ consensus: 1100, previous: 950, unit: null, potency: 'K' });
    expect(readFigures('', '4.17|2.6')).toEqual({
      consensus: null,
      previous: 4.17,
      unit: '%',
      potency: 'ZERO',
    });
    expect(readFigures('2.5%', '3')).toEqual({ consensus: 2.5, previous: null, unit: '%', potency: 'ZERO' });
    expect(readFigures('', '')).toEqual({ consensus: null, previous: null, unit: null, potency: 'ZERO' });
  });
});
