import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { addDays, fromSydney, sydneyOffset, sydneyParts, weekdayOf } from '#lib/sydneyTime.ts';

const HOUR = 3_600_000;

test('the offset matches the time zone database, around every change and at any moment', () => {
  const known = new Intl.DateTimeFormat('en-AU', {
    timeZone: 'Australia/Sydney',
    timeZoneName: 'longOffset',
  });
  const knownOffset = (now: number): number => {
    const text = known.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return Number(text.slice('GMT+'.length, 'GMT+10'.length)) * HOUR;
  };

  const months = Array.from({ length: 60 * 3 }, (_, index) => {
    const year = 2000 + Math.floor(index / 3);
    return Date.UTC(year, [2, 3, 9][index % 3] ?? 0, 1);
  });
  // Midnight and the hours after it on Sundays in Sydney.
  const hours = months.flatMap((first) =>
    Array.from({ length: 31 * 24 }, (_, hour) => first + hour * HOUR).filter((now) => {
      const utc = new Date(now);
      return utc.getUTCDay() === 6 && utc.getUTCHours() >= 13 && utc.getUTCHours() <= 18;
    }),
  );
  expect(hours.filter((now) => sydneyOffset(now) !== knownOffset(now))).toEqual([]);
  const instants = fc.integer({ min: Date.parse('1972-01-01Z'), max: Date.parse('2100-01-01Z') });
  fc.assert(fc.property(instants, (now) => sydneyOffset(now) === knownOffset(now)));
});

describe('from local time to an instant', () => {
  test('a repeated local time gives the first instant', () => {
    expect(fromSydney('2026-04-05', 2, 30)).toBe(Date.parse('2026-04-04T15:30:00Z'));
    expect(fromSydney('2026-04-05', 3, 0)).toBe(Date.parse('2026-04-04T17:00:00Z'));
  });

  test('hour 24 is the next midnight, and an invalid date is rejected', () => {
    expect(fromSydney('2026-11-20', 24, 0)).toBe(fromSydney('2026-11-21', 0, 0));
    expect(() => fromSydney('21/11/2026', 9, 0)).toThrow('is not a date');
  });

  test('an instant survives conversion to local time and back, except in the repeated hour', () => {
    const instants = fc.integer({
      min: Date.parse('2000-01-01Z') / 1000,
      max: Date.parse('2040-01-01Z') / 1000,
    });
    fc.assert(
      fc.property(instants, (seconds) => {
        const now = seconds * 1000;
        const { date, hour, minute, second } = sydneyParts(now);
        const back = fromSydney(date, hour, minute, second);
        const repeated = sydneyOffset(back) !== sydneyOffset(now);
        expect(back).toBe(repeated ? now - HOUR : now);
      }),
    );
  });
});

test('calendar arithmetic ignores daylight saving and handles leap years', () => {
  expect(addDays('2026-10-03', 2)).toBe('2026-10-05');
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  expect(weekdayOf('2026-11-21')).toBe(6);
});
