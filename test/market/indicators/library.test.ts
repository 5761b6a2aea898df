import { expect, test } from 'bun:test';
import { AO, DonchianChannels, HMA, KeltnerChannels, MOM, ROC, SMA, VWMA } from 'trading-signals';
import { hull, keltner, sma, volumeWeighted } from '#market/indicators/formulas/index.ts';
import { Cells } from '#market/indicators/formulas/cells.ts';
import { awesome, momentum, rateOfChange } from '#market/indicators/formulas/oscillators.ts';
import { donchian } from '#market/indicators/formulas/trend.ts';
import type { Calc, TimeframeBar } from '#market/indicators/types.ts';

/** A walk that repeats itself from run to run. */
const BARS = Array.from({ length: 300 }, (_one, index): TimeframeBar => {
  const close = 20 + Math.sin(index / 9) * 3 + ((index * 7919) % 13) / 10;
  const [high, low] = [close + ((index * 31) % 7) / 10, close - ((index * 17) % 5) / 10];
  return { day: index, open: close - 0.1, high, low, close, volume: 1000 + ((index * 53) % 11) * 90 };
});

type Library = (bar: TimeframeBar, replace: boolean) => readonly (number | null)[];

const channel = (of: { upper: number; lower: number; middle: number } | null) => [
  of?.upper ?? null,
  of?.lower ?? null,
  of?.middle ?? null,
];

const CASES: readonly [string, (cells: Cells) => Calc, () => Library][] = [
  ['SMA', (cells) => sma(cells, 20), () => ofClose(new SMA(20))],
  ['HMA of 9', (cells) => hull(cells, 9), () => ofClose(new HMA(9))],
  ['HMA of 20', (cells) => hull(cells, 20), () => ofClose(new HMA(20))],
  ['VWMA', (cells) => volumeWeighted(cells, 20), () => ofBar(new VWMA(20))],
  ['MOM', (cells) => momentum(cells, 10), () => ofClose(new MOM(10))],
  ['AO', awesome, () => ofBar(new AO(5, 34))],
  [
    'ROC',
    rateOfChange,
    () => {
      const library = new ROC(9);
      return ({ close }, replace) => {
        const share = library.update(close, replace);
        return [share === null ? null : share * 100];
      };
    },
  ],
  [
    'Donchian channels',
    (cells) => donchian(cells, 20),
    () => {
      const library = new DonchianChannels(20);
      return (bar, replace) => channel(library.update(bar, replace));
    },
  ],
  [
    'Keltner channels',
    keltner,
    () => {
      const library = new KeltnerChannels({ emaInterval: 20, atrInterval: 10, multiplier: 2 });
      return (bar, replace) => {
        const [upper = null, lower = null, middle = null] = channel(library.update(bar, replace));
        return [upper, middle, lower];
      };
    },
  ],
];

function ofClose(library: { update(close: number, replace: boolean): number | null }): Library {
  return ({ close }, replace) => [library.update(close, replace)];
}

function ofBar(library: { update(bar: TimeframeBar, replace: boolean): number | null }): Library {
  return (bar, replace) => [library.update(bar, replace)];
}

test.each(CASES)(
  'a computation that keeps its numbers in cells has the values of the library %s',
  (_name, make, makeLibrary) => {
    const cells = new Cells();
    const calc = make(cells);
    const library = makeLibrary();
    cells.values = cells.fresh();
    let known = 0;
    for (const bar of BARS) {
      // The running bar changes twice before it ends.
      for (const [replace, shift] of [
        [false, 0.4],
        [true, -0.3],
        [true, 0],
      ] as const) {
        const running = { ...bar, close: bar.close + shift, high: bar.high + 1, low: bar.low - 1 };
        const expected = library(running, replace);
        calc.update(running, replace);
        expected.forEach((value, output) => {
          const own = cells.get(calc.out + output);
          if (value === null) return expect(own).toBeNaN();
          known += 1;
          expect(own).toBeCloseTo(value, 9);
        });
      }
    }
    expect(known).toBeGreaterThan(700);
  },
);
