import type { ReactNode } from 'react';
import type { BarColumns, ChartTimeframe } from '#market/bars/rules/bars.ts';
import type { BarsAnswer } from '#market/bars/rules/barsAnswer.ts';
import type { ChartData, ChartExtras } from '#market/bars/rules/chart.ts';
import type { BacktestedPeriod } from '#subjects/alerts/rules/backtest.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { marketEpoch } from '#web/live/marketEpoch.ts';
import { PriceChart } from '#subjects/stock/web/shared/chart/PriceChart.tsx';
import { fetchBarsBefore } from '../api.ts';

type BarsOf = {
  answer: BarsAnswer | null;
  hasFailed: boolean;
};

/** The newest bars before `before` (epoch ms), loaded once per epoch of the market. */
export function useBarsOf(symbol: string, tf: ChartTimeframe, before: number): BarsOf {
  const { data, isCurrent, error } = useLoaded(
    () => fetchBarsBefore(symbol, tf, before),
    `The bars of ${symbol} could not be loaded.`,
    { of: `${symbol} ${tf} ${before} ${marketEpoch.value ?? ''}` },
  );
  return { answer: isCurrent ? data : null, hasFailed: error !== null };
}

/** Bars that begin between two times, epoch ms, inclusive. */
export function barsWithin(bars: BarColumns, from: number, to: number): BarColumns {
  const first = bars.time.findIndex((time) => time >= from);
  const after = bars.time.findIndex((time) => time > to);
  const [begin, end] = [first < 0 ? bars.time.length : first, after < 0 ? bars.time.length : after];
  const part = (column: number[]) => column.slice(begin, end);
  return {
    time: part(bars.time),
    open: part(bars.open),
    high: part(bars.high),
    low: part(bars.low),
    close: part(bars.close),
    volume: part(bars.volume),
  };
}

export function dataWithin(
  answer: BarsAnswer,
  from: number,
  to: number,
  extras: ChartExtras,
): ChartData | null {
  const bars = barsWithin(answer.bars, from, to);
  if (bars.time.length === 0) return null;
  const unknown = answer.unknown.filter((span) => span.until > from && span.from < to);
  return { tf: answer.tf, bars, partial: answer.partial, unknown, knownSince: null, ...extras };
}

/** Chart data from the closes of a backtest, used if bars are not available. */
export function dataOfCloses(
  { times, closes }: Pick<BacktestedPeriod, 'times' | 'closes'>,
  tf: ChartTimeframe,
  extras: ChartExtras,
): ChartData | null {
  if (times.length < 2) return null;
  const volume = closes.map(() => 0);
  const bars = { time: times, open: closes, high: closes, low: closes, close: closes, volume };
  return { tf, bars, unknown: [], knownSince: null, ...extras };
}

type FiringChartProps = {
  symbol: string;
  label: string;
  data: ChartData | null;
  isWaiting: boolean;
};

export function FiringChart({ symbol, label, data, isWaiting }: FiringChartProps): ReactNode {
  if (data === null && !isWaiting) return null;
  return (
    <div className="firing-chart" aria-busy={isWaiting}>
      {data === null ? (
        <p className="center muted">Loading the chart of {symbol}…</p>
      ) : (
        <PriceChart label={label} data={data} fitsAll />
      )}
    </div>
  );
}
