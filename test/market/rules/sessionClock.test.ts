import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  defaultScannerRoute,
  lastSessionMessage,
  marketLabel,
  phaseAt,
  sessionAt,
  statusFor,
} from '#market/rules/sessionClock.ts';
import { firstOpened, openingAt, openingText } from '#market/rules/opening.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { aStock } from '#support/aStock.ts';

const at = (date: string, time: string): number => {
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  return fromSydney(date, hour, minute, second);
};

const FRIDAY = '2026-11-20';
const WINTER = '2026-07-15';

describe('phases of a day', () => {
  test.each([
    ['00:30:00', 'closed'],
    ['06:59:59', 'closed'],
    ['07:00:00', 'pre-open'],
    ['09:58:59', 'pre-open'],
    ['09:59:00', 'ospa'],
    ['09:59:44', 'ospa'],
    ['09:59:45', 'open'],
    ['15:59:59', 'open'],
    ['16:00:00', 'pre-cspa'],
    ['16:10:00', 'cspa'],
    ['16:11:00', 'post-close'],
    ['16:21:29', 'post-close'],
    ['16:21:30', 'adjust'],
    ['18:59:59', 'adjust'],
    ['19:00:00', 'closed'],
  ] as const)('at %s it is %s, in both halves of the year', (time, phase) => {
    expect(phaseAt(at(FRIDAY, time)).phase).toBe(phase);
    expect(phaseAt(at(WINTER, time)).phase).toBe(phase);
  });

  test('the night, a weekend and a long weekend are one closed span each', () => {
    const night = {
      phase: 'closed' as const,
      since: at('2026-11-18', '19:00:00'),
      until: at('2026-11-19', '07:00:00'),
    };
    expect(phaseAt(at('2026-11-18', '23:00:00'))).toEqual(night);
    expect(phaseAt(at('2026-11-19', '03:00:00'))).toEqual(night);
    const easter = {
      phase: 'closed' as const,
      since: at('2026-04-02', '19:00:00'),
      until: at('2026-04-07', '07:00:00'),
    };
    expect(phaseAt(at('2026-04-05', '02:30:00'))).toEqual(easter);
    expect(phaseAt(at('2026-04-06', '12:00:00'))).toEqual(easter);
  });

  test('every instant is in exactly one span, and each span ends where the next begins', () => {
    const seconds = fc.integer({
      min: Date.parse('2024-01-01Z') / 1000,
      max: Date.parse('2030-01-01Z') / 1000,
    });
    fc.assert(
      fc.property(seconds, (second) => {
        const span = phaseAt(second * 1000);
        expect(span.since).toBeLessThanOrEqual(second * 1000);
        expect(span.until).toBeGreaterThan(second * 1000);
        expect(phaseAt(span.until).since).toBe(span.until);
        expect(phaseAt(span.until - 1).since).toBe(span.since);
      }),
      { numRuns: 60 },
    );
  });

  test('each phase has its status word', () => {
    expect(
      (['pre-open', 'ospa', 'open', 'pre-cspa', 'cspa', 'post-close', 'adjust', 'closed'] as const).map(
        statusFor,
      ),
    ).toEqual(['Pre Open', 'Pre Open', 'Open', 'CSPA', 'CSPA', 'Post Close', 'Adjust', 'Post Trading']);
  });
});

describe('market status label', () => {
  test.each([
    ['00:30:00', 'Off-Hours'],
    ['08:44:59', 'Off-Hours'],
    ['08:45:00', 'Pre-Open'],
    ['09:59:59', 'Pre-Open'],
    ['10:00:00', 'Intraday'],
    ['16:15:00', 'Intraday'],
    ['16:15:59', 'Intraday'],
    ['16:16:00', 'Off-Hours'],
  ] as const)('at %s it reads %s', (time, label) => {
    expect(marketLabel(at(FRIDAY, time))).toBe(label);
    expect(marketLabel(at(WINTER, time))).toBe(label);
  });

  test('is Off-Hours at 11:00 on Saturdays, Sundays and holidays, and from 14:26 on an early close', () => {
    for (const date of ['2026-11-21', '2026-11-22', '2026-12-25', '2026-04-03', '2027-12-28'])
      expect(marketLabel(at(date, '11:00:00'))).toBe('Off-Hours');
    expect(marketLabel(at('2026-12-31', '14:25:00'))).toBe('Intraday');
    expect(marketLabel(at('2026-12-31', '14:26:00'))).toBe('Off-Hours');
  });
});

test('the default scanner changes at 10:00 in Sydney, and 00:30 is before it', () => {
  expect(defaultScannerRoute(at(FRIDAY, '09:59:59'))).toBe('/pre-market');
  expect(defaultScannerRoute(at(FRIDAY, '10:00:00'))).toBe('/intra-day-small');
  expect(defaultScannerRoute(at(FRIDAY, '00:30:00'))).toBe('/pre-market');
  expect(defaultScannerRoute(at(WINTER, '00:30:00'))).toBe('/pre-market');
  expect(defaultScannerRoute(at(FRIDAY, '23:59:59'))).toBe('/intra-day-small');
});

test.each([
  ['a trading day just before 07:00', at('2026-11-20', '06:59:59'), '2026-11-19'],
  ['a trading day at 07:00', at('2026-11-20', '07'), '2026-11-20'],
  ['the evening', at('2026-11-20', '23:59'), '2026-11-20'],
  ['a Saturday', at('2026-11-21', '11'), '2026-11-20'],
  ['a Sunday', at('2026-11-22', '23:30'), '2026-11-20'],
  ['the early Monday', at('2026-11-23', '00:30'), '2026-11-20'],
  ['Monday at 07:00', at('2026-11-23', '07'), '2026-11-23'],
  ['Easter Monday, after Good Friday', at('2026-04-06', '12'), '2026-04-02'],
  ['Boxing Day after Christmas', at('2026-12-28', '12'), '2026-12-24'],
  ['the Sunday on which daylight saving begins', at('2026-10-04', '12'), '2026-10-02'],
  ['the Monday after daylight saving began', at('2026-10-05', '06:59'), '2026-10-02'],
  ['the Monday after daylight saving ended', at('2027-04-05', '07'), '2027-04-05'],
])('the displayed session on %s', (_, now, date) => {
  expect(sessionAt(now).date).toBe(date);
});

test.each([
  ['the session’s own date', '2026-11-20', at('2026-11-20', '21'), null],
  ['a Saturday', '2026-11-20', at('2026-11-21', '11'), 'Last session: Friday 20 November'],
  ['after midnight', '2026-11-19', at('2026-11-20', '03'), 'Last session: Thursday 19 November'],
  ['a market whose date is ahead', '2026-11-23', at('2026-11-22', '03'), null],
])('the session notice on %s', (_, date, now, text) => {
  expect(lastSessionMessage(date, now)).toBe(text);
});

test.each([
  ['12 minutes before the pre-open', at(FRIDAY, '06:48'), 'The pre-open begins in 12 min'],
  ['as the pre-open begins', at(FRIDAY, '07:00'), 'Opens in 3 h 00 min'],
  ['an hour before the open', at(FRIDAY, '08:59:45'), 'Opens in 1 h 00 min'],
  ['within the hour', at(FRIDAY, '08:59:46'), 'Opens in 59:59'],
  ['while the auction runs', at(FRIDAY, '09:59:42'), 'Opens in 0:03'],
  ['on a Friday evening', at(FRIDAY, '20:00'), 'The pre-open begins on Monday 23 November at 07:00'],
  ['before Easter', at('2026-04-02', '20:00'), 'The pre-open begins on Tuesday 7 April at 07:00'],
])('the opening countdown %s', (_, now, text) => {
  const opening = openingAt(now, () => null);
  expect(openingText(opening, now)).toBe(text);
});

test('the market opened when its first stock left the auction', () => {
  const figures = {
    indicativeChangePercent: 1,
    match_price: 1,
    match_vol: 1,
    match_value: 1,
    buy_surplus: 0,
  };
  const opened = (time: string) =>
    aStock({ preOpen: { snapshot: { ...figures, capturedAt: new Date(at(FRIDAY, time)).toISOString() } } });
  expect(firstOpened([opened('10:00:04'), opened('09:59:51'), aStock()], FRIDAY)).toBe(
    at(FRIDAY, '09:59:51'),
  );
});
