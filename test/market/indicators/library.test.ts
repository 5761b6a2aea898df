import { describe, expect, test } from 'bun:test';
import { AO, DonchianChannels, HMA, KeltnerChannels, MOM, ROC, SMA, VWMA } from 'trading-signals';
import { hull, keltner, sma, volumeWeighted } from '../../../src/market/indicators/formulas/averages.ts';
import { Cells } from '../../../src/market/indicators/formulas/cells.ts';
import { formulaOf } from '../../../src/market/indicators/formulas/index.ts';
import { awesome, momentum, rateOfChange } from '../../../src/market/indicators/formulas/oscillators.ts';
import { donchian } from '../../../src/market/indicators/formulas/trend.ts';
import {
  type Frame,
  compute,
  createFrame,
  feedPast,
  setRunning,
} from '../../../src/market/indicators/frame.ts';
import { type Output, planFrame } from '../../../src/market/indicators/plan.ts';
import { builtInCatalog } from '../../../src/market/indicators/rules/builtInCatalog.ts';
import type { Calc, TimeframeBar } from '../../../src/market/indicators/types.ts';

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

describe('a computation that keeps its numbers in cells has the values of the library', () => {
  test.each(CASES)('%s', (_name, make, makeLibrary) => {
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
  });
});

describe('shared windows', () => {
  const { indicators } = builtInCatalog();
  const VOLUMES = [10, 30, 60, 90].map((bars) => `average-volume-${bars}d-calc`);
  const FAMILIES = [
    ...['sma', 'hull-ma', 'bb-upper', 'mom', 'roc', 'vwma', 'chaikin-money-flow', ...VOLUMES],
    ...[
      'stoch-k',
      'stoch-d',
      'w-r',
      'aroon-up',
      'donch-ch-lower',
      'ichimoku-lead2',
      'relative-volume-10d-calc',
    ],
  ];

  function planOf(families: readonly string[]) {
    const formulas = families.map((slug) => {
      const family = indicators[slug];
      const formula = family && formulaOf(family, {});
      if (!formula) throw new Error(`${slug} can't be computed.`);
      return formula;
    });
    const outputs = formulas.map(({ output }, calc): Output => {
      const place = { kind: 'indicator', tf: '5', key: `${calc}`, valueKey: 'now' } as const;
      return { calc, output, delay: 0, place, placeId: `${calc}` };
    });
    return planFrame('5', formulas, outputs);
  }

  /** A bar of a stock; of some the volume is unknown, of others more than the close. */
  function barOf(stock: number, index: number): TimeframeBar {
    const close = 20 + stock + Math.sin(index / 9 + stock) * 3 + ((index * 7919) % 13) / 10;
    const isKnown = index % 17 !== 0;
    const volume = index % 11 === 0 ? Number.NaN : 1000 + ((index * 53) % 11) * 90;
    const range = isKnown
      ? { open: close, high: close + 0.7, low: close - 0.4 }
      : { open: NaN, high: NaN, low: NaN };
    return { day: index, ...range, close, volume };
  }

  const valuesOf = ({ plan, numbers }: Frame): (number | undefined)[] =>
    plan.outputs.map(({ calc, output }) => numbers[(plan.calcs[calc]?.out ?? 0) + output]);

  /** Two stocks by turns, the running bar changed twice. */
  function valuesAfter(families: readonly string[]): (number | undefined)[][] {
    const plan = planOf(families);
    const frames = [0, 1].map(() => createFrame(plan));
    for (let index = 0; index < 150; index += 1) {
      for (const [stock, frame] of frames.entries())
        feedPast(frame, { bucket: index, first: index, bar: barOf(stock, index) }, true);
    }
    for (let index = 150; index < 200; index += 1) {
      for (const [stock, frame] of frames.entries()) {
        const bar = barOf(stock, index);
        setRunning(frame, index, { ...bar, close: bar.close + 0.2, volume: 10 });
        compute(frame);
        setRunning(frame, index, { ...bar, volume: bar.volume / 2 });
        compute(frame);
        setRunning(frame, index, bar);
        compute(frame);
      }
    }
    return frames.map(valuesOf);
  }

  describe('windows that share a ring', () => {
    test('give every computation the values that it has alone', () => {
      const alone = FAMILIES.map((family) => valuesAfter([family]));
      const together = valuesAfter(FAMILIES);
      for (const stock of [0, 1]) {
        expect(together[stock]).toEqual(alone.map((values) => values[stock]?.[0]));
        expect(together[stock]?.filter(Number.isFinite).length).toBeGreaterThan(10);
      }
    });
  });
});
