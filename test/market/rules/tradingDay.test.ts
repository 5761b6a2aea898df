import { afterEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createMarket } from '../../../src/market/market.ts';
import {
  type Holiday,
  easterSunday,
  holidayName,
  holidaysByRule,
} from '../../../src/market/rules/holidays.ts';
import { marketLabel } from '../../../src/market/rules/marketStatus.ts';
import { openingAt, openingText } from '../../../src/market/rules/opening.ts';
import { lastSessionNotice, sessionAt } from '../../../src/market/rules/session.ts';
import { createPhaseReader, phaseAt, phasesOf } from '../../../src/market/rules/sessionClock.ts';
import { type SpecialDay, holdSpecialDays, specialDays } from '../../../src/market/rules/specialDays.ts';
import { fromSydney, weekdayOf } from '../../../src/market/rules/sydneyTime.ts';
import {
  closesEarly,
  closingMinute,
  isTradingDay,
  minutesEarly,
  nextTradingDay,
  previousTradingDay,
} from '../../../src/market/rules/tradingDay.ts';

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
    for (const date of ['2000-04-23', '2008-03-23', '2011-04-24', '2025-04-20', '2028-04-16', '2038-04-25'])
      expect(easterSunday(Number(date.slice(0, 4)))).toBe(date);
  });

  test('ANZAC Day closes the market on a weekday and is never moved', () => {
    expect(holidayName('2025-04-25')).toBe('ANZAC Day');
    expect([isTradingDay('2026-04-27'), isTradingDay('2027-04-26')]).toEqual([true, true]);
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
    for (const date of ['2026-12-24', '2026-12-31', '2027-12-24', '2028-12-22', '2028-12-29'])
      expect(closesEarly(date)).toBe(true);
    for (const date of ['2026-12-23', '2026-12-25', '2026-12-30', '2027-01-04'])
      expect(closesEarly(date)).toBe(false);
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

describe('special days', () => {
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

  test('a day that is closed has no session, no phases and no label', () => {
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

  test('a day that ends early brings everything from the end of trading on as much sooner', () => {
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

  test('a holiday or a short day of the calendar may be a usual day', () => {
    holdSpecialDays(HOLDER, [normal('2026-12-28'), normal('2026-12-24')]);
    expect([closingMinute('2026-12-28'), closingMinute('2026-12-24'), closesEarly('2026-12-24')]).toEqual([
      960,
      960,
      false,
    ]);
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

    test('a phase that is kept is read again after a change', () => {
      const read = createPhaseReader();
      const now = at(TUESDAY, 14, 30);
      const before = read(now);
      expect(read(now + 1000)).toBe(before);
      holdSpecialDays(HOLDER, [early(TUESDAY, '14:10')]);
      expect([before.phase, read(now).phase]).toEqual(['open', 'post-close']);
    });
  });
});

describe('the market on a special day', () => {
  /** A Thursday. */
  const DAY = '2026-11-19';
  const CLOSED: SpecialDay = { date: DAY, kind: 'closed', closesAt: null, reason: 'Storm' };
  const EARLY: SpecialDay = { date: DAY, kind: 'early', closesAt: '14:10', reason: 'Fault' };
  const at = (hour: number, minute = 0, date = DAY): number => fromSydney(date, hour, minute);
  const HOLDER = {};
  const hold = (...days: SpecialDay[]) => holdSpecialDays(HOLDER, days);
  afterEach(() => hold());

  /** A market on a clock that is set by hand, which a stock was quoted in on the day before. */
  function marketOf() {
    const clock = {
      time: at(15, 0, '2026-11-18'),
      now() {
        return this.time;
      },
    };
    const market = createMarket({ clock });
    market.apply([{ code: 'BHP', close: 44, last: 45, open: 44, high: 45, low: 44, volume: 10 }]);
    const show = (time: number) => {
      clock.time = time;
      market.flush();
      const { last, close, status } = market.get('BHP') ?? {};
      return { date: market.date(), last, close, status };
    };
    return { market, show };
  }

  test('a closed day shows the session before it, whose last price is the previous close of the day after it', () => {
    hold(CLOSED);
    const { show } = marketOf();
    const before = { date: '2026-11-18', last: 45, close: 44, status: 'Post Trading' as const };
    expect([at(7), at(11), at(23)].map(show)).toEqual([before, before, before]);
    expect(show(at(7, 0, '2026-11-20'))).toEqual({
      ...{ date: '2026-11-20', last: null, close: 45, status: 'Pre Open' },
    });
    expect(lastSessionNotice(sessionAt(at(11)).date, at(11))).toBe('Last session: Wednesday 18 November');
    const opening = openingAt(at(11), () => null);
    expect(openingText(opening, at(11))).toBe('The pre-open begins on Friday 20 November at 07:00');
  });

  test('an early close of today, added while the market trades, is followed from the next tick on', () => {
    const { show } = marketOf();
    expect(show(at(14, 0)).status).toBe('Open');
    hold(EARLY);
    expect([show(at(14, 9)).status, show(at(14, 10)).status, show(at(14, 32)).status]).toEqual([
      'Open',
      'CSPA',
      'Adjust',
    ]);
  });
});
