import fc from 'fast-check';
import { describe, expect, test } from 'bun:test';
import { NO_SCANS, type ScanOf } from '#subjects/conditions/rules/savedScan.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { dayOf, dayOfKey, keyOf } from '#market/rules/localTime.ts';
import { runBacktest } from '#subjects/alerts/server/backtest/run.ts';
import type { BeganUnseen } from '#market/bars/store.ts';
import { allOf, field, number } from '#support/conditions.ts';
import { CATALOG, done, flatMinutes, givenBars, indicator, row } from '#support/pastBars.ts';
import { type Logic, operandsOf } from '#subjects/conditions/rules/condition.ts';
import { demandOfOperand } from '#subjects/conditions/rules/operand.ts';
import { readerOf } from '#subjects/conditions/rules/evaluator.ts';
import { emptyStock } from '#market/rules/stock.ts';
import { throughMinutes } from '#subjects/alerts/server/backtest/moments.ts';
import { createStockBars } from '#market/bars/currentDay.ts';
import { type BarRow, RowArena } from '#market/bars/rows.ts';
import { createFrameBuilder, makePlan } from '#market/indicators/plan.ts';
import { ValueChanges, writeFrame } from '#market/indicators/frame.ts';
import { createReplay } from '#market/indicators/replay.ts';

const catalog = CATALOG;
const MONDAY = '2026-11-16';
const TUESDAY = '2026-11-17';
const crossing = allOf({ lhs: field('last'), op: 'crosses_above', rhs: number(10) });
const run = (
  past: Parameters<typeof runBacktest>[0]['past'],
  logic = crossing,
  scanOf: ScanOf = NO_SCANS,
  holdsNow: boolean | null = null,
  cooldownMinutes = 1,
) => done(runBacktest({ past, catalog, scanOf }, 'BHP', { logic, cooldownMinutes }, holdsNow));

describe('a backtest', () => {
  test('counts the firings of each day', () => {
    const minutes = [
      ...flatMinutes(MONDAY, [9, 9.5, 10.5, 9.5, 9, 11]),
      ...flatMinutes(TUESDAY, [9, 12, 12]),
    ];
    const { minutes: period, perDay, busiestDay } = run(givenBars([], minutes));
    expect(period).toEqual({
      from: fromSydney(MONDAY, 10, 0, 59),
      to: fromSydney(TUESDAY, 10, 2, 59),
      tradingDays: 2,
      fired: 3,
    });
    expect({ perDay, busiestDay }).toEqual({ perDay: 1.5, busiestDay: 2 });
  });

  test('sees an extreme within a bar, and does not fire at the first moment', () => {
    const minutes = [row(dayOf(MONDAY) * 1440 + 600, [9, 11, 9, 9.5]), ...flatMinutes(TUESDAY, [9])];
    expect(run(givenBars([], minutes)).minutes?.fired).toBe(1);
    const above = allOf({ lhs: field('last'), op: '>', rhs: number(10) });
    expect(run(givenBars([], flatMinutes(MONDAY, [11, 11, 9, 11])), above).minutes?.fired).toBe(1);
  });

  test('counts a condition that is true now once, whenever it became true', () => {
    const above = allOf({ lhs: field('last'), op: '>', rhs: number(10) });
    const minutes = (...closes: number[]) => givenBars([], flatMinutes(MONDAY, closes));
    expect(run(minutes(11, 11, 11), above)).toMatchObject({
      holdsNow: true,
      busiestDay: 1,
      minutes: { fired: 1 },
    });
    expect(run(minutes(11, 11, 11), above, NO_SCANS, true).minutes?.fired).toBe(1);
    // It became true within the tested period and counts once.
    expect(run(minutes(9, 11, 11), above).minutes?.fired).toBe(1);
    expect(run(minutes(9, 11, 11), above, NO_SCANS, true).minutes?.fired).toBe(1);
    // True in the market but not yet in the bars, and the other way round.
    expect(run(minutes(9, 9, 9), above, NO_SCANS, true)).toMatchObject({
      holdsNow: true,
      minutes: { fired: 1 },
    });
    expect(run(minutes(11, 11, 11), above, NO_SCANS, false)).toMatchObject({
      holdsNow: false,
      minutes: { fired: 0 },
    });
    expect(run(minutes(11, 9, 9), above)).toMatchObject({ holdsNow: false, minutes: { fired: 0 } });
  });

  test('obeys a longer cooldown, over minutes and days', () => {
    const zigzag = Array.from({ length: 120 }, (_, index) => (index % 2 === 0 ? 9 : 11));
    // Tuesday crosses at its open and, six hours later, at its close.
    const days = [row(dayOf(MONDAY), [9, 9, 9, 9]), row(dayOf(TUESDAY), [11, 12, 8, 10.5])];
    const withCooldown = (cooldown: number, minutes = flatMinutes(MONDAY, zigzag)) =>
      run(givenBars(days, minutes), crossing, NO_SCANS, null, cooldown);
    expect(withCooldown(1)).toMatchObject({
      tooOften: true,
      busiestDay: 60,
      minutes: { fired: 60 },
      days: null,
    });
    expect(withCooldown(30)).toMatchObject({ tooOften: false, busiestDay: 4, minutes: { fired: 4 } });
    expect(withCooldown(390).minutes?.fired).toBe(1);
    // Without minutes.
    expect(withCooldown(30, [])).toMatchObject({ minutes: null, days: { fired: 2 } });
    expect(withCooldown(390, []).days?.fired).toBe(1);
  });

  test('uses the change since the previous close, and volume at the end of its bar', () => {
    const days = [row(dayOf(MONDAY), [10, 10, 10, 10])];
    const rise = allOf({ lhs: field('change_percent'), op: '>', rhs: number(5) });
    const firedIn = (logic: Logic, closes: readonly number[]) =>
      run(givenBars(days, flatMinutes(TUESDAY, closes)), logic).minutes?.fired;
    expect(firedIn(rise, [10, 10.4, 10.5])).toBe(0);
    expect(firedIn(rise, [10, 10.4, 10.6])).toBe(1);
    const busy = allOf({ lhs: field('volume'), op: '>=', rhs: number(300) });
    expect(firedIn(busy, [10, 10.4])).toBe(0);
    expect(firedIn(busy, [10, 10.4, 10.6])).toBe(1);
  });
});

describe('a saved scan', () => {
  const minutes = flatMinutes(MONDAY, [9, 9.5, 10.5, 9.5, 9, 11]);
  const enters = allOf({
    lhs: { type: 'scan', id: 7, name: 'Breakouts' },
    op: 'crosses_above',
    rhs: number(0.5),
  });
  const scanOf = (read: ReturnType<typeof field>) => () => ({
    id: 7,
    name: 'Breakouts',
    lists: null,
    problem: null,
    logic: allOf({ lhs: read, op: '>' as const, rhs: number(10) }),
  });

  test('is backtested as far as bars contain its values', () => {
    const { minutes: period, notRehearsed } = run(givenBars([], minutes), enters, scanOf(field('last')));
    expect(period?.fired).toBe(2);
    expect(notRehearsed.filter((sentence) => sentence.includes('my scan'))).toEqual([]);
  });

  test('is reported by name if bars do not contain its values, or it was deleted', () => {
    for (const scans of [scanOf(field('relativeVolume')), NO_SCANS]) {
      expect(run(givenBars([], minutes), enters, scans).notRehearsed).toEqual([
        'Past bars don’t include my scan Breakouts, so this can’t be backtested.',
      ]);
    }
  });
});

describe('untestable conditions', () => {
  const minutes = flatMinutes(MONDAY, [9, 11]);

  test('on fields that bars do not contain are reported', () => {
    const logic = allOf(
      { lhs: field('last'), op: 'crosses_above', rhs: number(10) },
      { lhs: field('relativeVolume'), op: '>', rhs: number(2) },
      { lhs: field('marketCap'), op: '>', rhs: field('match_price') },
    );
    const { minutes: period, notRehearsed } = run(givenBars([], minutes), logic);
    expect(period?.fired).toBe(1);
    expect(notRehearsed[0]).toBe(
      'Past bars don’t include Rel Vol, Market Cap and Match: conditions on it were left out, so this is the most the alert would fire.',
    );
  });

  test('on values that only minute bars contain are not tested over days', () => {
    const logic = allOf({ lhs: indicator('rsi', '60', '14'), op: '>', rhs: number(70) });
    expect(run(givenBars([], null), logic).notRehearsed).toEqual([
      'Daily bars don’t include RSI(14) 1h, and the price source has no minute bars.',
    ]);
  });

  test('without collected minutes are reported', () => {
    const days = [row(dayOf(MONDAY), [9, 11, 9, 11], 1000), row(dayOf(TUESDAY), [9, 11, 9, 11], 200)];
    const both = [...minutes, ...flatMinutes(TUESDAY, [9, 11])];
    expect(run(givenBars(days, both)).notRehearsed).toContain(
      'Some minutes of one day are missing. They were not tested, and the volume after them is too low.',
    );
    expect(run(givenBars(days.slice(1), both)).notRehearsed.join(' ')).not.toContain('missing');
  });
});

const MINUTES_A_DAY = 30;
const FIRST = dayOf('2026-11-09');

const VALUES: Logic = allOf(
  ...[
    indicator('rsi', '5', '14'),
    indicator('ema', '1', '5'),
    { ...indicator('sma', '3', '10'), valueKey: '1' },
    indicator('vwap', '5'),
    indicator('sma', 'D', '5'),
    indicator('change', 'W'),
    indicator('volume', 'D'),
  ].map((lhs) => ({ lhs, op: '>' as const, rhs: number(0) })),
  { lhs: { type: 'htf', period: '1M', field: 'high' }, op: '>', rhs: number(0) },
);
const READERS = operandsOf(VALUES).map((operand) => readerOf(operand));
const plan = () => makePlan(operandsOf(VALUES).flatMap(demandOfOperand), CATALOG.indicators);

/** The values of the live engine started with these bars. The newest bar of each kind is still running. */
function liveValues(
  days: readonly BarRow[],
  minutes: readonly BarRow[],
  beganUnseen: BeganUnseen,
): (number | null)[] {
  const stockBars = createStockBars('BHP', new RowArena());
  const today = dayOfKey(minutes.at(-1)?.key ?? 0);
  for (const day of days) if (day.key < today) stockBars.days.put(day);
  for (const minute of minutes) stockBars.minutes.put(minute);
  const own = minutes.filter(({ key }) => dayOfKey(key) === today);
  stockBars.today = {
    day: today,
    open: own[0]?.open ?? 0,
    high: Math.max(...own.map(({ high }) => high)),
    low: Math.min(...own.map(({ low }) => low)),
    close: own.at(-1)?.close ?? 0,
    volume: own.reduce((sum, { volume }) => sum + volume, 0),
  };
  const stock = emptyStock('BHP');
  const changes = new ValueChanges();
  const used = plan();
  changes.begin(stock);
  for (const planned of used.frames) {
    const builder = createFrameBuilder(planned, stockBars, null, false, beganUnseen);
    done(builder.steps());
    writeFrame(builder.finish(), used.places, changes);
  }
  const found = { ...stock, ...changes.result() };
  return READERS.map((read) => read(found));
}

const minutesOfDays = fc
  .array(
    fc.array(fc.tuple(fc.integer({ min: 900, max: 1100 }), fc.nat(30), fc.nat(30), fc.nat(500)), {
      minLength: MINUTES_A_DAY,
      maxLength: MINUTES_A_DAY,
    }),
    { minLength: 8, maxLength: 8 },
  )
  .map((days) =>
    days.map((minutes, day) =>
      minutes.map(([price, up, down, volume], minute) => {
        const close = price + ((up * 7 + down) % 11) - 5;
        const high = Math.max(price, close) + up;
        const low = Math.min(price, close) - down;
        // Two days apart, so that weeks change.
        const key = keyOf(FIRST + day * 2, 600 + minute);
        return row(key, [price / 100, high / 100, low / 100, close / 100], volume + 1);
      }),
    ),
  );

const dayRow = (minutes: readonly BarRow[]): BarRow =>
  row(
    dayOfKey(minutes[0]?.key ?? 0),
    [
      minutes[0]?.open ?? 0,
      Math.max(...minutes.map(({ high }) => high)),
      Math.min(...minutes.map(({ low }) => low)),
      minutes.at(-1)?.close ?? 0,
    ],
    minutes.reduce((sum, { volume }) => sum + volume, 0),
  );

test('equals the live engine at the end of every minute', () => {
  fc.assert(
    fc.property(
      minutesOfDays,
      fc.integer({ min: 2, max: 6 }),
      fc.boolean(),
      fc.nat(),
      (byDay, earlier, knowsDays, at) => {
        const minutes = byDay.flat();
        // The server was off for seven minutes before one of them.
        const back = minutes[at % minutes.length]?.key ?? 0;
        const beganUnseen: BeganUnseen = (start, first) => start >= back - 7 && start < back && first >= back;
        const days = byDay.map(dayRow);
        const from = dayOfKey(byDay[earlier]?.[0]?.key ?? 0);
        const seen = new Map<number, (number | null)[]>();
        const replay = createReplay(plan(), beganUnseen);
        const known = { code: 'BHP', days: knowsDays ? days : days.slice(0, earlier), minutes };
        const steps = throughMinutes(known, { replay, from }, (stock, at) => {
          seen.set(
            Math.floor(at / 60_000),
            READERS.map((read) => read(stock)),
          );
        });
        done(steps);
        const shown = [...seen.values()];
        for (let index = 0; index < shown.length; index += 7) {
          const until = earlier * MINUTES_A_DAY + index + 1;
          expect(shown[index]).toEqual(liveValues(days, minutes.slice(0, until), beganUnseen));
        }
      },
    ),
    { numRuns: 25 },
  );
});
