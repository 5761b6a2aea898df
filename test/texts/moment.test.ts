import { expect, test } from 'bun:test';
import { formatAge, formatMoment } from '../../src/texts/moment.ts';

test('a moment has its date and time in the zone that is asked for', () => {
  const time = Date.UTC(2026, 10, 21, 23, 42, 7);
  expect(formatMoment(time, 'Australia/Sydney')).toBe('22 Nov 2026, 10:42:07');
  expect(formatMoment(new Date(time).toISOString(), 'UTC')).toBe('21 Nov 2026, 23:42:07');
  expect(formatMoment(Date.UTC(2026, 10, 21, 13, 30), 'Australia/Sydney')).toBe('22 Nov 2026, 00:30:00');
  expect([formatMoment(null), formatMoment('soon')]).toEqual(['–', '–']);
});

test.each([
  [-5000, 'just now'],
  [59_999, 'just now'],
  [60_000, '1 min ago'],
  [3_599_999, '59 min ago'],
  [3_600_000, '1 h ago'],
  [47 * 3_600_000, '47 h ago'],
  [48 * 3_600_000, '2 days ago'],
  [400 * 86_400_000, '400 days ago'],
  [Number.NaN, 'just now'],
])('%d ms is %j', (age, text) => expect(formatAge(age)).toBe(text));
