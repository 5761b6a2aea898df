import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type CalendarDay,
  compareEvents,
  datesIn,
  dayOf,
  eventsOn,
  isInWindow,
  isPast,
  isUnderWay,
  UNDER_WAY_MS,
  WINDOW_MS,
} from '#market/calendar/rules/days.ts';
import { aCalendarEvent } from '#support/aCalendarEvent.ts';

const AUCKLAND = 'Pacific/Auckland';
const HONOLULU = 'Pacific/Honolulu';
const SYDNEY = 'Australia/Sydney';
const HOUR = 3_600_000;

const at = (dateUtc: string) => aCalendarEvent({ dateUtc });
const allDay = (date: string) => aCalendarEvent({ dateUtc: `${date}T00:00:00Z`, isAllDay: true });

describe('the day of an event', () => {
  const now = Date.parse('2026-01-20T09:00:00Z');

  // 22:00 on the 20th in Auckland, 23:00 on the 19th in Honolulu.
  test.each<[string, CalendarDay | null, CalendarDay | null]>([
    ['2026-01-18T09:59:59Z', null, null],
    ['2026-01-18T10:00:00Z', null, 'yesterday'],
    ['2026-01-18T11:00:00Z', 'yesterday', 'yesterday'],
    ['2026-01-19T10:59:59Z', 'yesterday', 'today'],
    ['2026-01-19T11:00:00Z', 'today', 'today'],
    ['2026-01-20T10:00:00Z', 'today', 'tomorrow'],
    ['2026-01-20T11:00:00Z', 'tomorrow', 'tomorrow'],
    ['2026-01-21T10:30:00Z', 'tomorrow', null],
    ['2026-01-21T11:00:00Z', null, null],
  ])('%s is %p in Auckland and %p in Honolulu', (dateUtc, auckland, honolulu) => {
    expect(dayOf(at(dateUtc), AUCKLAND, now)).toBe(auckland);
    expect(dayOf(at(dateUtc), HONOLULU, now)).toBe(honolulu);
  });

  test('an all-day event belongs to its UTC date in every zone', () => {
    for (const zone of [AUCKLAND, 'Pacific/Kiritimati', SYDNEY, 'UTC']) {
      expect(dayOf(allDay('2026-01-20'), zone, now)).toBe('today');
      expect(dayOf(allDay('2026-01-19'), zone, now)).toBe('yesterday');
    }
    expect(dayOf(allDay('2026-01-20'), HONOLULU, now)).toBe('tomorrow');
    expect(dayOf(allDay('2026-01-19'), HONOLULU, now)).toBe('today');
  });
});

test('a day of 23 hours: Sydney moves forward on Sunday 4 October 2026', () => {
  const now = Date.parse('2026-10-03T15:30:00Z'); // 01:30 on the 4th
  expect(dayOf(at('2026-10-03T13:59:59Z'), SYDNEY, now)).toBe('yesterday');
  expect(dayOf(at('2026-10-03T14:00:00Z'), SYDNEY, now)).toBe('today');
  expect(dayOf(at('2026-10-04T12:59:59Z'), SYDNEY, now)).toBe('today');
  expect(dayOf(at('2026-10-04T13:00:00Z'), SYDNEY, now)).toBe('tomorrow');
});

describe('stored events', () => {
  const zones = [AUCKLAND, HONOLULU, SYDNEY, 'Pacific/Kiritimati', 'Etc/GMT+12', 'America/New_York'];

  test('include every event on a date in any of these zones, also around daylight saving changes', () => {
    const moments = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) });
    fc.assert(
      fc.property(moments, fc.integer({ min: -72, max: 72 }), fc.boolean(), (now, hours, isAllDay) => {
        const time = now + hours * HOUR;
        const date = new Date(time).toISOString();
        const event = isAllDay ? allDay(date.slice(0, 10)) : at(date);
        const shown = zones.some((zone) => dayOf(event, zone, now) !== null);
        if (shown) expect(isInWindow(event, now)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  test('include nothing outside the range or without a time', () => {
    const now = Date.parse('2026-01-20T09:00:00Z');
    expect(isInWindow(at(new Date(now + WINDOW_MS).toISOString()), now)).toBe(true);
    expect(isInWindow(at(new Date(now + WINDOW_MS + 1).toISOString()), now)).toBe(false);
    expect(isInWindow(at(new Date(now - WINDOW_MS - 1).toISOString()), now)).toBe(false);
    expect(isInWindow(allDay('2026-01-18'), now)).toBe(true);
    expect(isInWindow(allDay('2026-01-17'), now)).toBe(false);
    expect(isInWindow(at('nonsense'), now)).toBe(false);
  });
});

describe('the list of a day', () => {
  const now = Date.parse('2026-01-20T02:00:00Z');
  const events = [
    { ...at('2026-01-20T03:00:00Z'), id: 'late' },
    { ...at('2026-01-20T01:30:00Z'), id: 'b', name: 'B', volatility: 'LOW' as const },
    { ...at('2026-01-20T01:30:00Z'), id: 'a', name: 'Z', volatility: 'HIGH' as const },
    { ...allDay('2026-01-20'), id: 'holiday' },
    { ...at('2026-01-21T03:00:00Z'), id: 'other day' },
  ];

  test('has the same order however the events arrived', () => {
    const expected = ['holiday', 'a', 'b', 'late'];
    expect(eventsOn('today', events, SYDNEY, now).map(({ id }) => id)).toEqual(expected);
    expect(eventsOn('today', events.toReversed(), SYDNEY, now).map(({ id }) => id)).toEqual(expected);
    expect(compareEvents(at('2026-01-20T03:00:00Z'), at('2026-01-20T03:00:00Z'))).toBe(0);
  });

  test('marks past events: a holiday only after its date has ended', () => {
    const today = datesIn(SYDNEY)(now);
    expect(isPast(at('2026-01-20T02:00:00Z'), today, now)).toBe(true);
    expect(isPast(at('2026-01-20T02:00:01Z'), today, now)).toBe(false);
    expect(isPast(allDay('2026-01-20'), today, now)).toBe(false);
    expect(isPast(allDay('2026-01-19'), today, now)).toBe(true);
  });

  test('a HIGH impact event is in progress until its figure arrives, for an hour at most', () => {
    const event = {
      dateUtc: '2026-01-20T02:00:00Z',
      isAllDay: false,
      volatility: 'HIGH',
      actual: null,
    } as const;
    const time = Date.parse(event.dateUtc);
    expect(isUnderWay(event, time - 1)).toBe(false);
    expect(isUnderWay(event, time)).toBe(true);
    expect(isUnderWay(event, time + UNDER_WAY_MS - 1)).toBe(true);
    expect(isUnderWay(event, time + UNDER_WAY_MS)).toBe(false);
    expect(isUnderWay({ ...event, actual: 0 }, time)).toBe(false);
    expect(isUnderWay({ ...event, volatility: 'MEDIUM' }, time)).toBe(false);
    expect(isUnderWay({ ...event, isAllDay: true }, time)).toBe(false);
  });
});
