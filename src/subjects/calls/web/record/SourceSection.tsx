import type { ReactNode, CSSProperties } from 'react';
import { formatHeld, formatRank, formatResult, formatShare } from '#subjects/calls/rules/callFormat.ts';
import { MIN_RANK_DAYS } from '#subjects/calls/rules/rankBounds.ts';
import { HOLDING_BINS, RESULT_BINS } from '#subjects/calls/rules/record.ts';
import { formatNumber } from '#texts/format.ts';
import { Pill } from '#ui/Pill.tsx';
import { sourceLabel } from '../parts/sourceLabel.ts';
import { BestAndWorst, ResultText, ResultDots } from './ResultDots.tsx';
import type { ReadSource } from './api.ts';
import type { Direction } from '#ui/Trend.tsx';

type BarRow = {
  label: string;
  /** What the bar is as long as; its sign does not count. */
  value: number;
  /** One for each heading after the first. */
  texts: readonly ReactNode[];
  tone: Direction;
};

type BarTableProps = { title: string; note?: string; head: readonly string[]; rows: readonly BarRow[] };

/** Numbers as a table in which each row has a bar: the picture and what is read out are the same. */
function BarTable({ title, note, head, rows }: BarTableProps): ReactNode {
  const longest = Math.max(...rows.map(({ value }) => Math.abs(value)), 1e-9);
  return (
    <section className="stack gap-1 min-w-0">
      <h3>{title}</h3>
      {note !== undefined && <p className="muted small">{note}</p>}
      <table className="data-table full-width">
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            {head.map((text, index) => (
              <th key={text} scope="col" className={index > 0 ? 'is-number' : undefined}>
                {text}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <BarLine key={row.label} row={row} head={head} share={Math.abs(row.value) / longest} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** @param share the length of its bar, from 0 to 1 */
function BarLine({ row, head, share }: { row: BarRow; head: readonly string[]; share: number }): ReactNode {
  return (
    <tr>
      <th scope="row">{row.label}</th>
      {row.texts.map((text, index) => (
        <td key={head[index + 1]} className="is-number">
          {text}
        </td>
      ))}
      <td className="bar-table-bar" aria-hidden="true">
        {share !== 0 && <span className={row.tone} style={{ '--share': share } as CSSProperties} />}
      </td>
    </tr>
  );
}

/** 'November 2026' of '2026-11'. */
const monthText = (month: string): string =>
  new Date(`${month}-15T00:00:00Z`).toLocaleDateString('en-AU', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });

/** A submitter's calls on one source of prices. */
export function SourceSection({ record, isRunning }: { record: ReadSource; isRunning: boolean }): ReactNode {
  const { ended, source, metrics } = record;
  return (
    <section className="source-record stack" aria-label={`On ${sourceLabel(source)}`}>
      <h2 className="row">
        Verified results <Pill>{sourceLabel(source)}</Pill>
        {!isRunning && <Pill variant="stale">Not the current source</Pill>}
      </h2>
      <Figures record={record} />
      <p className="muted table-text">{countsText(record)}</p>
      {(metrics.days ?? 0) < MIN_RANK_DAYS && <p className="marked tone-stale">{smallText(record)}</p>}
      {record.isCut && <p className="muted">Only the newest 10,000 ended calls are counted.</p>}
      {ended.count > 0 && (
        <div className="source-record-pictures">
          <ResultDots results={ended.newest} total={ended.count} />
          <BarTable title="Distribution" head={['Result', 'Calls']} rows={distributionRows(ended)} />
          <BestAndWorst stats={ended} />
          <BarTable
            title="Held for"
            note={`Half were held for ${formatHeld(ended.medianDays)} or less.`}
            head={['From fill to end', 'Calls', 'Mean result']}
            rows={holdingRows(ended)}
          />
          <BarTable
            title="By month"
            head={['Month it ended', 'Mean result', 'Calls', 'Gained']}
            rows={monthRows(ended)}
          />
        </div>
      )}
    </section>
  );
}

const distributionRows = ({ distribution }: ReadSource['ended']): BarRow[] =>
  RESULT_BINS.map(({ label, below }, index) => {
    const count = distribution[index] ?? 0;
    return { label, value: count, texts: [String(count)], tone: below <= 0 ? 'down' : 'up' };
  });

const holdingRows = ({ holding }: ReadSource['ended']): BarRow[] =>
  HOLDING_BINS.map(({ label }, index) => {
    const { count, mean } = holding[index] ?? { count: 0, mean: null };
    const texts = [String(count), <ResultText key="mean" percent={mean} />];
    return { label, value: count, texts, tone: 'flat' };
  });

const monthRows = ({ months }: ReadSource['ended']): BarRow[] =>
  months.map(({ month, mean, count, wins }) => ({
    label: monthText(month),
    value: mean ?? 0,
    texts: [<ResultText key="mean" percent={mean} />, String(count), String(wins)],
    tone: (mean ?? 0) < 0 ? 'down' : 'up',
  }));

function Figures({ record: { metrics, ended } }: { record: ReadSource }): ReactNode {
  const figures: [string, ReactNode][] = [
    ['Rank', formatRank(metrics)],
    ['Days with results', formatNumber(metrics.days, 0)],
    ['Mean, with open calls', <ResultText key="figure" percent={metrics.averageVerified} />],
    ['Mean against the market', <ResultText key="figure" percent={metrics.averageAgainstMarket} />],
    ['Its lower bound at 97.5 %', formatResult(metrics.meanLowerBound)],
    ['Its lower bound at 90 %', formatResult(metrics.provisionalLowerBound)],
    ['Win rate', formatShare(metrics.winRate)],
    ['Win rate, lower bound', formatShare(metrics.winRateLowerBound)],
    ['Mean, ended calls', <ResultText key="figure" percent={ended.mean} />],
    ['Median, ended calls', <ResultText key="figure" percent={ended.median} />],
  ];
  return (
    <dl className="figures">
      {figures.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

const many = (count: number, one: string, more: string): string =>
  `${formatNumber(count, 0)} ${count === 1 ? one : more}`;

/** What became of all the calls, those without a result too. */
function countsText({ metrics, ended, running, awaiting, neverTraded, rejected }: ReadSource): string {
  const parts = [
    many(metrics.total ?? 0, 'call', 'calls'),
    many(ended.count, 'ended with a verified result', 'ended with a verified result'),
    ...(running.count > 0
      ? [
          many(
            running.count,
            'open and filled, counted at the last price or its stop',
            'open and filled, counted at the last price or their stop',
          ),
        ]
      : []),
    ...(awaiting > 0 ? [many(awaiting, 'awaits its exit trade', 'await their exit trade')] : []),
    ...(neverTraded > 0
      ? [many(neverTraded, 'was cancelled before any trade', 'were cancelled before any trade')]
      : []),
    ...(rejected > 0
      ? [many(rejected, 'was rejected by an administrator', 'were rejected by an administrator')]
      : []),
  ];
  return `${parts.join('; ')}.`;
}

const smallText = ({ ended, metrics }: ReadSource): string =>
  ended.count === 0
    ? 'No call has ended with a verified result yet.'
    : `${many(metrics.days ?? 0, 'day with results is', 'days with results are')} too few to judge: it may all be luck. Ranks start at ${MIN_RANK_DAYS} days.`;
