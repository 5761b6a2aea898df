import { afterEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createMarket } from '#market/market.ts';
import {
  closesEarly,
  closingMinute,
  easterSunday,
  holdSpecialDays,
  type Holiday,
  holidayName,
  holidaysByRule,
  isTradingDay,
  minutesEarly,
  nextTradingDay,
  previousTradingDay,
  type SpecialDay,
  specialDays,
} from '#market/rules/tradingDay.ts';
import {
  createPhaseReader,
  lastSessionMessage,
  marketLabel,
  phaseAt,
  phasesOf,
  sessionAt,
} from '#market/rules/sessionClock.ts';
import { openingAt, openingText } from '#market/rules/opening.ts';
import { fromSydney, weekdayOf } from '#lib/sydneyTime.ts';

/** As published by the exchange. */
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
  test('match the published days of 2026 and 2027', () => {
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

  test('every year has seven or eight holidays, each on a weekday, and two early closes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1990, max: 2120 }), (year) => {
        const days = holidaysByRule(year);
        // One year has a proclaimed extra day.
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
  const hold = (...days: SpecialDay[]) => holdSpecialDays(HOLDER, days);
  afterEach(() => {
    hold();
    holdSpecialDays(OTHER, []);
  });
  const closed = (date: string): SpecialDay => ({ date, kind: 'closed', closesAt: null, reason: 'Storm' });
  const early = (closesAt: string): SpecialDay => ({
    date: TUESDAY,
    kind: 'early',
    closesAt,
    reason: 'Fault',
  });
  const normal = (date: string): SpecialDay => ({ date, kind: 'normal', closesAt: null, reason: 'Trial' });
  const TUESDAY = '2026-12-01';
  const at = (hour: number, minute = 0, date = TUESDAY): number => fromSydney(date, hour, minute);
  const held = () => specialDays().map(({ date }) => date);

  test('that are closed have no session, phases or label', () => {
    expect(marketLabel(at(11))).toBe('Intraday');
    hold(closed(TUESDAY));
    expect(isTradingDay(TUESDAY)).toBe(false);
    expect(phasesOf(TUESDAY)).toEqual([]);
    const labels = [8, 9, 11, 15].map((hour) => marketLabel(at(hour, 50)));
    expect(labels).toEqual(Array.from({ length: 4 }, () => 'Off-Hours'));
    const span = { since: at(19, 0, '2026-11-30'), until: at(7, 0, '2026-12-02') };
    expect(phaseAt(at(11))).toEqual({ phase: 'closed', ...span });
    expect([sessionAt(at(11)).date, previousTradingDay('2026-12-02')]).toEqual(['2026-11-30', '2026-11-30']);
    expect(nextTradingDay('2026-11-30')).toBe('2026-12-02');
  });

  test('that end early move everything after the end of trading forward', () => {
    hold(early('12:30'));
    expect(minutesEarly(TUESDAY)).toBe(210);
    const time = (ms: number) => (ms - at(0)) / 60_000;
    expect(phasesOf(TUESDAY).map(({ phase, since }) => [phase, time(since)])).toEqual([
      ['pre-open', 420],
      ['ospa', 599],
      ['open', 599.75],
      ['pre-cspa', 750],
      ['cspa', 760],
      ['post-close', 761],
      ['adjust', 771.5],
    ]);
    expect([at(12, 45), at(12, 46)].map(marketLabel)).toEqual(['Intraday', 'Off-Hours']);
  });

  test('can turn a holiday or a short day into a normal day', () => {
    hold(normal('2026-12-28'), normal('2026-12-24'));
    expect(['2026-12-28', '2026-12-24'].map((date) => closingMinute(date))).toEqual([960, 960]);
    expect(closesEarly('2026-12-24')).toBe(false);
  });

  test('are replaced and removed per owner, without affecting other owners', () => {
    hold(closed(TUESDAY));
    holdSpecialDays(OTHER, [closed('2026-12-03')]);
    expect(held()).toEqual([TUESDAY, '2026-12-03']);
    hold(closed('2026-12-02'));
    expect(held()).toEqual(['2026-12-02', '2026-12-03']);
    hold();
    expect(held()).toEqual(['2026-12-03']);
  });

  test('reset cached phases after a change', () => {
    const read = createPhaseReader();
    const now = at(14, 30);
    const before = read(now);
    expect(read(now + 1000)).toBe(before);
    hold(early('14:10'));
    expect([before.phase, read(now).phase]).toEqual(['open', 'post-close']);
  });

  /** A market with a manual clock and a stock that was quoted on the day before. */
  function marketOf() {
    const clock = { time: at(15, 0, '2026-11-30'), now: () => clock.time };
    const market = createMarket({ clock });
    market.apply([{ code: 'BHP', close: 44, last: 45, open: 44, high: 45, low: 44, volume: 10 }]);
    return (time: number) => {
      clock.time = time;
      market.flush();
      const { last, close, status } = market.get('BHP') ?? {};
      return { date: market.date(), last, close, status };
    };
  }

  test('a closed day shows the previous session, whose last price becomes the next previous close', () => {
    hold(closed(TUESDAY));
    const show = marketOf();
    const before = { date: '2026-11-30', last: 45, close: 44, status: 'Post Trading' as const };
    expect([at(7), at(11), at(23)].map(show)).toEqual([before, before, before]);
    expect(show(at(7, 0, '2026-12-02'))).toEqual({
      date: '2026-12-02',
      last: null,
      close: 45,
      status: 'Pre Open',
    });
    expect(lastSessionMessage(sessionAt(at(11)).date, at(11))).toBe('Last session: Monday 30 November');
    const opening = openingAt(at(11), () => null);
    expect(openingText(opening, at(11))).toBe('The pre-open begins on Wednesday 2 December at 07:00');
  });

  test('an early close added during trading takes effect with the next tick', () => {
    const show = marketOf();
    expect(show(at(14, 0)).status).toBe('Open');
    hold(early('14:10'));
    const statuses = [at(14, 9), at(14, 10), at(14, 32)].map((time) => show(time).status);
    expect(statuses).toEqual(['Open', 'CSPA', 'Adjust']);
  });
});
