import { formatNumber, formatSigned } from '#texts/format.ts';
import type { Standing } from './standing.ts';

/**
 * A sentence: 'Now +1.3%; 4.2% to the target, 3.1% to the stop', in percent of the price now.
 * @param halt that the stock does not trade, so that the price is one of before, as 'BHP is halted'; null when it does
 */
export function standingText({ percent, toTarget, toStop }: Standing, halt: string | null): string {
  const size = (value: number): string => `${formatNumber(Math.abs(value), 1)}%`;
  const parts = [
    toTarget === null ? null : toTarget <= 0 ? 'at the target or above' : `${size(toTarget)} to the target`,
    toStop === null ? null : toStop >= 0 ? 'at the stop or below' : `${size(toStop)} to the stop`,
  ].filter((part) => part !== null);
  const now = percent === null ? 'No trade yet' : `Now ${formatSigned(percent, 1)}%`;
  return [now, parts.join(', '), halt ?? ''].filter((part) => part !== '').join('; ');
}
