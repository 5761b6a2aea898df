import { expect, test } from 'bun:test';
import {
  formatAlike,
  formatCallPrice,
  formatHeld,
  formatMoment,
  formatResult,
  formatShare,
  formatStatus,
  formatStop,
  formatType,
  heldDays,
  stopWords,
} from '../../../../src/subjects/calls/rules/callFormat.ts';
import { formatPocketed } from '../../../../src/subjects/calls/rules/pocketed.ts';
import { DASH, formatClock } from '../../../../src/texts/format.ts';

test('prices have at most four decimals, without trailing zeros', () => {
  expect([1.5, 0.0455, 45, 0.12345, 1234.5, null].map(formatCallPrice)).toEqual([
    '1.5',
    '0.0455',
    '45',
    '0.1235',
    '1,234.5',
    DASH,
  ]);
});

test('pocketed money shows sign and dollars, no cents from 100 up', () => {
  expect([12.5, -12.5, 99.99, 100, -1234.6, 0, null].map(formatPocketed)).toEqual([
    '+$12.50',
    '−$12.50',
    '+$99.99',
    '+$100',
    '−$1,235',
    '$0.00',
    DASH,
  ]);
});

test('the stop column', () => {
  expect(formatStop('NONE', null)).toBe(DASH);
  expect(formatStop('HARD', 0.95)).toBe('0.95');
  expect(formatStop('TRAILING_ABS', 0.1)).toBe('0.1');
  expect(formatStop('TRAILING_PCT', 5)).toBe('5.00%');
  expect(formatStop('TRAILING_PCT', 10)).toBe('10.0%');
});

test('results, shares and statuses', () => {
  expect([4.25, -3.14, 0.01, null].map(formatResult)).toEqual(['+4.3%', '−3.1%', '0.0%', DASH]);
  expect(formatShare(66.666)).toBe('66.7%');
  expect(formatStatus('pending')).toBe('Pending');
});

const NOON = Date.parse('2026-11-20T01:00:00Z');

test('moments and clock times are of Sydney, from epoch ms or ISO 8601', () => {
  for (const time of [NOON, String(NOON), '2026-11-20T01:00:00Z']) {
    expect(formatMoment(time)).toBe('20 Nov 12:00');
    expect(formatClock(time)).toBe('12:00:00');
  }
});

test.each([null, undefined, Number.NaN, 1e20, '', 'soon', '2026-13-45'])('%p is no time: a dash', (time) => {
  expect(formatMoment(time)).toBe(DASH);
  expect(formatClock(time)).toBe(DASH);
});

test('what is not known of a call is a dash', () => {
  expect([formatStatus(null), formatType(null), formatStop(null, 5)]).toEqual([DASH, DASH, DASH]);
});

test('prices that stand together have the same decimals', () => {
  expect(formatAlike(40, 37.25)).toEqual(['40.00', '37.25']);
  expect(formatAlike(0.012, 1, null)).toEqual(['0.012', '1.000', '–']);
  expect(formatAlike(1200, 1300)).toEqual(['1,200', '1,300']);
});

test('how long something was held: in minutes, hours, days', () => {
  const minute = 1 / 1440;
  expect([0, 12 * minute, 60 * minute, 200 * minute, 2.4, null].map(formatHeld)).toEqual([
    '0 min',
    '12 min',
    '1 h',
    '3 h 20 min',
    '2.4 days',
    '–',
  ]);
});

test('a call is held up to its stop, whenever its owner closes it', () => {
  const [filledAt, closedAt] = ['2026-11-18T00:00:00Z', '2026-11-20T00:00:00Z'];
  expect(heldDays({ filledAt, closedAt, stopReached: null })).toBe(2);
  expect(heldDays({ filledAt, closedAt, stopReached: { at: '2026-11-19T00:00:00Z' } })).toBe(1);
  expect(heldDays({ filledAt, closedAt: null, stopReached: null })).toBeNull();
});

test('the stop in words', () => {
  expect(stopWords('TRAILING_PCT', 2)).toBe('stop trailing 2 % below the high');
  expect(stopWords('TRAILING_ABS', 0.1)).toBe('stop trailing 0.1 below the high');
  expect([stopWords('HARD', 38), stopWords('NONE', null)]).toEqual(['stop 38', 'no stop']);
});
