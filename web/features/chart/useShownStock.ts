import { useCallback, useEffect, useState } from 'react';
import { CHART_TIMEFRAMES, type ChartTimeframe } from '../../../src/domain/charts/bars.ts';
import { replaceAddress, routeQuery } from '../../shared/router/navigate.ts';
import { chooseStock, followGroup } from '../../shared/windows/linkedWindows.ts';
import { readCode } from '../../shared/windows/linkGroups.ts';
import { chartRoute } from '../../shared/windows/openChart.ts';
import { createFollowing } from './following.ts';

const readTimeframe = (query: URLSearchParams): ChartTimeframe =>
  CHART_TIMEFRAMES.find((one) => one === query.get('tf')) ?? '1';

export type ShownStock = {
  /** An ASX code, which need not be listed; null when none was chosen yet. */
  code: string | null;
  timeframe: ChartTimeframe;
  /** Another stock was chosen here: the windows of the group show it too. */
  choose(code: string): void;
  setTimeframe(timeframe: ChartTimeframe): void;
};

/** What this window charts: what its address says, then what is chosen here or in its group. The address keeps it over a reload. */
export function useShownStock(): ShownStock {
  const query = routeQuery.value;
  const [asked, setAsked] = useState(query);
  const [code, setCode] = useState(() => readCode(query.get('symbol')));
  const [timeframe, setTimeframe] = useState(() => readTimeframe(query));
  if (asked !== query) {
    setAsked(query);
    setCode(readCode(query.get('symbol')) ?? code);
    setTimeframe(query.has('tf') ? readTimeframe(query) : timeframe);
  }
  const hasStock = code !== null;
  const [startsWithStock] = useState(hasStock);
  useEffect(() => {
    const following = createFollowing(setCode);
    const stop = followGroup({ take: following.take, front: () => window.focus() }, startsWithStock);
    return () => {
      stop();
      following.stop();
    };
  }, [startsWithStock]);
  useEffect(() => replaceAddress(`#${chartRoute(code, timeframe)}`), [code, timeframe]);
  const choose = useCallback((next: string) => {
    setCode(next);
    chooseStock(next);
  }, []);
  return { code, timeframe, choose, setTimeframe };
}
