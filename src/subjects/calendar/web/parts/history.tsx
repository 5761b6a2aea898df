import { type ReactNode, useRef } from 'react';
import { formatExactFigure, SURPRISES } from '../../rules/figures.ts';
import type { MoveState } from '../../rules/marketMoves.ts';
import { StackedTable } from '#ui/StackedTable.tsx';
import { Trend } from '#ui/Trend.tsx';
import type { EventHistory, PastRelease } from '../api.ts';
import { TakeDrawnButton } from '#web/shared/take/TakeButton.tsx';
import { DASH, formatNumber, formatSigned } from '#texts/format.ts';

/** Formats dates of releases: '26 Nov 2026'. @param zone an IANA name */
function releaseDates(zone: string): (time: string) => string {
  const format = new Intl.DateTimeFormat('en-AU', {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  return (time) => format.format(Date.parse(time));
}

/** Why there is no number. */
const STATE_TEXTS: Readonly<Record<Exclude<MoveState, 'measured'>, string>> = {
  shut: 'market shut',
  pending: 'not yet',
  blind: 'no prices',
  unknown: DASH,
  otherClock: DASH,
};

/** '+0.12 %'. */
const percentText = (change: number): string => `${formatSigned(change, 2)} %`;

function moveText(move: { state: MoveState | null; change: number | null } | null): string {
  if (move === null || move.state === null) return DASH;
  if (move.state !== 'measured') return STATE_TEXTS[move.state];
  return move.change === null ? DASH : percentText(move.change);
}

/** 'Up 31, down 15 of 50'; a dash if nothing was measured. */
function breadthText(move: PastRelease['after5']): string {
  return move?.state === 'measured' ? `${move.up} up, ${move.down} down of ${move.counted}` : DASH;
}

/** Difference from the consensus: '+0.3%', '+12.0K'. */
function differenceText({ surprise, potency }: PastRelease, unit: string | null): string {
  if (surprise === null || surprise.difference === null) return DASH;
  const text = formatExactFigure(surprise.difference, { unit, potency });
  return surprise.difference > 0 ? `+${text}` : text;
}

/** '+1.4 σ'; null if the spread is unknown. */
const sigmaText = ({ surprise }: PastRelease): string | null =>
  surprise === null || surprise.sigma === null ? null : `${formatSigned(surprise.sigma, 1)} σ`;

/** For screen readers: 'Better than consensus, +1.4 standard deviations'. */
function surpriseSentence(release: PastRelease, unit: string | null): string {
  const { surprise } = release;
  if (surprise === null || surprise.side === null) return 'No consensus was known';
  const size =
    surprise.sigma === null
      ? differenceText(release, unit)
      : `${formatSigned(surprise.sigma, 1)} standard deviations`;
  return `${SURPRISES[surprise.side].text}, ${size}`;
}

type Average = EventHistory['averages'][number];
/** '+0.12 % (6 cases)'; a dash for none. */
function meanText(mean: Average['after5']): string {
  if (mean === null || mean.mean === null) return DASH;
  return `${percentText(mean.mean)} (${formatNumber(mean.cases, 0)} ${mean.cases === 1 ? 'case' : 'cases'})`;
}

/** 'All', 'After better than consensus', 'After above consensus'. */
function averageLabel({ of }: Average, releases: readonly PastRelease[]): string {
  if (of === 'all' || of === null) return 'On average';
  const sides = releases.map(({ surprise }) => surprise?.side ?? null);
  const isJudged = sides.includes('better') || sides.includes('worse');
  const up = isJudged ? 'better than consensus' : 'above consensus';
  const down = isJudged ? 'worse than consensus' : 'below consensus';
  return `After figures ${of === 'up' ? up : down}`;
}

const SLOT = 40;
const BAND = 44;
const GAP = 10;
const HALF = BAND / 2;
const BAR = 16;
/** Makes every nonzero value visible. */
const MIN_HEIGHT = 2;

/** The releases, oldest first: surprises above, the market's moves in 30 minutes below. */
export function HistoryPicture({ history, zone }: { history: EventHistory; zone: string }): ReactNode {
  const shown = history.releases.toReversed();
  const surprises = scaled(shown.map(sizeOf(shown)));
  const moves = scaled(shown.map(({ after30 }) => after30?.change ?? null));
  if (surprises.every((one) => one === null) && moves.every((one) => one === null)) return null;
  const width = shown.length * SLOT;
  return (
    <figure className="history-picture">
      <figcaption className="muted small">
        <span>Surprise</span>
        <span>Market, 30 min</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${2 * BAND + GAP}`}
        style={{ maxWidth: width }}
        role="img"
        aria-label={sentenceOf(shown, history.unit, zone)}
      >
        <Band heights={surprises} top={0} width={width} />
        <Band heights={moves} top={BAND + GAP} width={width} />
      </svg>
    </figure>
  );
}

/** Size of a surprise: in standard deviations if all have them, otherwise the plain difference. */
const sizeOf = (releases: readonly PastRelease[]) => {
  const surprises = releases.flatMap(({ surprise }) => surprise ?? []);
  const hasSigma = surprises.every(({ sigma }) => sigma !== null);
  return ({ surprise }: PastRelease): number | null =>
    surprise === null ? null : hasSigma ? surprise.sigma : surprise.difference;
};

/** Scales to the range −1 to 1. */
function scaled(values: readonly (number | null)[]): (number | null)[] {
  const largest = Math.max(...values.map((value) => Math.abs(value ?? 0)));
  return values.map((value) => (value === null ? null : largest === 0 ? 0 : value / largest));
}

type BandProps = { heights: readonly (number | null)[]; top: number; width: number };

const Band = ({ heights, top, width }: BandProps): ReactNode => (
  <g>
    <line stroke="var(--line-strong)" x1={0} x2={width} y1={top + HALF} y2={top + HALF} />
    {heights.map((height, index) => (
      // Bars have no identity other than their position.
      <Bar key={index} height={height} left={index * SLOT + (SLOT - BAR) / 2} middle={top + HALF} />
    ))}
  </g>
);

function Bar({ height, left, middle }: { height: number | null; left: number; middle: number }): ReactNode {
  // An empty ring means unknown, a line means no move.
  if (height === null) return <circle className="history-unknown" cx={left + BAR / 2} cy={middle} r={2.5} />;
  const size = Math.max(MIN_HEIGHT, Math.abs(height) * (HALF - 1));
  const tone = height === 0 ? 'muted' : height > 0 ? 'up' : 'down';
  return (
    <rect
      className={tone}
      fill="currentcolor"
      x={left}
      y={height > 0 ? middle - size : height === 0 ? middle - size / 2 : middle}
      width={BAR}
      height={size}
    />
  );
}

/** Text alternative of the picture. */
function sentenceOf(releases: readonly PastRelease[], unit: string | null, zone: string): string {
  const dateOf = releaseDates(zone);
  const told = releases.map(
    (release) =>
      `${dateOf(release.time)}: ${surpriseSentence(release, unit)}; market ${moveText(release.after30)}`,
  );
  return `Surprises and the market 30 minutes later, oldest first. ${told.join('. ')}.`;
}

/** Newest first. */
export function HistoryTable({ history, zone }: { history: EventHistory; zone: string }): ReactNode {
  const { releases, symbol } = history;
  const dateOf = releaseDates(zone);
  const table = useRef<HTMLTableElement>(null);
  return (
    <div className="history-scroll" tabIndex={0} role="region" aria-label="Earlier figures, table">
      <TakeDrawnButton label="Earlier figures" table={table} />
      <StackedTable ref={table} className="history-table" label="Earlier figures and what the market did">
        <thead>
          <tr>
            <th scope="col">Released</th>
            <th scope="col">Actual</th>
            <th scope="col">Consensus</th>
            <th scope="col">Surprise</th>
            <th scope="col">Market +5 min</th>
            <th scope="col">Market +30 min</th>
            <th scope="col">Breadth +30 min</th>
            {symbol !== null && <th scope="col">{symbol} +5 min</th>}
            {symbol !== null && <th scope="col">{symbol} +30 min</th>}
          </tr>
        </thead>
        <tbody>
          {releases.map((release) => (
            <Row key={release.time} release={release} date={dateOf(release.time)} history={history} />
          ))}
        </tbody>
      </StackedTable>
    </div>
  );
}

type RowProps = { release: PastRelease; date: string; history: EventHistory };

function Row({ release, date, history: { unit, symbol } }: RowProps): ReactNode {
  const { actual, consensus, corrected, potency, after5, after30, stock5, stock30 } = release;
  const figure = (value: number | null) => formatExactFigure(value, { unit, potency });
  return (
    <tr>
      <th scope="row" data-time={release.time}>
        {date}
      </th>
      <td data-heading="Actual">
        {figure(actual)}
        {corrected !== null && <span className="muted"> later corrected to {figure(corrected)}</span>}
      </td>
      <td data-heading="Consensus">{figure(consensus)}</td>
      <td data-heading="Surprise">
        <Surprise release={release} unit={unit} />
      </td>
      <MoveCell heading="Market +5 min" move={after5} />
      <MoveCell heading="Market +30 min" move={after30} />
      <td data-heading="Breadth +30 min">{breadthText(after30)}</td>
      {symbol !== null && <MoveCell heading={`${symbol} +5 min`} move={stock5} />}
      {symbol !== null && <MoveCell heading={`${symbol} +30 min`} move={stock30} />}
    </tr>
  );
}

function Surprise({ release, unit }: { release: PastRelease; unit: string | null }): ReactNode {
  const sigma = sigmaText(release);
  const side = release.surprise?.side ?? null;
  return (
    <>
      {side !== null && side !== 'asExpected' && (
        <>
          <span aria-hidden="true">{SURPRISES[side].sign} </span>
          <span className="visually-hidden">{SURPRISES[side].text}, </span>
        </>
      )}
      {differenceText(release, unit)}
      {sigma !== null && <strong> {sigma}</strong>}
    </>
  );
}

type MoveCellProps = { heading: string; move: { state: MoveState | null; change: number | null } | null };

function MoveCell({ heading, move }: MoveCellProps): ReactNode {
  const text = moveText(move);
  const change = move?.state === 'measured' ? move.change : null;
  const isMoved = change !== null && Math.abs(change) >= 0.005;
  return (
    <td data-heading={heading} className={change === null ? 'muted' : undefined}>
      {isMoved ? <Trend direction={change > 0 ? 'up' : 'down'}>{text}</Trend> : text}
    </td>
  );
}

export function Averages({ history }: { history: EventHistory }): ReactNode {
  const { averages, releases, symbol } = history;
  if (averages.length === 0) return null;
  return (
    <dl className="stack gap-1">
      {averages.map((average) => (
        <div key={average.of}>
          <dt>{averageLabel(average, releases)}</dt>
          <dd>
            Market +5 min {meanText(average.after5)}, +30 min {meanText(average.after30)}
            {symbol !== null &&
              ` · ${symbol} +5 min ${meanText(average.stock5)}, +30 min ${meanText(average.stock30)}`}
          </dd>
        </div>
      ))}
    </dl>
  );
}
