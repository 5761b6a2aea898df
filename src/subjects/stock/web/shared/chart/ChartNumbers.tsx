import { memo, type ReactNode } from 'react';
import { averageAt } from '#market/bars/rules/averages.ts';
import { type ChartData, knownFigures } from '#market/bars/rules/chart.ts';
import { formatMoment } from '#subjects/calls/rules/callFormat.ts';
import { formatNumber } from '#texts/format.ts';
import { averageText, averageTitle } from './averages/averageText.ts';
import { barTimeText } from './chartFormat.ts';
import { MARK_NAMES } from './markTexts.ts';

/** A screen reader reads no more of a chart at once; the bars before it are reached by the arrows. */
const MAX_ROWS = 30;

const COLUMNS = ['Time', 'Open', 'High', 'Low', 'Close', 'Volume'];

type ChartNumbersProps = { label: string; data: ChartData; decimals: number };

/** The averages that a chart has. */
const namesOf = ({ averages = [] }: ChartData): string => averages.map(({ id }) => id).join(' ');

/** Anew with each bar, not with each tick: the last row says how the running bar stood then. */
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

/** The newest bars, the levels and the marks of a chart for screen readers. */
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
  const { bars, tf, averages = [] } = data;
  const newest = bars.time.at(-1) ?? 0;
  const first = Math.max(0, bars.time.length - MAX_ROWS);
  return (
    <table>
      <caption>
        {label}: the newest {bars.time.length - first} of {bars.time.length} bars
      </caption>
      <thead>
        <tr>
          {[...COLUMNS, ...averages.map(averageTitle)].map((name) => (
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
            {averages.map((average) => (
              <td key={average.id}>{averageText(averageAt(average, first + place), decimals)}</td>
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
          Not known from {formatMoment(from)} to {formatMoment(until)}
        </li>
      ))}
    </ul>
  );
}
