import { memo, type ReactNode, useState } from 'react';
import { type ChartData, knownFigures, type ChartLevel, type ChartMark } from '#market/bars/rules/chart.ts';
import { formatMoment, formatNumber } from '#texts/format.ts';
import {
  linesOf,
  lineText,
  averageTitle,
  barTimeText,
  MARK_NAMES,
  AverageLine,
  averageName,
  averageNow,
  MARK_SIGNS,
} from './chartTexts.tsx';

const LINES: Readonly<Record<ChartLevel['kind'], string>> = {
  previousClose: 'The previous close',
  vwap: 'The average price of the day, weighted by volume',
  entry: 'Where your call was entered',
  target: 'The target of your call',
  stop: 'The stop loss of your call',
  alert: 'The price in your alert',
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

function levelsOf({ levels = [], paths = [] }: ChartData): [string, string][] {
  return [...new Map([...levels, ...paths].map(({ title, kind }) => [title, LINES[kind]]))];
}

function marksOf({ marks = [] }: ChartData): [string, string][] {
  const kinds = [...new Set(marks.map(({ kind }) => kind))];
  return kinds.map((kind) => [MARK_SIGNS[kind], MARKS[kind]]);
}

type ChartKeyProps = {
  data: ChartData;
  decimals: number;
  hasAlerts: boolean;
};

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
      <Entry sign="▮" direction="up">
        Closed above its open
      </Entry>
      <Entry sign="▮" direction="down">
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
          {averageName(average)}: {averageNow(average, data, decimals)}
        </Entry>
      ))}
      {[...levelsOf(data), ...marksOf(data)].map(([sign, words]) => (
        <Entry key={sign} sign={sign}>
          {words}
        </Entry>
      ))}
      {shades.length > 0 && <Entry sign="▒">Halted or suspended</Entry>}
      {hasAlerts && <Entry sign="Click">Selects a price, where you can set an alert</Entry>}
      {partial.length > 0 && <Entry sign="–">Open unknown: drawn at its close</Entry>}
      {unknown.length > 0 && <Entry sign="Gap">No prices were received</Entry>}
    </dl>
  );
}

type EntryProps = { sign: ReactNode; direction?: 'up' | 'down'; children: ReactNode };

function Entry({ sign, direction, children }: EntryProps): ReactNode {
  return (
    <div className="chart-key-entry">
      <dt className={direction}>{sign}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Limit of rows in the table for screen readers; the arrows reach the others. */
const MAX_ROWS = 30;

const COLUMNS = ['Time', 'Open', 'High', 'Low', 'Close', 'Volume'];

type ChartNumbersProps = { label: string; data: ChartData; decimals: number };

const namesOf = (data: ChartData): string =>
  linesOf(data)
    .map(({ id }) => id)
    .join(' ');

/** Updates with each bar, not with each tick, so the last row may be older than the running bar. */
const isSame = (before: ChartNumbersProps, after: ChartNumbersProps): boolean =>
  before.label === after.label &&
  before.decimals === after.decimals &&
  before.data.bars.time.length === after.data.bars.time.length &&
  before.data.bars.time[0] === after.data.bars.time[0] &&
  before.data.tf === after.data.tf &&
  before.data.marks === after.data.marks &&
  before.data.levels === after.data.levels &&
  namesOf(before.data) === namesOf(after.data) &&
  before.data.partial === after.data.partial &&
  before.data.unknown === after.data.unknown &&
  before.data.shades === after.data.shades;

export const ChartNumbers = memo(
  (props: ChartNumbersProps): ReactNode => (
    <div className="visually-hidden">
      <BarTable {...props} />
      <ExtrasList {...props} />
    </div>
  ),
  isSame,
);

function figuresOf(data: ChartData, place: number, decimals: number): string[] {
  const { open, high, low, close, volume } = knownFigures(data, place);
  return [...[open, high, low, close].map((price) => formatNumber(price, decimals)), formatNumber(volume, 0)];
}

function BarTable({ label, data, decimals }: ChartNumbersProps): ReactNode {
  const { bars, tf } = data;
  const lines = linesOf(data);
  const newest = bars.time.at(-1) ?? 0;
  const first = Math.max(0, bars.time.length - MAX_ROWS);
  return (
    <table>
      <caption>
        {label}: the newest {bars.time.length - first} of {bars.time.length} bars
      </caption>
      <thead>
        <tr>
          {[...COLUMNS, ...lines.map(averageTitle)].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.time.slice(first).map((time, place) => (
          <tr key={time}>
            <th scope="row">{barTimeText(time, tf, newest)}</th>
            {figuresOf(data, first + place, decimals).map((figure, index) => (
              <td key={COLUMNS[index + 1]}>{figure}</td>
            ))}
            {lines.map((line) => (
              <td key={line.id}>{lineText(line, first + place, decimals)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ExtrasList({ data, decimals }: ChartNumbersProps): ReactNode {
  const { marks = [], levels = [], shades = [], unknown } = data;
  return (
    <ul>
      {levels.map((level) => (
        <li key={`${level.title} ${level.price}`}>
          {level.title}: {formatNumber(level.price, decimals)}
        </li>
      ))}
      {marks.slice(-MAX_ROWS).map((mark) => (
        <li key={`${mark.kind} ${mark.time} ${mark.text}`}>
          {formatMoment(mark.time)}, {MARK_NAMES[mark.kind]}: {mark.text}
          {mark.price !== undefined && ` at ${formatNumber(mark.price, decimals)}`}
        </li>
      ))}
      {shades.map(({ title, from, until }) => (
        <li key={`${title} ${from}`}>
          {title} from {formatMoment(from)} to {formatMoment(until)}
        </li>
      ))}
      {unknown.map(({ from, until }) => (
        <li key={from}>
          No data from {formatMoment(from)} to {formatMoment(until)}
        </li>
      ))}
    </ul>
  );
}
