import type { ReactNode } from 'react';
import { formatHeld, formatMoment } from '../../rules/callFormat.ts';
import type { CallResult, ResultStats } from '../../rules/record.ts';
import { callPath } from '../addresses.ts';
import './BestAndWorst.css';
import { ResultText } from './ResultText.tsx';

/** A result's call: a link to it, unless it is not shown to everybody. */
export const ResultCall = ({ result: { publicId, symbol } }: { result: CallResult }): ReactNode =>
  publicId === null ? 'A rejected call' : <a href={`#${callPath(publicId)}`}>{symbol ?? 'Call'}</a>;

/** The best and the worst of somebody's results. */
export function BestAndWorst({ stats: { best, worst } }: { stats: ResultStats }): ReactNode {
  return (
    <section className="best-and-worst">
      <h3>Best and worst</h3>
      <List title="Best" results={best} />
      <List title="Worst" results={worst} />
    </section>
  );
}

function List({ title, results }: { title: string; results: readonly CallResult[] }): ReactNode {
  return (
    <table>
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
