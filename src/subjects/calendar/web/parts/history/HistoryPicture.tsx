import type { ReactNode } from 'react';
import type { EventHistory, PastRelease } from '#subjects/calendar/web/api.ts';
import { moveText, surpriseSentence } from './historyTexts.ts';
import { releaseDates } from './releaseDates.ts';

const SLOT = 40;
const BAND = 44;
const GAP = 10;
const HALF = BAND / 2;
const BAR = 16;
/** What is not zero can be seen. */
const MIN_HEIGHT = 2;

type HistoryPictureProps = { history: EventHistory; zone: string };

/** The releases, oldest first: above how each figure surprised, below what the market did in 30 minutes. Up is up. */
export function HistoryPicture({ history, zone }: HistoryPictureProps): ReactNode {
  const shown = history.releases.toReversed();
  const surprises = scaled(shown.map(sizeOf(shown)));
  const moves = scaled(shown.map(marketOf));
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

/** The size of a surprise: in its spread where all that have one have it so, else the plain difference. */
const sizeOf = (releases: readonly PastRelease[]) => {
  const surprises = releases.flatMap(({ surprise }) => surprise ?? []);
  const hasSigma = surprises.every(({ sigma }) => sigma !== null);
  return ({ surprise }: PastRelease): number | null =>
    surprise === null ? null : hasSigma ? surprise.sigma : surprise.difference;
};

const marketOf = ({ after30 }: PastRelease): number | null => after30?.change ?? null;

/** Between −1 and 1, the largest being one of them. */
function scaled(values: readonly (number | null)[]): (number | null)[] {
  const largest = Math.max(...values.map((value) => Math.abs(value ?? 0)));
  return values.map((value) => (value === null ? null : largest === 0 ? 0 : value / largest));
}

type BandProps = { heights: readonly (number | null)[]; top: number; width: number };

const Band = ({ heights, top, width }: BandProps): ReactNode => (
  <g>
    <line stroke="var(--line-strong)" x1={0} x2={width} y1={top + HALF} y2={top + HALF} />
    {heights.map((height, index) => (
      // Their order is all that tells them apart.
      <Bar key={index} height={height} left={index * SLOT + (SLOT - BAR) / 2} middle={top + HALF} />
    ))}
  </g>
);

type BarProps = { height: number | null; left: number; middle: number };

function Bar({ height, left, middle }: BarProps): ReactNode {
  // An empty ring: not known. A line: nothing moved.
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

/** The picture for who does not see it. */
function sentenceOf(releases: readonly PastRelease[], unit: string | null, zone: string): string {
  const dateOf = releaseDates(zone);
  const told = releases.map(
    (release) =>
      `${dateOf(release.time)}: ${surpriseSentence(release, unit)}; market ${moveText(release.after30)}`,
  );
  return `Surprises and the market 30 minutes later, oldest first. ${told.join('. ')}.`;
}
