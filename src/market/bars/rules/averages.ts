import type { BarColumns, ChartTimeframe } from './bars.ts';

/** The moving averages that a chart offers: the lengths that traders look at, of both kinds. */
export const AVERAGE_IDS = ['sma20', 'sma50', 'sma200', 'ema20', 'ema50', 'ema200'] as const;
export type AverageId = (typeof AVERAGE_IDS)[number];

export type Average = {
  kind: 'sma' | 'ema';
  /** Of how many closes. */
  length: 20 | 50 | 200;
  /** 'SMA 20', as the columns are named. */
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

/** A moving average over the bars of a chart. */
export type ChartAverage = {
  id: AverageId;
  /** AUD, one a bar; those before `first` say nothing. */
  values: readonly number[];
  /** The first bar that has an average; as many as there are bars when none has. */
  first: number;
};

/** Months: what is known of a stock rarely has twenty, and never two hundred. */
export const hasAverages = (tf: ChartTimeframe): boolean => tf !== 'M';

/** By then what an exponential average began with counts for less than a two-thousandth of itself. */
const SETTLED_LENGTHS = 4;

/**
 * How many bars before a bar its average needs. An exponential one is made of all that ever were: after this many it hardly
 * tells with which one it began.
 */
export const barsBefore = (id: AverageId): number => {
  const { kind, length } = AVERAGES[id];
  return kind === 'sma' ? length - 1 : length * SETTLED_LENGTHS;
};

/** The average at a bar, AUD; null where there are too few bars before it. */
export const averageAt = ({ values, first }: ChartAverage, bar: number): number | null =>
  bar < first ? null : (values[bar] ?? null);

function mean(closes: readonly number[], end: number, length: number): number {
  let sum = 0;
  for (let bar = end - length + 1; bar <= end; bar += 1) sum += closes[bar] ?? 0;
  return sum / length;
}

/** Values from a bar on, behind those before it, by the formulas of the columns `sma` and `ema`. */
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

/** The first bar that is not the same in both; bars that begin at another time have none in common. */
function firstChange(before: BarColumns, after: BarColumns): number {
  if (before.time[0] !== after.time[0]) return 0;
  let bar = 0;
  while (bar < before.time.length && before.close[bar] === after.close[bar]) {
    if (before.time[bar] !== after.time[bar]) break;
    bar += 1;
  }
  return bar;
}

/** The bars that are shown; `hasMore` as in `BarsAnswer`. */
type Averaged = { bars: BarColumns; hasMore: boolean };

/**
 * Computes the averages of a chart's bars; of bars that only went on, what is new.
 *
 * An exponential average begins with the first close that is known. While older ones are to be had it begins with the first
 * that is there, and counts only from where that no longer tells: what is drawn does not move once the older bars come.
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
