import { DASH, formatNumber, formatSigned } from '#texts/format.ts';
import type { MoveState } from '#subjects/calendar/rules/marketMoves.ts';
import { formatExactFigure, SURPRISES } from '#subjects/calendar/rules/figures.ts';
import type { EventHistory, PastRelease } from '#subjects/calendar/web/api.ts';

/** Why there is no number, in a cell. */
export const STATE_TEXTS: Readonly<Record<Exclude<MoveState, 'measured'>, string>> = {
  shut: 'market shut',
  pending: 'not yet',
  blind: 'no prices',
  unknown: DASH,
  otherClock: DASH,
};

/** '+0.12 %'. */
export const percentText = (change: number): string => `${formatSigned(change, 2)} %`;

type Move = { state: MoveState | null; change: number | null } | null;

/** A change, or why there is none. */
export function moveText(move: Move): string {
  if (move === null || move.state === null) return DASH;
  if (move.state !== 'measured') return STATE_TEXTS[move.state];
  return move.change === null ? DASH : percentText(move.change);
}

/** 'Up 31, down 15 of 50'; a dash where nothing was measured. */
export function breadthText(move: PastRelease['after5']): string {
  return move?.state === 'measured' ? `${move.up} up, ${move.down} down of ${move.counted}` : DASH;
}

/** The difference to what was expected: '+0.3%', '+12.0K'. */
export function differenceText({ surprise, potency }: PastRelease, unit: string | null): string {
  if (surprise === null || surprise.difference === null) return DASH;
  const text = formatExactFigure(surprise.difference, { unit, potency });
  return surprise.difference > 0 ? `+${text}` : text;
}

/** '+1.4 σ'; null where the spread is not known. */
export const sigmaText = ({ surprise }: PastRelease): string | null =>
  surprise === null || surprise.sigma === null ? null : `${formatSigned(surprise.sigma, 1)} σ`;

/** A surprise in words, for who hears it: 'Better than consensus, +1.4 standard deviations'. */
export function surpriseSentence(release: PastRelease, unit: string | null): string {
  const { surprise } = release;
  if (surprise === null || surprise.side === null) return 'No consensus was known';
  const size =
    surprise.sigma === null
      ? differenceText(release, unit)
      : `${formatSigned(surprise.sigma, 1)} standard deviations`;
  return `${SURPRISES[surprise.side].text}, ${size}`;
}

type Average = EventHistory['averages'][number];
type Mean = Average['after5'];

/** '+0.12 % (6 cases)'; a dash for none. */
export function meanText(mean: Mean): string {
  if (mean === null || mean.mean === null) return DASH;
  return `${percentText(mean.mean)} (${formatNumber(mean.cases, 0)} ${mean.cases === 1 ? 'case' : 'cases'})`;
}

/** What an average is of: 'All', 'After better than consensus', 'After above consensus'. */
export function averageLabel({ of }: Average, releases: readonly PastRelease[]): string {
  if (of === 'all' || of === null) return 'On average';
  const sides = releases.map(({ surprise }) => surprise?.side ?? null);
  const isJudged = sides.includes('better') || sides.includes('worse');
  const up = isJudged ? 'better than consensus' : 'above consensus';
  const down = isJudged ? 'worse than consensus' : 'below consensus';
  return `After figures ${of === 'up' ? up : down}`;
}
