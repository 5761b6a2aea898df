import type { ReactNode } from 'react';
import { formatHeld, formatMoment, formatResult } from '../../rules/callFormat.ts';
import { median, type CallResult } from '../../rules/record.ts';
import { formatSigned } from '../../../../texts/format.ts';
import { Disclosure } from '../../../../../web/ui/Disclosure.tsx';
import { directionTone } from '../parts/directionTone.ts';
import { ResultCall } from './BestAndWorst.tsx';
import './ResultDots.css';
import { ResultText } from './ResultText.tsx';
import { resultScale } from './resultScale.ts';

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
  const { place, lines } = resultScale(results.map(({ percent }) => percent));
  const half = median(results.map(({ percent }) => percent)) ?? 0;
  const step = (WIDTH - SIDE - 8) / Math.max(1, results.length);
  return (
    <section className="result-dots">
      <h3>Results over time</h3>
      <p className="result-dots-note">
        {results.length < total ? `Newest ${results.length} shown. ` : ''}One dot per call, oldest on the
        left; the dashed line is the median, {formatResult(half)}.
      </p>
      <svg viewBox={`0 ${-EDGE} ${WIDTH} ${HEIGHT + 2 * EDGE}`} aria-hidden="true">
        {lines.map((line) => (
          <g key={line}>
            <line
              className={line === 0 ? 'result-dots-zero' : 'result-dots-line'}
              x1={SIDE}
              x2={WIDTH}
              y1={place(line) * HEIGHT}
              y2={place(line) * HEIGHT}
            />
            <text x={SIDE - 6} y={place(line) * HEIGHT + 4}>
              {formatSigned(line, 0)}%
            </text>
          </g>
        ))}
        <line
          className="result-dots-median"
          x1={SIDE}
          x2={WIDTH}
          y1={place(half) * HEIGHT}
          y2={place(half) * HEIGHT}
        />
        {results.map(({ percent, endedAt, publicId }, index) => (
          <circle
            // Two results may be the same in everything.
            key={`${index} ${endedAt} ${publicId}`}
            className={`is-${directionTone(percent, 1) ?? 'flat'}`}
            cx={SIDE + 6 + index * step + step / 2}
            cy={place(percent) * HEIGHT}
            r={results.length > 150 ? 2 : 3.5}
          />
        ))}
      </svg>
      <Disclosure label="Show as table">
        <div className="result-dots-table">
          <table>
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
      </Disclosure>
    </section>
  );
}
