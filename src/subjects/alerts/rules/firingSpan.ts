import { type ChartTimeframe, MAX_BARS } from '#market/bars/rules/bars.ts';

const DAY_MS = 86_400_000;

/** The timeframes that firings are shown on, and how many days of the calendar an answer of `MAX_BARS` reaches back. */
const REACHES: readonly { tf: ChartTimeframe; days: number }[] = [
  // A trading day has at most 370 minutes in which a stock trades; of seven days five are trading days.
  { tf: '1', days: 7 },
  { tf: '5', days: 35 },
  { tf: '60', days: 400 },
  { tf: 'D', days: Math.floor((MAX_BARS * 7) / 5) },
  { tf: 'W', days: MAX_BARS * 7 },
];

/**
 * The finest timeframe whose bars reach from a moment to another within one answer.
 * @param from epoch ms @param to epoch ms
 */
export function timeframeFor(from: number, to: number): ChartTimeframe {
  const days = (to - from) / DAY_MS;
  return REACHES.find((reach) => days <= reach.days)?.tf ?? 'M';
}
