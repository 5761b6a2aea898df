import { formatCallPrice, formatMoment } from './callFormat.ts';
import type { Mark, MarkChange, MarkValue } from './types.ts';

export const MARK_LABELS: Readonly<Record<Mark, string>> = {
  entryTrade: 'Entry trade',
  exitTrade: 'Exit trade',
  targetReached: 'Target reached',
  stopReached: 'Stop reached',
  priceAtClose: 'Last price at the end',
  highestSinceFill: 'Highest since the fill',
  best: 'Best price',
  worst: 'Worst price',
  isFollowed: 'Prices followed',
};

/** A mark as it is shown: '0.95, 21 Nov 10:42', '0.95', 'yes', or 'none'. */
export function formatMark(value: MarkValue): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return formatCallPrice(value);
  return `${formatCallPrice(value.price)}, ${formatMoment(value.at)}`;
}

/** 'Target reached: 45, 21 Nov 10:42 → none'. */
export const formatChange = ({ mark, before, after }: MarkChange): string =>
  `${MARK_LABELS[mark]}: ${formatMark(before)} → ${formatMark(after)}`;
