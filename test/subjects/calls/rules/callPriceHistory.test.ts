import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { dayHistory, minuteHistory, type TimedBar } from '#subjects/calls/rules/pricePath.ts';
import type { DataGap } from '#market/bars/rules/coverage.ts';
import { MAX_STOP_STEPS, stopPath, type StopStep, withStep } from '#subjects/calls/rules/trailingStop.ts';
import type { TrackedCall } from '#subjects/calls/rules/tracker.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** 10:00 in Sydney on Tuesday 10 November 2026. */
const OPEN = Date.UTC(2026, 10, 9, 23);

const bar = (time: number, price: number): TimedBar => ({
  time,
  open: price,
  high: price + 0.01,
  low: price - 0.01,
  close: price,
  volume: 10,
});
const minutes = (count: number, from = OPEN): TimedBar[] =>
  Array.from({ length: count }, (_, index) => bar(from + index * MINUTE, 1 + (index % 7) / 100));

describe('the price history of a call', () => {
  test('has single minutes if they are few, from the posting to the end', () => {
    const span = { from: OPEN + 2.5 * MINUTE, until: OPEN + 5.2 * MINUTE };
    const path = minuteHistory(minutes(60), span, OPEN);
    expect(path?.tf).toBe('1');
    expect(path?.bars.time).toEqual([2, 3, 4, 5].map((minute) => OPEN + minute * MINUTE));
    expect(path?.knownSince).toBeNull();
    expect(minuteHistory(minutes(10), { from: OPEN + DAY, until: OPEN + 2 * DAY }, OPEN)).toBeNull();
    const late = OPEN + 30 * MINUTE;
    expect(minuteHistory(minutes(10, late), { from: OPEN, until: OPEN + DAY }, late)?.knownSince).toBe(late);
  });

  test('in days includes the days of the posting and of the end', () => {
    const first = Date.UTC(2026, 10, 2);
    const days = [0, 1, 2, 3, 4].map((day) => bar(first + day * DAY, 1));
    const path = dayHistory(days, { from: first + DAY, until: first + 3 * DAY });
    expect(path).toMatchObject({ tf: 'D', knownSince: null });
    expect(path?.bars.time).toEqual([1, 2, 3].map((day) => first + day * DAY));
    expect(dayHistory(days, { from: first - 30 * DAY, until: first })?.knownSince).toBe(first);
    expect(dayHistory([], { from: 0, until: first })).toBeNull();
  });

  test('lists unseen periods, cut at its ends', () => {
    const outage = (from: number, until: number, days: DataGap['days'] = null): DataGap => ({
      from: OPEN + from * MINUTE,
      until: OPEN + until * MINUTE,
      days,
    });
    const all = [outage(-9, -5), outage(-5, 4), outage(10, 20), outage(55, 99), outage(99, 120)];
    const span = { from: OPEN + 2 * MINUTE, until: OPEN + 60 * MINUTE };
    const clipped = (from: number, until: number) => ({
      from: OPEN + from * MINUTE,
      until: OPEN + until * MINUTE,
    });
    expect(minuteHistory(minutes(60), span, OPEN, all)?.unknown).toEqual([
      clipped(2, 4),
      clipped(10, 20),
      clipped(55, 60),
    ]);
    // The start before the first known minute is reported by another field.
    expect(minuteHistory(minutes(60), span, OPEN + 15 * MINUTE, all)?.unknown).toEqual([
      clipped(15, 20),
      clipped(55, 60),
    ]);
    const first = Date.UTC(2026, 10, 9);
    const days = [0, 4].map((day) => bar(first + day * DAY, 1));
    const away = [outage(0, 3 * 1440, { first: '2026-11-10', last: '2026-11-12' }), outage(0, 60)];
    const path = dayHistory(days, { from: first, until: first + 4 * DAY }, away);
    expect(path?.unknown).toEqual([{ from: first + DAY, until: first + 4 * DAY }]);
  });

  test('never has more than 500 bars, for any prices', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9000 }), (count) => {
        const path = minuteHistory(minutes(count), { from: OPEN, until: OPEN + count * MINUTE }, OPEN);
        expect(path?.bars.time.length).toBeLessThanOrEqual(500);
        expect(path?.bars.time).toEqual(path?.bars.time.toSorted((a, b) => a - b));
      }),
      { numRuns: 30 },
    );
  });
});

const CALL: TrackedCall = {
  callType: 'bought',
  isShort: false,
  entryPrice: 1,
  targetPrice: 2,
  stopLossType: 'TRAILING_PCT',
  stopLoss: 10,
  submittedAt: OPEN,
  priceAtSubmission: 1,
};

describe('the line of a trailing stop', () => {
  const facts = { call: CALL, filledAt: OPEN, fillPrice: 1, highest: 1.2, bars: null };

  test('runs from its start through its steps to the end', () => {
    const steps = [{ time: OPEN + MINUTE, price: 1.08 }];
    expect(stopPath({ ...facts, steps, until: OPEN + 5 * MINUTE })).toEqual({
      from: 'tracker',
      time: [OPEN, OPEN + MINUTE, OPEN + 5 * MINUTE],
      price: [0.9, 1.08, 1.08],
    });
  });

  test('is computed from bars if its steps were not recorded, never above the recorded high', () => {
    const { bars } = minuteHistory(
      [bar(OPEN, 1), bar(OPEN + MINUTE, 1.1), bar(OPEN + 2 * MINUTE, 9)],
      { from: OPEN, until: OPEN + DAY },
      OPEN,
    ) ?? { bars: null };
    const line = stopPath({ ...facts, steps: [], bars, until: OPEN + 2 * MINUTE });
    expect(line?.from).toBe('bars');
    expect(line?.price).toEqual([0.909, 0.999, 1.08]);
  });

  test('keeps a limited number of steps, including first and last, in order of time', () => {
    const step = fc.record({
      time: fc.integer({ min: 0, max: 1e6 }),
      price: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 600 }), (given) => {
        const kept = given.reduce<readonly StopStep[]>((steps, one) => withStep(steps, one), []);
        expect(kept.length).toBeLessThanOrEqual(MAX_STOP_STEPS);
        expect(kept.at(-1)?.price).toBe(given.at(-1)?.price ?? 0);
        for (const [index, { time }] of kept.entries())
          expect(time).toBeGreaterThan(kept[index - 1]?.time ?? -1);
      }),
    );
  });
});
