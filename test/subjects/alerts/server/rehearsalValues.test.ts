import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Logic } from '../../../../src/subjects/conditions/rules/condition.ts';
import { operandsOf } from '../../../../src/subjects/conditions/rules/condition.ts';
import { demandOfOperand } from '../../../../src/subjects/conditions/rules/operand.ts';
import { readerOf } from '../../../../src/subjects/conditions/rules/reader.ts';
import { emptyStock } from '../../../../src/market/rules/stock.ts';
import { throughMinutes } from '../../../../src/subjects/alerts/server/rehearsal/moments.ts';
import { createStockBars } from '../../../../src/market/bars/currentDay.ts';
import { dayOf, dayOfKey, keyOf } from '../../../../src/market/rules/localTime.ts';
import { type BarRow, createRowArena } from '../../../../src/market/bars/rows.ts';
import type { BeganUnseen } from '../../../../src/market/bars/store.ts';
import { createFrameBuilder } from '../../../../src/market/indicators/build.ts';
import { writeFrame } from '../../../../src/market/indicators/frame.ts';
import { makePlan } from '../../../../src/market/indicators/plan.ts';
import { createReplay } from '../../../../src/market/indicators/replay.ts';
import { ValueChanges } from '../../../../src/market/indicators/valueChanges.ts';
import { allOf, number } from '../../../support/conditions.ts';
import { CATALOG, done, indicator, row } from '../../../support/pastBars.ts';

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

/** What the live engine computes when it begins with these bars: the newest of each is the running one. */
function liveValues(
  days: readonly BarRow[],
  minutes: readonly BarRow[],
  beganUnseen: BeganUnseen,
): (number | null)[] {
  const stockBars = createStockBars('BHP', createRowArena());
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
        // Two weekdays apart, so that weeks change.
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

test('At the end of every minute the values are those of the live engine', () => {
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
