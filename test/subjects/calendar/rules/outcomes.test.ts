import { describe, expect, test } from 'bun:test';
import {
  correctionOf,
  directionOf,
  measureSurprise,
  type Outcome,
  standardDeviation,
} from '../../../../src/subjects/calendar/rules/outcomes.ts';
import { isPublished, seriesKey } from '../../../../src/subjects/calendar/rules/series.ts';
import { aCalendarEvent } from '../../../support/aCalendarEvent.ts';

const outcome = (actual: number, consensus: number | null, more: Partial<Outcome> = {}): Outcome => ({
  time: 0,
  actual,
  consensus,
  previous: null,
  revised: null,
  corrected: null,
  potency: 'ZERO',
  isBetter: null,
  ...more,
});
const withSurprises = (...surprises: number[]): Outcome[] => surprises.map((one) => outcome(10 + one, 10));

describe('a surprise', () => {
  test('is the difference over the sample standard deviation of the earlier ones', () => {
    // Mean 0, squares 2 × 4 + 2 × 1 = 10 over 4: 1.5811.
    const measured = measureSurprise(outcome(13, 10), withSurprises(2, -2, 1, -1, 0));
    expect(measured).toMatchObject({ difference: 3, earlier: 5, side: 'above' });
    expect(measured?.sigma).toBeCloseTo(3 / Math.sqrt(2.5), 10);
  });

  test.each([
    ['four earlier ones', withSurprises(2, -2, 1, -1)],
    ['earlier ones that never differ', withSurprises(0, 0, 0, 0, 0)],
    ['earlier ones without a consensus', [...withSurprises(1, -1, 2, -2), outcome(3, null)]],
    // 0.1 + 0.2 − 0.3 is no spread.
    ['what differs by rounding alone', Array.from({ length: 6 }, () => outcome(0.1 + 0.2, 0.3))],
  ])('has no size in its spread with %s', (_, earlier) => {
    expect(measureSurprise(outcome(12, 10), earlier)).toMatchObject({ difference: 2, sigma: null });
  });

  test('is none without a consensus', () => {
    expect(measureSurprise(outcome(12, null), withSurprises(1, 2, 3, 4, 5))).toBeNull();
  });

  test('compares figures of several potencies', () => {
    const inThousands = withSurprises(2, -2, 1, -1, 0).map((one) => ({ ...one, potency: 'K' as const }));
    const inMillions = inThousands.map((one) => ({
      ...one,
      actual: one.actual / 1000,
      consensus: (one.consensus ?? 0) / 1000,
      potency: 'M' as const,
    }));
    const now = outcome(13, 10, { potency: 'K' });
    const sigma = measureSurprise(now, inThousands)?.sigma ?? Number.NaN;
    expect(measureSurprise(now, inMillions)?.sigma).toBeCloseTo(sigma, 8);
    expect(measureSurprise(now, inThousands)?.difference).toBe(3);
  });

  test('does not change with the scale, nor with what came later', () => {
    for (let turn = 1; turn < 50; turn += 1) {
      const surprises = Array.from({ length: 8 }, (_, index) => Math.sin(turn * (index + 1)) * turn);
      const [own = 0, ...earlier] = surprises;
      const sigma = measureSurprise(outcome(10 + own, 10), withSurprises(...earlier))?.sigma ?? Number.NaN;
      const scaled = earlier.map((one) => outcome(20 + 2 * one, 20));
      expect(measureSurprise(outcome(20 + 2 * own, 20), scaled)?.sigma).toBeCloseTo(sigma, 6);
      expect(Math.sign(sigma)).toBe(Math.sign(own));
    }
  });

  test.each([
    [true, 'up'],
    [false, 'down'],
    [null, 'up'],
  ] as const)('that is better (%p) goes %s', (isBetter, direction) => {
    const measured = measureSurprise(outcome(12, 10, { isBetter }), []);
    expect(measured && directionOf(measured)).toBe(direction);
  });

  test('that is none has no direction', () => {
    const measured = measureSurprise(outcome(10, 10, { isBetter: false }), []);
    expect(measured && directionOf(measured)).toBeNull();
  });
});

test('a spread needs two values', () => {
  expect([standardDeviation([]), standardDeviation([1]), standardDeviation([1, 3])]).toEqual([
    null,
    null,
    Math.SQRT2,
  ]);
});

describe('a correction', () => {
  const own = outcome(2.4, 2.5);
  test.each([
    ['the next release tells it', own, outcome(3, 3, { previous: 2.4, revised: 2.6 }), 2.6],
    ['its source tells it', { ...own, corrected: 2.3 }, null, 2.3],
    ['the next release is of another figure', own, outcome(3, 3, { previous: 2.2, revised: 2.6 }), null],
    ['nobody tells one', own, outcome(3, 3, { previous: 2.4 }), null],
    ['it was taken back', { ...own, corrected: 2.4 }, null, null],
  ] as const)('%s', (_, one, next, expected) => {
    expect(correctionOf(one, next)).toBe(expected as never);
  });
});

describe('a series', () => {
  test('is the source’s own, else country, name and period', () => {
    expect(seriesKey(aCalendarEvent({ series: 's-1' }))).toBe('s-1');
    const named = aCalendarEvent({ name: ' Employment Change ', countryCode: 'AU', periodType: 'MONTH' });
    expect(seriesKey(named)).toBe('AU|employment change|MONTH');
    expect(seriesKey({ ...named, countryCode: 'NZ' })).not.toBe(seriesKey(named));
  });

  test.each([
    ['a figure', { actual: 1 }, true],
    ['zero', { actual: 0 }, true],
    ['none yet', {}, false],
    ['a speech', { actual: 1, isSpeech: true }, false],
    ['a holiday', { actual: 1, isAllDay: true }, false],
  ])('remembers %s: %p %p', (_, members, expected) => {
    expect(isPublished(aCalendarEvent(members))).toBe(expected);
  });
});
