import type { ReactNode } from 'react';
import { formatHeld, formatMoment, formatResult } from '#subjects/calls/rules/callFormat.ts';
import { median, type CallResult, type ResultStats } from '#subjects/calls/rules/record.ts';
import { formatSigned } from '#texts/format.ts';
import { Disclosure } from '#ui/Disclosure.tsx';
import { directionTone } from '../parts/directionTone.ts';
import { callPath } from '../addresses.ts';
import { Trend } from '#ui/Trend.tsx';

/** A result behind the arrow of its direction, percent; a dash where there is none. */
export const ResultText = ({ percent }: { percent: number | null }): ReactNode => {
  const direction = directionTone(percent, 1);
  const text = formatResult(percent);
  return direction === 'up' || direction === 'down' ? <Trend direction={direction}>{text}</Trend> : text;
};

/** A result's call: a link to it, unless it is not shown to everybody. */
const ResultCall = ({ result: { publicId, symbol } }: { result: CallResult }): ReactNode =>
  publicId === null ? 'A rejected call' : <a href={`#${callPath(publicId)}`}>{symbol ?? 'Call'}</a>;

/** The best and the worst of somebody's results. */
export function BestAndWorst({ stats: { best, worst } }: { stats: ResultStats }): ReactNode {
  return (
    <section className="stack gap-1 min-w-0">
      <h3>Best and worst</h3>
      <List title="Best" results={best} />
      <List title="Worst" results={worst} />
    </section>
  );
}

function List({ title, results }: { title: string; results: readonly CallResult[] }): ReactNode {
  return (
    <table className="data-table full-width">
      <caption>{title}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Call</th>
          <th scope="col">Result</th>
          <th scope="col">Held</th>
          <th scope="col">Ended</th>
        </tr>
      </thead>
      <tbody>
        {results.map((result) => (
          <tr key={`${result.endedAt} ${result.publicId} ${result.percent}`}>
            <td>
              <ResultCall result={result} />
            </td>
            <td className="is-number">
              <ResultText percent={result.percent} />
            </td>
            <td className="is-number">{formatHeld(result.days)}</td>
            <td>{formatMoment(result.endedAt)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Where a percent lies on a scale that leaves room for small results beside large ones: the root of its size, with its sign. */
const rootOf = (percent: number): number => Math.sign(percent) * Math.sqrt(Math.abs(percent));

/** Percents at which a line may be drawn. */
const LINES = [1, 5, 20, 50, 100, 200, 500, 1000, 5000] as const;

type ResultScale = {
  /** From 0 at the top to 1 at the bottom. */
  place(percent: number): number;
  /** Percents of the lines, the highest first; 0 is one of them. */
  lines: number[];
};

/** A scale that holds all results and has 0 in it. @param percents one or more */
export function resultScale(percents: readonly number[]): ResultScale {
  const top = Math.max(1, ...percents) * 1.1;
  const bottom = Math.min(-1, ...percents) * 1.1;
  const span = rootOf(top) - rootOf(bottom);
  const place = (percent: number): number => (rootOf(top) - rootOf(percent)) / span;
  const up = LINES.filter((line) => line <= top);
  const down = LINES.filter((line) => line <= -bottom);
  // Two on each side are enough to read it by.
  const lines = [...up.slice(-2).reverse(), 0, ...down.slice(-2).map((line) => -line)];
  return { place, lines };
}

const WIDTH = 600;
const HEIGHT = 180;
const SIDE = 64;
/** Half of a label's height on a phone, and more than a dot's. */
const EDGE = 10;

type ResultDotsProps = {
  /** In the order in which they ended. */
  results: readonly CallResult[];
  /** How many there are in all. */
  total: number;
};

/** Each result as a dot, the oldest on the left; and the same as a table. */
export function ResultDots({ results, total }: ResultDotsProps): ReactNode {
  const half = median(results.map(({ percent }) => percent)) ?? 0;
  return (
    <section className="result-dots stack gap-1 min-w-0">
      <h3>Results over time</h3>
      <p className="muted small">
        {results.length < total ? `Newest ${results.length} shown. ` : ''}One dot per call, oldest on the
        left; the dashed line is the median, {formatResult(half)}.
      </p>
      <Picture results={results} half={half} />
      <Disclosure label="Show as table">
        <ResultTable results={results} />
      </Disclosure>
    </section>
  );
}

/** @param half the median, percent */
function Picture({ results, half }: { results: readonly CallResult[]; half: number }): ReactNode {
  const { place, lines } = resultScale(results.map(({ percent }) => percent));
  const step = (WIDTH - SIDE - 8) / Math.max(1, results.length);
  const across = (percent: number) => {
    const y = place(percent) * HEIGHT;
    return { x1: SIDE, x2: WIDTH, y1: y, y2: y };
  };
  return (
    <svg viewBox={`0 ${-EDGE} ${WIDTH} ${HEIGHT + 2 * EDGE}`} aria-hidden="true">
      {lines.map((line) => (
        <g key={line}>
          <line className={line === 0 ? 'result-dots-zero' : undefined} {...across(line)} />
          <text x={SIDE - 6} y={place(line) * HEIGHT + 4}>
            {formatSigned(line, 0)}%
          </text>
        </g>
      ))}
      <line className="result-dots-median" {...across(half)} />
      {results.map(({ percent, endedAt, publicId }, index) => (
        <circle
          // Two results may be the same in everything.
          key={`${index} ${endedAt} ${publicId}`}
          className={directionTone(percent, 1) ?? 'flat'}
          cx={SIDE + 6 + index * step + step / 2}
          cy={place(percent) * HEIGHT}
          r={results.length > 150 ? 2 : 3.5}
        />
      ))}
    </svg>
  );
}

const ResultTable = ({ results }: { results: readonly CallResult[] }): ReactNode => (
  <div className="scrolls">
    <table className="data-table">
      <thead>
        <tr>
          <th scope="col">Call</th>
          <th scope="col">Ended</th>
          <th scope="col">Result</th>
          <th scope="col">Held</th>
        </tr>
      </thead>
      <tbody>
        {results.toReversed().map((result, index) => (
          // Two results may be the same in everything.
          <tr key={`${index} ${result.endedAt} ${result.publicId}`}>
            <td>
              <ResultCall result={result} />
            </td>
            <td>{formatMoment(result.endedAt)}</td>
            <td className="is-number">
              <ResultText percent={result.percent} />
            </td>
            <td className="is-number">{formatHeld(result.days)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
