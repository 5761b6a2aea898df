import { describe, expect, test } from 'bun:test';
import type { TimeframeBar } from '../../../../src/market/indicators/types.ts';
import { eodBars, formula, runFormula } from '../../../support/bars.ts';
import { type Cell, januaryCloses } from '../../../support/januaryCloses.ts';
import { readRecordedScan, recordings } from '../../../support/recordedScan.ts';

type Pair = { code: string; first: Cell; second: Cell };

const scanOf = (folder: string, date: string): Map<string, Cell> =>
  new Map(
    readRecordedScan(folder, date).map(({ symbol, cells }) => {
      const read: Cell = (column) => {
        const value = cells.get(column);
        return typeof value === 'number' ? value : Number.NaN;
      };
      return [symbol.replace('ASX:', ''), read];
    }),
  );

/** The listings of both recorded days. */
function pairsOf(folder: string): Pair[] {
  const firstDay = scanOf(folder, '2026-01-19');
  return [...scanOf(folder, '2026-01-20')].flatMap(([code, second]) => {
    const first = firstDay.get(code);
    return first ? [{ code, first, second }] : [];
  });
}

/** Bars of which only the close is known: for indicators that look at nothing else. */
const closeBars = (closes: readonly number[]): TimeframeBar[] =>
  closes.map((close, day) => ({ day, open: close, high: close, low: close, close, volume: 1 }));

const endOf = (slug: string, length: string | undefined, bars: readonly TimeframeBar[]): number =>
  runFormula(formula(slug, length), bars).at(-1) ?? Number.NaN;

/** Each code's closes from January 2025 to 20 January 2026. */
function historiesOf(folder: string, pairs: readonly Pair[]) {
  const eod = eodBars(folder);
  return pairs.flatMap(({ code, first, second }) => {
    const own = eod.get(code);
    if (!own || own.length < 240 || own.at(-1)?.date !== '2025-12-31') return [];
    const closes = own.map((bar) => bar.close);
    const january = januaryCloses(closes, first, second);
    if (!january.every((close) => close > 0)) return [];
    const bars = closeBars([...closes, ...january]);
    // Only where the worked-out closes give back what they were made from, and a sum that reaches into 2025.
    const isSound = [
      endOf('ema', '5', bars) / second('EMA5'),
      endOf('ema', '20', bars) / second('EMA20'),
      endOf('sma', '50', bars) / second('SMA50'),
    ].every((ratio) => Math.abs(ratio - 1) < 1e-9);
    return isSound ? [{ code, second, bars }] : [];
  });
}

const summary = (name: string, deviations: number[]): string => {
  const sorted = deviations.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toExponential(1);
  return `${name}: ${sorted.length} stocks, median ${at(0.5)}, 95 % ${at(0.95)}, worst ${at(1)}`;
};

/**
 * [family, length, the platform's column, what it may differ by, whether it is measured against the price]. The
 * platform knows each stock's whole life, the recorded prices begin in January 2025: a slow exponential average still
 * remembers where it was begun, which is what the wider bounds are for.
 */
const compared: [string, string | undefined, string, number, boolean][] = [
  ['rsi', '14', 'RSI', 1e-6, false],
  ['rsi', '7', 'RSI7', 1e-6, false],
  ['macd-macd', undefined, 'MACD.macd', 1e-6, true],
  ['macd-signal', undefined, 'MACD.signal', 1e-6, true],
  ['bb-upper', '20', 'BB.upper', 1e-6, false],
  ['bb-lower', '20', 'BB.lower', 1e-6, false],
  ['mom', '10', 'Mom', 1e-6, true],
  ['sma', '100', 'SMA100', 1e-6, false],
  ['ema', '30', 'EMA30', 1e-6, false],
  ['ema', '50', 'EMA50', 1e-4, false],
  ['ema', '100', 'EMA100', 2e-2, false],
];

describe.each(recordings())("$name: values agree with the platform's own of 20 January 2026", (set) => {
  const histories = historiesOf(set.folder, pairsOf(set.folder));

  test('enough closes between the recorded year and that day could be worked out', () => {
    expect(histories.length).toBeGreaterThan(set.isWhole ? 300 : 20);
  });

  for (const [slug, length, column, bound, againstPrice] of compared) {
    test(column, () => {
      const deviations = histories.map(({ second, bars }) => {
        const theirs = second(column);
        const size = againstPrice ? second('close') : Math.abs(theirs);
        return Math.abs(endOf(slug, length, bars) - theirs) / size;
      });
      console.log(summary(column, deviations));
      expect(Math.max(...deviations)).toBeLessThan(bound);
    });
  }
});

/**
 * What the two scans alone tell of smoothed indicators that need highs and lows, which nobody recorded between: how the
 * second day's value follows from the first. These are the steps that the definitions of the other test take.
 */
describe.each(recordings())(
  '$name: the platform smooths as we do from one recorded day to the next',
  (set) => {
    const traded = pairsOf(set.folder).filter(
      ({ first, second }) =>
        // A stock that did not trade on the second day shows its last bar twice.
        second('volume') !== first('volume') &&
        // The averages of young listings still show how they were begun, which differs between ATR and the lines.
        Number.isFinite(first('SMA200')) &&
        // The second day's change begins where the first ended: no split or other adjustment between.
        Math.abs(second('close') - second('change_abs') - first('close')) < 1e-9,
    );
    const range = ({ first, second }: Pair): number =>
      Math.max(second('high'), first('close')) - Math.min(second('low'), first('close'));
    const up = ({ first, second }: Pair): number => {
      const [rise, fall] = [second('high') - first('high'), first('low') - second('low')];
      return rise > fall && rise > 0 ? rise : 0;
    };
    const wilder = (before: number, value: number): number => (before * 13 + value) / 14;

    const steps: [string, (pair: Pair) => number][] = [
      ['ATR', (pair) => wilder(pair.first('ATR'), range(pair))],
      [
        'ADX+DI',
        (pair) => {
          const moved = wilder((pair.first('ADX+DI') * pair.first('ATR')) / 100, up(pair));
          return (100 * moved) / pair.second('ATR');
        },
      ],
      [
        'ADX',
        ({ first, second }) => {
          const [plus, minus] = [second('ADX+DI'), second('ADX-DI')];
          return wilder(first('ADX'), (100 * Math.abs(plus - minus)) / (plus + minus));
        },
      ],
      ['EMA200', ({ first, second }) => first('EMA200') + (2 / 201) * (second('close') - first('EMA200'))],
      [
        'MACD.signal',
        ({ first, second }) => first('MACD.signal') + 0.2 * (second('MACD.macd') - first('MACD.signal')),
      ],
      ['VWAP', ({ second }) => (second('high') + second('low') + second('close')) / 3],
    ];

    for (const [column, step] of steps) {
      test(column, () => {
        const deviations = traded.flatMap((pair) => {
          const theirs = pair.second(column);
          const value = step(pair);
          if (!Number.isFinite(theirs) || !Number.isFinite(value)) return [];
          const size = column === 'MACD.signal' ? pair.second('close') : Math.abs(theirs);
          return size === 0 ? [] : [Math.abs(value - theirs) / size];
        });
        console.log(summary(`${column}, one day on`, deviations));
        const agreeing = deviations.filter((one) => one < 1e-6).length;
        // The platform recomputes a few stocks' whole history between two days.
        expect(deviations.length).toBeGreaterThan(set.isWhole ? 500 : 20);
        expect(agreeing / deviations.length).toBeGreaterThan(0.99);
      });
    }
  },
);
