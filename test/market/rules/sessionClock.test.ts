import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { defaultScannerRoute, phaseAt, phasesOf, statusFor } from '../../../src/market/rules/sessionClock.ts';
import { marketLabel } from '../../../src/market/rules/marketStatus.ts';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';

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

  test('a phase tells since when and until when', () => {
    const now = at(FRIDAY, '11:00:00');
    expect(phaseAt(now)).toEqual({
      phase: 'open',
      since: at(FRIDAY, '09:59:45'),
      until: at(FRIDAY, '16:00:00'),
    });
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

  test('an early close ends trading at 14:10 and keeps the distances after it', () => {
    expect(phasesOf('2026-12-24').map((span) => [span.phase, span.since])).toEqual([
      ['pre-open', at('2026-12-24', '07:00:00')],
      ['ospa', at('2026-12-24', '09:59:00')],
      ['open', at('2026-12-24', '09:59:45')],
      ['pre-cspa', at('2026-12-24', '14:10:00')],
      ['cspa', at('2026-12-24', '14:20:00')],
      ['post-close', at('2026-12-24', '14:21:00')],
      ['adjust', at('2026-12-24', '14:31:30')],
    ]);
    expect(phaseAt(at('2026-12-24', '15:00:00'))).toMatchObject({
      phase: 'adjust',
      until: at('2026-12-24', '19:00:00'),
    });
  });

  test('a day without trading has no phases', () => {
    expect(phasesOf('2026-12-25')).toEqual([]);
    expect(phasesOf('2026-11-21')).toEqual([]);
  });

  test('every instant lies in exactly one span, and the span ends where the next begins', () => {
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

  test('Saturdays, Sundays and holidays are Off-Hours at 11:00', () => {
    for (const date of ['2026-11-21', '2026-11-22', '2026-12-25', '2026-04-03', '2027-12-28'])
      expect(marketLabel(at(date, '11:00:00'))).toBe('Off-Hours');
  });

  test('the Mondays after both daylight-saving changes open at 10:00 by the wall clock', () => {
    expect(marketLabel(Date.parse('2026-10-04T22:59:59Z'))).toBe('Pre-Open');
    expect(marketLabel(Date.parse('2026-10-04T23:00:00Z'))).toBe('Intraday');
    expect(marketLabel(Date.parse('2027-04-04T23:59:59Z'))).toBe('Pre-Open');
    expect(marketLabel(Date.parse('2027-04-05T00:00:00Z'))).toBe('Intraday');
  });

  test('on an early close Intraday ends at 14:25', () => {
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
