import { useMemo, useState } from 'react';
import {
  type AverageId,
  type ChartAverage,
  createAverager,
  hasAverages,
} from '../../../../../../market/bars/rules/averages.ts';
import type { BarColumns, ChartTimeframe } from '../../../../../../market/bars/rules/bars.ts';

const NONE: readonly ChartAverage[] = [];

/** The chosen averages of the bars that are shown; none of a timeframe that has none. */
export function useAverages(
  { bars, hasMore }: { bars: BarColumns; hasMore: boolean },
  tf: ChartTimeframe,
  ids: readonly AverageId[],
): readonly ChartAverage[] {
  const [averager] = useState(createAverager);
  return useMemo(
    () => (ids.length === 0 || !hasAverages(tf) ? NONE : averager({ bars, hasMore }, ids)),
    [averager, bars, hasMore, tf, ids],
  );
}
