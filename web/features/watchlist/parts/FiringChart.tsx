import { type ReactNode, useMemo } from 'react';
import type { Firing, RehearsedPeriod } from '../../../../src/domain/alerts/rehearsal.ts';
import { periodText } from '../../../../src/domain/alerts/rehearsalText.ts';
import { priceText } from '../../../../src/domain/alerts/seenText.ts';
import { formatMoment } from '../../../../src/domain/calls/callFormat.ts';
import { CHART_HEIGHT, CHART_WIDTH, chartPaths } from './chartPaths.ts';
import './FiringChart.css';

type FiringChartProps = { symbol: string; run: RehearsedPeriod; firings: readonly Firing[] };

const dayOf = (time: number): string => formatMoment(time).replace(/ \d\d:\d\d$/, '');

/** The closes of a period as a line, with a dot where the alert would have fired. */
export function FiringChart({ symbol, run, firings }: FiringChartProps): ReactNode {
  const paths = useMemo(() => chartPaths(run, firings), [run, firings]);
  if (paths === null) return null;
  const [low, high] = [priceText(paths.low), priceText(paths.high)];
  return (
    <figure className="firing-chart">
      <div className="firing-chart-prices" aria-hidden="true">
        <span>{high}</span>
        <span>{low}</span>
      </div>
      <svg
        viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${symbol} between ${low} and ${high}. Would have fired: ${periodText(run)}.`}
      >
        <path className="firing-chart-line" d={paths.line} />
        <path className="firing-chart-ring" d={paths.dots} />
        <path className="firing-chart-dots" d={paths.dots} />
      </svg>
      <figcaption aria-hidden="true">
        <span>{dayOf(run.from)}</span>
        <span>{dayOf(run.to)}</span>
      </figcaption>
    </figure>
  );
}
