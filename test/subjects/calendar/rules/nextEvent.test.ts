import { describe, expect, test } from 'bun:test';
import {
  formatCountdown,
  highImpactSoon,
  nextEvent,
} from '../../../../src/subjects/calendar/rules/nextEvent.ts';
import { aCalendarEvent } from '../../../support/aCalendarEvent.ts';

const now = Date.parse('2026-01-20T00:30:00Z');
const at = (id: string, dateUtc: string, members = {}) => aCalendarEvent({ id, dateUtc, ...members });

describe('the next event', () => {
  test('is the first to come, of the highest impact where several come together', () => {
    const events = [
      at('past', '2026-01-20T00:30:00Z'),
      at('low', '2026-01-20T01:30:00Z', { volatility: 'LOW' }),
      at('high', '2026-01-20T01:30:00Z'),
      at('later', '2026-01-20T01:31:00Z'),
      at('all day', '2026-01-21T00:00:00Z', { isAllDay: true }),
      at('no time', ''),
    ];
    expect(nextEvent(events, now)?.id).toBe('high');
    expect(nextEvent(events.toReversed(), now)?.id).toBe('high');
  });

  test('is none when all are past or last all day', () => {
    expect(nextEvent([at('past', '2026-01-19T00:00:00Z')], now)).toBeNull();
    expect(nextEvent([at('holiday', '2026-01-21T00:00:00Z', { isAllDay: true })], now)).toBeNull();
    expect(nextEvent([], now)).toBeNull();
  });
});

test('events of HIGH impact for AUD within the hour are named', () => {
  const events = [
    at('in an hour', '2026-01-20T01:30:00Z'),
    at('soon', '2026-01-20T00:45:00Z'),
    at('now', '2026-01-20T00:30:00Z'),
    at('too late', '2026-01-20T01:30:01Z'),
    at('medium', '2026-01-20T00:45:00Z', { volatility: 'MEDIUM' }),
    at('dollar', '2026-01-20T00:45:00Z', { currencyCode: 'USD' }),
  ];
  expect(highImpactSoon(events, now).map(({ id }) => id)).toEqual(['soon', 'in an hour']);
});

test.each([
  [7_500_000, '2 h 05 min'],
  [3_600_000, '1 h 00 min'],
  [3_599_000, '1 h 00 min'],
  [720_000, '12 min'],
  [60_001, '2 min'],
  [60_000, '60 s'],
  [44_200, '45 s'],
  [0, '0 s'],
  [-5, '0 s'],
])('%p ms count down as %p', (ms, text) => {
  expect(formatCountdown(ms)).toBe(text);
});
