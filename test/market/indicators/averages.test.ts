import { describe, expect, test } from 'bun:test';
import {
  type AverageId,
  AVERAGES,
  averageAt,
  createAverager,
} from '../../../src/market/bars/rules/averages.ts';
import type { BarColumns } from '../../../src/market/bars/rules/bars.ts';
import { Cells } from '../../../src/market/indicators/formulas/cells.ts';
import { ema, sma } from '../../../src/market/indicators/formulas/averages.ts';
import { barsOf } from '../../support/chartBars.ts';

const DAY = 86_400_000;
/** A walk that repeats itself from run to run. */
const closes = Array.from(
  { length: 1200 },
  (_one, bar) => 20 + Math.sin(bar / 9) * 3 + ((bar * 7919) % 13) / 10,
);

/** What a column of the same average shows after each of these closes; NaN while it shows nothing. */
function columnOf(id: AverageId, of: readonly number[]): number[] {
  const { kind, length } = AVERAGES[id];
  const cells = new Cells();
  const calc = (kind === 'sma' ? sma : ema)(cells, length);
  cells.values = cells.fresh();
  return of.map((close, bar) => {
    calc.update({ day: bar, open: close, high: close, low: close, close, volume: 1 }, false);
    return cells.get(calc.out);
  });
}

const valuesOf = (bars: BarColumns, id: AverageId, hasMore: boolean): (number | null)[] => {
  const [average] = createAverager()({ bars, hasMore }, [id]);
  return bars.time.map((_time, bar) => (average ? averageAt(average, bar) : null));
};

describe('averages over the bars of a chart', () => {
  test.each(['sma20', 'sma50', 'sma200', 'ema20', 'ema50', 'ema200'] as const)(
    '%s are those of the columns, where all bars are known',
    (id) => {
      const column = columnOf(id, closes);
      const drawn = valuesOf(barsOf(0, DAY, closes), id, false);
      expect(drawn.filter((value) => value === null)).toHaveLength(AVERAGES[id].length - 1);
      drawn.forEach((value, bar) => {
        if (value !== null) expect(value).toBeCloseTo(column[bar] ?? Number.NaN, 9);
        else expect(column[bar]).toBeNaN();
      });
    },
  );

  test.each([
    ['sma200', 199, 1e-9],
    ['ema20', 80, 0.005],
    ['ema200', 800, 0.005],
  ] as const)('%s does not move once older bars come, from its bar %d on', (id, first, step) => {
    const late = { bars: barsOf(200 * DAY, DAY, closes.slice(200)), hasMore: true };
    const drawn = valuesOf(late.bars, id, true);
    const whole = valuesOf(barsOf(0, DAY, closes), id, false);
    expect(drawn.findIndex((value) => value !== null)).toBe(first);
    drawn.forEach((value, bar) => {
      if (value !== null) expect(Math.abs(value - (whole[bar + 200] ?? 0))).toBeLessThan(step);
    });
  });

  test('bars that go on, change at their end or get older ones before them have what all have at once', () => {
    const averager = createAverager();
    const ids = ['sma20', 'ema50'] as const;
    const steps = [
      closes.slice(0, 60),
      [...closes.slice(0, 59), 99],
      [...closes.slice(0, 59), 98, 97],
      closes.slice(0, 40),
    ].map((of) => barsOf(0, DAY, of));
    for (const bars of [...steps, barsOf(-5 * DAY, DAY, closes.slice(100, 180)), barsOf(0, DAY, [])]) {
      const drawn = averager({ bars, hasMore: false }, ids);
      expect(drawn).toEqual(createAverager()({ bars, hasMore: false }, ids));
    }
  });

  test('one that is chosen later is there for all bars', () => {
    const averager = createAverager();
    const bars = barsOf(0, DAY, closes.slice(0, 60));
    averager({ bars, hasMore: false }, ['sma20']);
    const [, later] = averager({ bars, hasMore: false }, ['sma20', 'sma50']);
    expect(later && averageAt(later, 49)).toBeCloseTo(columnOf('sma50', closes)[49] ?? 0, 9);
  });

  test('of too few bars there is none', () => {
    expect(valuesOf(barsOf(0, DAY, closes.slice(0, 199)), 'sma200', false)).toEqual(
      new Array(199).fill(null),
    );
  });
});
