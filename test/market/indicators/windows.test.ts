import { describe, expect, test } from 'bun:test';
import { formulaOf } from '../../../src/market/indicators/formulas/index.ts';
import {
  compute,
  createFrame,
  feedPast,
  type Frame,
  setRunning,
} from '../../../src/market/indicators/frame.ts';
import { type Output, planFrame } from '../../../src/market/indicators/plan.ts';
import { builtInCatalog } from '../../../src/market/indicators/rules/builtInCatalog.ts';
import type { TimeframeBar } from '../../../src/market/indicators/types.ts';

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

  test('keep the volumes of the longest one', () => {
    const { numbers } = createFrame(planOf(VOLUMES));
    expect(numbers.length).toBeLessThan(90 + 4 * VOLUMES.length);
  });
});
