import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  easterSunday,
  type Holiday,
  holidayName,
  holidaysByRule,
} from '../../../src/market/rules/holidays.ts';
import {
  closesEarly,
  isTradingDay,
  nextTradingDay,
  previousTradingDay,
} from '../../../src/market/rules/tradingDay.ts';
import { weekdayOf } from '../../../src/market/rules/sydneyTime.ts';

/** As the exchange published them. */
const PUBLISHED: Readonly<Record<number, readonly Holiday[]>> = {
  2026: [
    { date: '2026-01-01', name: "New Year's Day" },
    { date: '2026-01-26', name: 'Australia Day' },
    { date: '2026-04-03', name: 'Good Friday' },
    { date: '2026-04-06', name: 'Easter Monday' },
    { date: '2026-06-08', name: "King's Birthday" },
    { date: '2026-12-25', name: 'Christmas Day' },
    { date: '2026-12-28', name: 'Boxing Day' },
  ],
  2027: [
    { date: '2027-01-01', name: "New Year's Day" },
    { date: '2027-01-26', name: 'Australia Day' },
    { date: '2027-03-26', name: 'Good Friday' },
    { date: '2027-03-29', name: 'Easter Monday' },
    { date: '2027-06-14', name: "King's Birthday" },
    { date: '2027-12-27', name: 'Christmas Day' },
    { date: '2027-12-28', name: 'Boxing Day' },
  ],
};

describe('holidays of the cash market', () => {
  test('the rules give exactly the published days of 2026 and 2027', () => {
    for (const year of [2026, 2027]) expect(holidaysByRule(year)).toEqual([...(PUBLISHED[year] ?? [])]);
  });

  test('Easter Sunday of known years', () => {
    expect([2000, 2008, 2011, 2019, 2025, 2028, 2038].map(easterSunday)).toEqual([
      '2000-04-23',
      '2008-03-23',
      '2011-04-24',
      '2019-04-21',
      '2025-04-20',
      '2028-04-16',
      '2038-04-25',
    ]);
  });

  test('ANZAC Day closes the market on a weekday and is never moved', () => {
    expect(holidayName('2025-04-25')).toBe('ANZAC Day');
    expect(isTradingDay('2026-04-27')).toBe(true);
    expect(isTradingDay('2027-04-26')).toBe(true);
  });

  test('Christmas and Boxing Day on a weekend are replaced by 27 and 28 December', () => {
    expect(['2021-12-27', '2021-12-28', '2022-12-26', '2022-12-27'].map(holidayName)).toEqual([
      'Christmas Day',
      'Boxing Day',
      'Boxing Day',
      'Christmas Day',
    ]);
    expect(isTradingDay('2022-12-28')).toBe(true);
  });

  test('the early closes are the last trading days before Christmas and of the year', () => {
    expect(
      ['2026-12-24', '2026-12-31', '2027-12-24', '2027-12-31', '2028-12-22', '2028-12-29'].map(closesEarly),
    ).toEqual([true, true, true, true, true, true]);
    expect(['2026-12-23', '2026-12-25', '2026-12-30', '2026-11-24', '2027-01-04'].map(closesEarly)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  test('the neighbours of a trading day skip weekends and holidays', () => {
    expect(nextTradingDay('2026-04-02')).toBe('2026-04-07');
    expect(previousTradingDay('2026-12-29')).toBe('2026-12-24');
    expect(nextTradingDay('2026-11-20')).toBe('2026-11-23');
  });

  test('every year has seven or eight holidays, each on a weekday and two early closes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1990, max: 2120 }), (year) => {
        const days = holidaysByRule(year);
        // And one that was proclaimed.
        expect([7, 8]).toContain(new Set(days.map((day) => day.date)).size - (year === 2022 ? 1 : 0));
        for (const day of days) expect([1, 2, 3, 4, 5]).toContain(weekdayOf(day.date));
        const december = Array.from(
          { length: 31 },
          (_, day) => `${year}-12-${String(day + 1).padStart(2, '0')}`,
        );
        expect(december.filter(closesEarly)).toHaveLength(2);
      }),
    );
  });
});
