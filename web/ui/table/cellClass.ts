import { trendClass } from '../Trend.tsx';
import type { CellTone } from './types.ts';

/** The class of a cell: what the column is, whether it is pinned, which way the value points. */
export const cellClass = (
  column: { numeric: boolean; pinned?: boolean | undefined; isLong?: boolean | undefined },
  tone: CellTone = null,
  isMissing = false,
): string =>
  (column.numeric ? 'cell is-number' : 'cell') +
  (column.isLong ? ' is-long' : '') +
  (column.pinned ? ' is-pinned' : '') +
  (tone ? ` ${trendClass(tone)}` : '') +
  (isMissing ? ' is-missing' : '');
