import type { Firing, RehearsedPeriod } from '../../../../src/domain/alerts/rehearsal.ts';

/** Of the drawing, before it is stretched to its place. */
export const CHART_WIDTH = 1000;
export const CHART_HEIGHT = 100;
/** Above and below the line, for marks at its ends. */
const MARGIN = 8;

export type ChartPaths = {
  /** SVG path of the closes, side by side: nights and weekends take no room. */
  line: string;
  /** SVG path of a dot for each firing. */
  dots: string;
  low: number;
  high: number;
};

/** The place of the first moment at or after a time, among moments in order; the last one when all are before. */
function placeOf(times: readonly number[], at: number): number {
  let [from, to] = [0, times.length - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((times[middle] ?? 0) < at) from = middle + 1;
    else to = middle;
  }
  return from;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** What the chart of a rehearsed period draws; null when there is nothing to draw. */
export function chartPaths(
  { times, closes }: Pick<RehearsedPeriod, 'times' | 'closes'>,
  firings: readonly Pick<Firing, 'at' | 'price'>[],
): ChartPaths | null {
  if (closes.length < 2) return null;
  const prices = [...closes, ...firings.map(({ price }) => price)];
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const x = (place: number) => round((place / (closes.length - 1)) * CHART_WIDTH);
  const span = high - low || 1;
  const y = (price: number) =>
    round(CHART_HEIGHT - MARGIN - ((price - low) / span) * (CHART_HEIGHT - 2 * MARGIN));
  const line = closes.map((close, place) => `${place === 0 ? 'M' : 'L'}${x(place)} ${y(close)}`).join('');
  // A line of no length with round ends is a dot, also where the drawing is stretched.
  const dots = firings.map(({ at, price }) => `M${x(placeOf(times, at))} ${y(price)}h0`).join('');
  return { line, dots, low, high };
}
