import { type ReactNode, useMemo } from 'react';
import { timeframeFor } from '../../../rules/firingSpan.ts';
import type { Firing, RehearsalPeriod, RehearsedPeriod } from '../../../rules/rehearsal.ts';
import { periodText } from '../../../rules/rehearsalText.ts';
import type { ChartExtras, ChartLevel } from '../../../../../market/bars/rules/chart.ts';
import { PriceChart } from '../../../../stock/web/shared/chart/PriceChart.tsx';
import { dataOfCloses, dataWithin } from '../firingData.ts';
import { useBarsOf } from '../useBarsOf.ts';
import './FiringChart.css';

type FiringChartProps = {
  symbol: string;
  run: RehearsedPeriod;
  period: RehearsalPeriod;
  firings: readonly Firing[];
  /** Prices that the conditions name. */
  levels: readonly ChartLevel[];
};

const DAY_MS = 86_400_000;

/** A rehearsed period with a mark where the alert would have fired; of its closes alone where no bars can be had. */
export function FiringChart({ symbol, run, period, firings, levels }: FiringChartProps): ReactNode {
  const tf = period === 'days' ? 'D' : timeframeFor(run.from, run.to);
  const { answer, hasFailed } = useBarsOf(symbol, tf, run.to + 1);
  const extras = useMemo(
    (): ChartExtras => ({
      levels,
      marks: firings.map(({ at, price }) => ({
        kind: 'trigger',
        time: at,
        price,
        text: 'Would have fired',
      })),
    }),
    [firings, levels],
  );
  const data = useMemo(() => {
    // A day's bar begins at midnight UTC of its date, up to a day from where the period does.
    const from = tf === 'D' ? run.from - DAY_MS : run.from;
    const known = answer && dataWithin(answer, from, run.to, extras);
    return known ?? (answer !== null || hasFailed ? dataOfCloses(run, tf, extras) : null);
  }, [answer, hasFailed, run, tf, extras]);
  const isWaiting = answer === null && !hasFailed;
  if (data === null && !isWaiting) return null;
  return (
    <div className="firing-chart" aria-busy={isWaiting}>
      {data === null ? (
        <p className="muted">Loading the chart of {symbol}…</p>
      ) : (
        <PriceChart label={`${symbol}, would have fired: ${periodText(run)}`} data={data} fitsAll />
      )}
    </div>
  );
}
