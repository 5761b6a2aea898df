import { formatNumber } from '#texts/format.ts';

type Counts = {
  /** How many stocks meet the scan, of how many. */
  matches: number;
  total: number;
  /** How many of them the scanner's filters leave. */
  shown: number;
  /** Stocks or values are still coming in. */
  isPartial: boolean;
};

/** '104 of 2,000 match', '104 match, 94 shown after filters', or '57 so far' while not everything has come. */
export function countText({ matches, total, shown, isPartial }: Counts): string {
  const count = formatNumber(matches, 0);
  if (isPartial) return `${count} so far`;
  if (shown < matches) return `${count} match, ${formatNumber(shown, 0)} shown after filters`;
  return `${count} of ${formatNumber(total, 0)} match`;
}
