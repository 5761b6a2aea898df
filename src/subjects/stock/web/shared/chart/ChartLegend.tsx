import type { ReactNode } from 'react';
import { Trend } from '#ui/Trend.tsx';
import { AverageLine } from './averages/AverageLine.tsx';
import type { AverageValue } from './averages/averageText.ts';
import type { BarValues } from './chartFormat.ts';
import './ChartLegend.css';

type ChartLegendProps = {
  values: BarValues | null;
  averages: readonly AverageValue[];
  texts: readonly string[];
};

/** The numbers of the bar under the crosshair, else of the newest, and what happened there. */
export function ChartLegend({ values, averages, texts }: ChartLegendProps): ReactNode {
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
      {averages.length > 0 && (
        <span className="chart-legend-values">
          {averages.map(({ id, title, value }) => (
            <span className="chart-legend-value" key={id}>
              <AverageLine id={id} /> <span className="chart-legend-name">{title}</span> {value}
            </span>
          ))}
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
