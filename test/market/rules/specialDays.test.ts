import { afterEach, describe, expect, test } from 'bun:test';
import { marketLabel } from '../../../src/market/rules/marketStatus.ts';
import { sessionAt } from '../../../src/market/rules/session.ts';
import { createPhaseReader, phaseAt, phasesOf } from '../../../src/market/rules/sessionClock.ts';
import {
  holdSpecialDays,
  type SpecialDay,
  specialDays,
  specialDaysRevision,
} from '../../../src/market/rules/specialDays.ts';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';
import {
  closesEarly,
  closingMinute,
  isTradingDay,
  minutesEarly,
  nextTradingDay,
  previousTradingDay,
} from '../../../src/market/rules/tradingDay.ts';

const HOLDER = {};
const OTHER = {};
afterEach(() => {
  holdSpecialDays(HOLDER, []);
  holdSpecialDays(OTHER, []);
});

const closed = (date: string): SpecialDay => ({ date, kind: 'closed', closesAt: null, reason: 'Storm' });
const early = (date: string, closesAt: string): SpecialDay => ({
  date,
  kind: 'early',
  closesAt,
  reason: 'Fault',
});
const normal = (date: string): SpecialDay => ({ date, kind: 'normal', closesAt: null, reason: 'Trial' });
const at = (date: string, hour: number, minute = 0): number => fromSydney(date, hour, minute);

/** A Tuesday. */
const TUESDAY = '2026-12-01';

test('22 September 2022, National Day of Mourning, was no trading day', () => {
  expect(isTradingDay('2022-09-22')).toBe(false);
  expect(marketLabel(at('2022-09-22', 11))).toBe('Off-Hours');
  expect([previousTradingDay('2022-09-23'), nextTradingDay('2022-09-21')]).toEqual([
    '2022-09-21',
    '2022-09-23',
  ]);
});

describe('a day that is closed', () => {
  test('has no session, no phases and no label', () => {
    expect(marketLabel(at(TUESDAY, 11))).toBe('Intraday');
    holdSpecialDays(HOLDER, [closed(TUESDAY)]);
    expect(isTradingDay(TUESDAY)).toBe(false);
    expect(phasesOf(TUESDAY)).toEqual([]);
    expect([8, 9, 11, 15].map((hour) => marketLabel(at(TUESDAY, hour, 50)))).toEqual(
      Array.from({ length: 4 }, () => 'Off-Hours'),
    );
    expect(phaseAt(at(TUESDAY, 11))).toEqual({
      phase: 'closed',
      since: at('2026-11-30', 19),
      until: at('2026-12-02', 7),
    });
    expect(sessionAt(at(TUESDAY, 11)).date).toBe('2026-11-30');
    expect([previousTradingDay('2026-12-02'), nextTradingDay('2026-11-30')]).toEqual([
      '2026-11-30',
      '2026-12-02',
    ]);
  });

  test('makes no other day a short one', () => {
    holdSpecialDays(HOLDER, [closed('2026-12-24')]);
    expect(['2026-12-23', '2026-12-24', '2026-12-31'].map(closesEarly)).toEqual([false, false, true]);
  });

  test('may be several in a row', () => {
    holdSpecialDays(HOLDER, ['2026-11-30', TUESDAY, '2026-12-02'].map(closed));
    expect([previousTradingDay('2026-12-03'), nextTradingDay('2026-11-27')]).toEqual([
      '2026-11-27',
      '2026-12-03',
    ]);
  });
});

describe('a day that ends early', () => {
  test('brings everything from the end of trading on as much sooner', () => {
    holdSpecialDays(HOLDER, [early(TUESDAY, '12:30')]);
    expect(minutesEarly(TUESDAY)).toBe(210);
    const time = (ms: number) => (ms - at(TUESDAY, 0)) / 60_000;
    expect(phasesOf(TUESDAY).map(({ phase, since }) => [phase, time(since)])).toEqual([
      ['pre-open', 420],
      ['ospa', 599],
      ['open', 599.75],
      ['pre-cspa', 750],
      ['cspa', 760],
      ['post-close', 761],
      ['adjust', 771.5],
    ]);
    expect([marketLabel(at(TUESDAY, 12, 45)), marketLabel(at(TUESDAY, 12, 46))]).toEqual([
      'Intraday',
      'Off-Hours',
    ]);
  });

  test('may be a holiday or a short day of the calendar', () => {
    holdSpecialDays(HOLDER, [early('2026-12-28', '13:00'), early('2026-12-24', '15:00')]);
    expect([closingMinute('2026-12-28'), closingMinute('2026-12-24')]).toEqual([780, 900]);
    expect(closingMinute('2026-12-24', null)).toBe(850);
  });
});

test('a holiday or a short day of the calendar may be a usual day', () => {
  holdSpecialDays(HOLDER, [normal('2026-12-28'), normal('2026-12-24')]);
  expect([closingMinute('2026-12-28'), closingMinute('2026-12-24'), closesEarly('2026-12-24')]).toEqual([
    960,
    960,
    false,
  ]);
});

test('a weekend stays one', () => {
  holdSpecialDays(HOLDER, [normal('2026-12-05')]);
  expect(isTradingDay('2026-12-05')).toBe(false);
});

describe('who holds days', () => {
  test('gives the whole list, takes it back, and leaves those of others', () => {
    holdSpecialDays(HOLDER, [closed(TUESDAY)]);
    holdSpecialDays(OTHER, [closed('2026-12-03')]);
    expect(specialDays().map(({ date }) => date)).toEqual([TUESDAY, '2026-12-03']);
    holdSpecialDays(HOLDER, [closed('2026-12-02')]);
    expect(specialDays().map(({ date }) => date)).toEqual(['2026-12-02', '2026-12-03']);
    holdSpecialDays(HOLDER, []);
    expect(specialDays().map(({ date }) => date)).toEqual(['2026-12-03']);
  });

  test('changes the revision only by a change', () => {
    holdSpecialDays(HOLDER, [closed(TUESDAY)]);
    const before = specialDaysRevision();
    holdSpecialDays(HOLDER, [closed(TUESDAY)]);
    holdSpecialDays(OTHER, []);
    expect(specialDaysRevision()).toBe(before);
    holdSpecialDays(HOLDER, [early(TUESDAY, '14:10')]);
    expect(specialDaysRevision()).toBeGreaterThan(before);
  });

  test('a phase that is kept is read again after a change', () => {
    const read = createPhaseReader();
    const now = at(TUESDAY, 14, 30);
    const before = read(now);
    expect(read(now + 1000)).toBe(before);
    holdSpecialDays(HOLDER, [early(TUESDAY, '14:10')]);
    expect([before.phase, read(now).phase]).toEqual(['open', 'post-close']);
  });
});
