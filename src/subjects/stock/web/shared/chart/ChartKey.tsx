import { type ReactNode, useState } from 'react';
import type { ChartData, ChartLevel, ChartMark } from '#market/bars/rules/chart.ts';
import { AverageLine } from './averages/AverageLine.tsx';
import { averageName, averageStanding, averageTitle } from './averages/averageText.ts';
import { MARK_SIGNS } from './markTexts.ts';

const LINES: Readonly<Record<ChartLevel['kind'], string>> = {
  previousClose: 'The previous close',
  vwap: 'The average price of the day, weighted by volume',
  entry: 'Where your call was entered',
  target: 'The target of your call',
  stop: 'The stop loss of your call',
  alert: 'The price that your alert waits for',
  exit: 'Where your call ended',
};

const MARKS: Readonly<Record<ChartMark['kind'], string>> = {
  announcement: 'An announcement',
  sensitive: 'A price-sensitive announcement',
  auction: 'An auction',
  trigger: 'Your alert fired',
  entry: 'A call was entered',
  exit: 'A call ended',
  level: 'Target or stop was reached',
  correction: 'An administrator corrected the record',
};

/** What the lines of a chart are, by their titles, each once. */
function linesOf({ levels = [], paths = [] }: ChartData): [string, string][] {
  return [...new Map([...levels, ...paths].map(({ title, kind }) => [title, LINES[kind]]))];
}

/** What the marks that stand in a chart mean, each once. */
function marksOf({ marks = [] }: ChartData): [string, string][] {
  const kinds = [...new Set(marks.map(({ kind }) => kind))];
  return kinds.map((kind) => [MARK_SIGNS[kind], MARKS[kind]]);
}

type ChartKeyProps = {
  data: ChartData;
  decimals: number;
  /** An alert can be set at a price that is pointed at. */
  hasAlerts: boolean;
};

/** Explains the bars, lines and marks that are in a chart; folded until it is asked for, and made only then. */
export function ChartKey(props: ChartKeyProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="chart-key" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Legend</summary>
      {isOpen && <Entries {...props} />}
    </details>
  );
}

function Entries({ data, decimals, hasAlerts }: ChartKeyProps): ReactNode {
  const { averages = [], partial = [], shades = [], unknown } = data;
  return (
    <dl className="box">
      <Entry sign="▮" look="up">
        Closed above its open
      </Entry>
      <Entry sign="▮" look="down">
        Closed below its open
      </Entry>
      <Entry sign="▂">Volume, along the bottom</Entry>
      {averages.map((average) => (
        <Entry
          key={average.id}
          sign={
            <>
              <AverageLine id={average.id} /> {averageTitle(average)}
            </>
          }
        >
          {averageName(average)}: {averageStanding(average, data, decimals)}
        </Entry>
      ))}
      {[...linesOf(data), ...marksOf(data)].map(([sign, words]) => (
        <Entry key={sign} sign={sign}>
          {words}
        </Entry>
      ))}
      {shades.length > 0 && <Entry sign="▒">Halted or suspended</Entry>}
      {hasAlerts && <Entry sign="Click">Points at a price, at which an alert can be set</Entry>}
      {partial.length > 0 && <Entry sign="–">The beginning was not seen: drawn at its close</Entry>}
      {unknown.length > 0 && <Entry sign="Gap">No prices came, so nothing is drawn</Entry>}
    </dl>
  );
}

type EntryProps = { sign: ReactNode; look?: 'up' | 'down'; children: ReactNode };

function Entry({ sign, look, children }: EntryProps): ReactNode {
  return (
    <div className="chart-key-entry">
      <dt className={look}>{sign}</dt>
      <dd>{children}</dd>
    </div>
  );
}
