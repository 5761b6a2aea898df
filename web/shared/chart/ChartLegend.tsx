import type { ReactNode } from 'react';
import { Trend } from '../../ui/Trend.tsx';
import type { BarValues } from './chartFormat.ts';
import './ChartLegend.css';

type ChartLegendProps = { values: BarValues | null; texts: readonly string[] };

/** The numbers of the bar under the crosshair, else of the newest, and what happened there. */
export function ChartLegend({ values, texts }: ChartLegendProps): ReactNode {
  const text = texts.join(' · ');
  return (
    <figcaption className="chart-legend" aria-hidden="true">
      {values !== null && (
        <span className="chart-legend-values">
          <span className="chart-legend-when">{values.when}</span>
          <Value name="O">{values.open}</Value>
          <Value name="H">{values.high}</Value>
          <Value name="L">{values.low}</Value>
          <Value name="C">{values.close}</Value>
          {values.change && <Trend direction={values.change.direction}>{values.change.text}</Trend>}
          <Value name="Vol">{values.volume}</Value>
        </span>
      )}
      <span className="chart-legend-text" title={text || undefined}>
        {text}
      </span>
    </figcaption>
  );
}

function Value({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <span className="chart-legend-value">
      <span className="chart-legend-name">{name}</span> {children}
    </span>
  );
}
