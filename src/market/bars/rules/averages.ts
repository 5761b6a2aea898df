import type { BarColumns, ChartTimeframe } from './bars.ts';

export const AVERAGE_IDS = ['sma20', 'sma50', 'sma200', 'ema20', 'ema50', 'ema200'] as const;
export type AverageId = (typeof AVERAGE_IDS)[number];

export type Average = {
  kind: 'sma' | 'ema';
  length: 20 | 50 | 200;
  title: string;
};

const average = (kind: Average['kind'], length: Average['length']): Average => ({
  kind,
  length,
  title: `${kind.toUpperCase()} ${length}`,
});

export const AVERAGES: Readonly<Record<AverageId, Average>> = {
  sma20: average('sma', 20),
  sma50: average('sma', 50),
  sma200: average('sma', 200),
  ema20: average('ema', 20),
  ema50: average('ema', 50),
  ema200: average('ema', 200),
};

export type ChartAverage = {
  id: AverageId;
  /** AUD, one per bar; undefined before `first`. */
  values: readonly number[];
  /** The first bar with an average; the number of bars if none has. */
  first: number;
};

/** False for months, because few stocks have twenty of them. */
export const hasAverages = (tf: ChartTimeframe): boolean => tf !== 'M';

/** After this many lengths, the first value of an exponential average weighs less than 1/2000. */
const SETTLED_LENGTHS = 4;

/** The bars needed before a bar. Older ones hardly change an exponential average. */
export const barsBefore = (id: AverageId): number => {
  const { kind, length } = AVERAGES[id];
  return kind === 'sma' ? length - 1 : length * SETTLED_LENGTHS;
};

/** AUD; null with too few bars before it. */
export const averageAt = (
  { values, first }: Pick<ChartAverage, 'values' | 'first'>,
  bar: number,
): number | null => (bar < first ? null : (values[bar] ?? null));

function mean(closes: readonly number[], end: number, length: number): number {
  let sum = 0;
  for (let bar = end - length + 1; bar <= end; bar += 1) sum += closes[bar] ?? 0;
  return sum / length;
}

/** Continues values from a bar on, by the formulas of the columns `sma` and `ema`. */
function extended({ kind, length }: Average, closes: readonly number[], before: readonly number[]): number[] {
  const values = [...before];
  const weight = 2 / (length + 1);
  for (let bar = values.length; bar < closes.length; bar += 1) {
    const close = closes[bar] ?? Number.NaN;
    if (kind === 'sma') values.push(bar < length - 1 ? Number.NaN : mean(closes, bar, length));
    else values.push(bar === 0 ? close : close * weight + (values[bar - 1] ?? close) * (1 - weight));
  }
  return values;
}

function firstChange(before: BarColumns, after: BarColumns): number {
  if (before.time[0] !== after.time[0]) return 0;
  let bar = 0;
  while (bar < before.time.length && before.close[bar] === after.close[bar]) {
    if (before.time[bar] !== after.time[bar]) break;
    bar += 1;
  }
  return bar;
}

type Averaged = { bars: BarColumns; hasMore: boolean };

/**
 * Computes averages, incrementally for appended bars. An exponential average begins at the first known close.
 * While older bars can still be loaded, it is shown only where they would not change it, so that the line
 * does not move.
 */
export function createAverager(): (shown: Averaged, ids: readonly AverageId[]) => ChartAverage[] {
  let last: BarColumns | null = null;
  let known = new Map<AverageId, number[]>();
  return ({ bars, hasMore }, ids) => {
    const same = last === null ? 0 : firstChange(last, bars);
    const next = new Map(
      ids.map((id) => {
        const before = known.get(id) ?? [];
        const values =
          before.length === bars.time.length && same === bars.time.length
            ? before
            : extended(AVERAGES[id], bars.close, before.slice(0, same));
        return [id, values];
      }),
    );
    [last, known] = [bars, next];
    return [...next].map(([id, values]) => {
      const first = hasMore ? barsBefore(id) : AVERAGES[id].length - 1;
      return { id, values, first: Math.min(first, bars.time.length) };
    });
  };
}
