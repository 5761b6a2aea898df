import { type ReactNode, useCallback } from 'react';
import { CALLS_PATH } from '#web/router/routes.ts';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { useScreenTitle } from '#web/router/navigate.ts';
import { Page } from '#ui/Page.tsx';
import {
  recordPath,
  RANKS_PATH,
  directionTone,
  callPath,
  CountingRules,
  CopyLink,
  PageHead,
  FetchedBody,
  useFetched,
} from './parts/pageParts.tsx';
import { recordAnswer, HOLDING_BINS, RESULT_BINS } from '../answers/board.ts';
import type { Known } from '#lib/contract/fields.ts';
import { readerOf, request } from '#web/api/client.ts';
import {
  againstMarketOf,
  formatHeld,
  formatResult,
  formatRank,
  formatShare,
  sourceLabel,
} from '../rules/callFormat.ts';
import { DASH, formatMoment, formatSigned, formatNumber } from '#texts/format.ts';
import { median, type CallResult, type ResultStats } from '../rules/trackRecord.ts';
import { Disclosure } from '#ui/Disclosure.tsx';
import { BarTable, type BarRow } from '#ui/BarTable.tsx';
import { ResultText } from './parts/ResultText.tsx';
import { quarterName } from '../rules/quarter.ts';
import { MIN_RANK_DAYS } from '../rules/rankBounds.ts';
import { Pill } from '#ui/Pill.tsx';
import { RecordCard } from './RecordCard.tsx';
import { FollowButton, FollowNotes } from './follow.tsx';

type ReadRecord = Known<typeof recordAnswer>;
type ReadSource = ReadRecord['records'][number];

/** Fetches a track record. @throws ApiError; 404 for an unknown name */
const fetchRecord = (name: string): Promise<ReadRecord> =>
  request('GET /api/calls/by/:name', { params: { name }, read: readerOf(recordAnswer) });

const ResultCall = ({ result: { publicId, symbol, isShort } }: { result: CallResult }): ReactNode => (
  <>
    {publicId === null ? 'A rejected call' : <a href={`#${callPath(publicId)}`}>{symbol ?? 'Call'}</a>}
    {isShort && ', short'}
  </>
);

function BestAndWorst({ stats: { best, worst } }: { stats: ResultStats }): ReactNode {
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

/** Position on a square-root scale, which keeps small results visible next to large ones. */
const rootOf = (percent: number): number => Math.sign(percent) * Math.sqrt(Math.abs(percent));

/** Percentages for grid lines. */
const LINES = [1, 5, 20, 50, 100, 200, 500, 1000, 5000] as const;

type ResultScale = {
  /** Vertical position from 0 at the top to 1 at the bottom. */
  place(percent: number): number;
  /** Percentages of the lines, highest first, including 0. */
  lines: number[];
};

/** A scale that includes 0. @param percents one or more results */
function resultScale(percents: readonly number[]): ResultScale {
  const top = Math.max(1, ...percents) * 1.1;
  const bottom = Math.min(-1, ...percents) * 1.1;
  const span = rootOf(top) - rootOf(bottom);
  const place = (percent: number): number => (rootOf(top) - rootOf(percent)) / span;
  const up = LINES.filter((line) => line <= top);
  const down = LINES.filter((line) => line <= -bottom);
  // Two lines per side are enough.
  const lines = [...up.slice(-2).reverse(), 0, ...down.slice(-2).map((line) => -line)];
  return { place, lines };
}

const WIDTH = 600;
const HEIGHT = 180;
const SIDE = 64;
/** Half the height of a label on a phone, which is more than a dot's. */
const EDGE = 10;

type ResultDotsProps = {
  results: readonly CallResult[];
  total: number;
};

function ResultDots({ results, total }: ResultDotsProps): ReactNode {
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
          // Two results may be identical, so the index is part of the key.
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
          <th scope="col">Market</th>
          <th scope="col">Held</th>
        </tr>
      </thead>
      <tbody>
        {results.toReversed().map((result, index) => (
          // Two results may be identical, so the index is part of the key.
          <tr key={`${index} ${result.endedAt} ${result.publicId}`}>
            <td>
              <ResultCall result={result} />
            </td>
            <td>{formatMoment(result.endedAt)}</td>
            <td className="is-number">
              <ResultText percent={result.percent} />
            </td>
            <td className="is-number">{formatResult(result.market)}</td>
            <td className="is-number">{formatHeld(result.days)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** '2026-11' becomes 'November 2026'. */
const monthText = (month: string): string =>
  new Date(`${month}-15T00:00:00Z`).toLocaleDateString('en-AU', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });

function SourceSection({ record, isRunning }: { record: ReadSource; isRunning: boolean }): ReactNode {
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
            title="By quarter"
            note="By the quarter in which a call was posted. Ranks need as many days as the overall rank."
            head={['Quarter', 'Against the market', 'Rank', 'Cases']}
            rows={quarterRows(record)}
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

const quarterRows = ({ quarters }: ReadSource): BarRow[] =>
  quarters.map(({ quarter, metrics }) => ({
    label: quarterName(quarter),
    value: againstMarketOf(metrics) ?? 0,
    texts: [
      <ResultText key="mean" percent={againstMarketOf(metrics)} />,
      <a key="rank" href={`#${RANKS_PATH}/${quarter}`}>
        {metrics.rank ?? metrics.provisionalRank ?? 'No rank'}
      </a>,
      formatNumber(metrics.verified, 0),
    ],
    tone: (againstMarketOf(metrics) ?? 0) < 0 ? 'down' : 'up',
  }));

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
    ['Mean against the market', <ResultText key="figure" percent={againstMarketOf(metrics)} />],
    ['Lower bound (97.5%)', formatResult(metrics.meanLowerBound)],
    ['Lower bound (90%)', formatResult(metrics.provisionalLowerBound)],
    ['Win rate', formatShare(metrics.winRate)],
    ['Win rate (95% lower bound)', formatShare(metrics.winRateLowerBound)],
    ['Mean, ended calls', <ResultText key="figure" percent={ended.mean} />],
    ['Median, ended calls', <ResultText key="figure" percent={ended.median} />],
    ['Ended calls against the market', <ResultText key="figure" percent={ended.againstMarket.mean} />],
    ['Ended calls better than the market', beatenText(ended.againstMarket)],
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

/** '7 of 12'; a dash if the market's move is unknown for all. */
const beatenText = ({ count, wins }: ReadSource['ended']['againstMarket']): string =>
  count === 0 ? DASH : `${formatNumber(wins, 0)} of ${formatNumber(count, 0)}`;

const many = (count: number, one: string, more: string): string =>
  `${formatNumber(count, 0)} ${count === 1 ? one : more}`;

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
  const { marketKnown, verified } = metrics;
  const isPartly = marketKnown !== null && verified !== null && marketKnown > 0 && marketKnown < verified;
  const known = isPartly
    ? ` The market’s move is known for ${marketKnown} of ${verified} results; the others count without it.`
    : '';
  return `${parts.join('; ')}.${known}`;
}

const smallText = ({ ended, metrics }: ReadSource): string =>
  ended.count === 0
    ? 'No call has ended with a verified result yet.'
    : `${many(metrics.days ?? 0, 'day with results is', 'days with results are')} too few to rule out luck. Ranks start at ${MIN_RANK_DAYS} days.`;

export function TrackRecordPage({ name }: { name: string }): ReactNode {
  const { state, retry } = useFetched(
    useCallback(() => fetchRecord(name), [name]),
    'The track record could not be loaded. Try again.',
  );
  const known = state.kind === 'known' ? state.data : null;
  const display = known?.submitter.display ?? null;
  useScreenTitle(display && `Track record of ${display}`);
  return (
    <Page>
      <PageHead
        title={display ? `Track record of ${display}` : 'Track record'}
        back={{ to: CALLS_PATH, label: 'All calls' }}
        notes={<ZoneNote />}
      >
        {display && (
          <>
            <FollowButton name={display} />
            <CopyLink path={recordPath(display)} />
          </>
        )}
      </PageHead>
      <FetchedBody state={state} retry={retry}>
        {({ submitter, records, source }) => (
          <>
            {display && <FollowNotes name={display} />}
            <CountingRules />
            <RecordCard name={submitter.display ?? name} record={records[0] ?? null} />
            {records.map((record) => (
              <SourceSection key={record.source} record={record} isRunning={record.source === source} />
            ))}
            <p className="muted">
              Past results do not predict future results. General information only, not financial advice.
            </p>
          </>
        )}
      </FetchedBody>
    </Page>
  );
}
