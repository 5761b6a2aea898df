import { describe, expect, test } from 'bun:test';
import { arrivalWords, arrivedFigures, quietMs } from '#subjects/calendar/web/CalendarPage.tsx';
import { FLAG_COUNTRIES, flagShapes } from '#subjects/calendar/web/flagShapes.ts';
import { searchZones } from '#subjects/calendar/web/timeZones.ts';
import { countdownStaysMs, countdownText } from '#subjects/calendar/web/shared/SoonNote.tsx';
import { anEvent, NOW } from '#support/calendarScreen.tsx';

const MINUTE_MS = 60_000;

describe('time zones', () => {
  const search = (query: string) => searchZones(query, 'Pacific/Honolulu', NOW);

  test('begin with the local one, Sydney and UTC', () => {
    expect(search('').slice(0, 3)).toEqual(['Pacific/Honolulu', 'Australia/Sydney', 'UTC']);
    expect(search('').length).toBeLessThanOrEqual(60);
  });

  test('are found by parts of their names', () => {
    expect(search('new york')).toEqual(['America/New_York']);
    expect(search('york AMERICA')).toEqual(['America/New_York']);
    expect(search('Lond')).toEqual(['Europe/London']);
    for (const zone of Intl.supportedValuesOf('timeZone')) expect(search(zone)).toContain(zone);
  });

  test('are found by their current offset', () => {
    expect(search('+11')).toContain('Australia/Sydney');
    expect(search('utc-10')).toContain('Pacific/Honolulu');
    expect(search('+5:45')).toEqual(['Asia/Kathmandu']);
    expect(search('GMT + 5:45')).toHaveLength(1);
    expect(searchZones('+10', 'UTC', Date.parse('2026-07-01'))).toContain('Australia/Sydney');
  });
});

describe('a countdown', () => {
  test.each([
    [2 * 60 * MINUTE_MS + 4.5 * MINUTE_MS, '2 h 05 min'],
    [5 * MINUTE_MS + 1, '6 min'],
    [5 * MINUTE_MS, '5 min 00 s'],
    [4 * MINUTE_MS + 6001, '4 min 07 s'],
    [1, '1 s'],
  ])('of %d ms is %s', (ms, text) => {
    expect(countdownText(ms)).toBe(text);
  });

  test('stays exactly as long as announced', () => {
    for (let ms = 1; ms < 8 * MINUTE_MS; ms += 777) {
      const stays = countdownStaysMs(ms);
      expect(stays).toBeGreaterThan(0);
      expect(countdownText(ms - stays + 0.5)).toBe(countdownText(ms));
      if (ms > stays) expect(countdownText(ms - stays - 0.5)).not.toBe(countdownText(ms));
    }
  });
});

const events = new Map([
  ['a', anEvent('a', 0.5)],
  ['b', anEvent('b', -3)],
  ['c', anEvent('c', 200)],
]);

test('nothing changes until the next event, or at most until the next minute', () => {
  expect(quietMs(events, NOW, 1)).toBe(30_020);
  expect(quietMs(events, NOW + 30_000, 1)).toBe(30_020);
  expect(quietMs(events, NOW + 30_000, 60)).toBe(520);
  expect(quietMs(events, NOW + 59_999, 3600)).toBe(250);
  expect(quietMs(new Map(), NOW, 0)).toBeGreaterThan(0);
});

test('new figures are those that were not there before', () => {
  const old = anEvent('old', 0, { actual: 1 });
  const before = new Map([
    ['old', old],
    ['a', anEvent('a', 0)],
  ]);
  const after = new Map([
    ['old', { ...old, actual: 2 }],
    ['a', anEvent('a', 0, { actual: 5, consensus: 5 })],
    ['new', anEvent('new', 0, { actual: 1 })],
  ]);
  expect(arrivedFigures(before, after).map(({ id }) => id)).toEqual(['a']);
  const many = ['a', 'b', 'c', 'd', 'e'].map((id) => anEvent(id, 0, { actual: 1 }));
  expect(arrivalWords(many)).toBe('AU a: 1. AU b: 1. AU c: 1. And 2 more.');
  expect(arrivalWords(arrivedFigures(before, after))).toBe('AU a: 5, as expected.');
});

test('every flag fits into 18 by 12, within rounding', () => {
  for (const country of FLAG_COUNTRIES) {
    const shapes = flagShapes(country) ?? [];
    expect(shapes.length).toBeGreaterThan(0);
    for (const shape of shapes) {
      const numbers =
        shape.kind === 'area' ? shape.points.split(' ').map(Number) : Object.values(shape).map(Number);
      expect(numbers.filter((value) => value < -1 || value > 19)).toEqual([]);
    }
  }
  expect([flagShapes('XX'), flagShapes('constructor')]).toEqual([null, null]);
});
