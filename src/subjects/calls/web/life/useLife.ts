import { useCallback, useEffect, useState } from 'react';
import { quoteTime, useNewEra } from '#web/live/marketEra.ts';
import { useReloads } from '#web/shared/useLoaded.ts';
import { type Fetched, useFetched } from '../parts/FetchedBody.tsx';
import { lifeAnswer } from '#subjects/calls/answers/call.ts';
import type { Known } from '#lib/contract/fields.ts';
import { readerOf, request } from '#web/api/client.ts';
import { effect, untracked } from '@preact/signals-react';
import type { CallPath } from '#subjects/calls/rules/types.ts';
import { createBarExtender, type LiveBars } from '#market/bars/rules/extendBars.ts';
import type { Stock } from '#market/rules/stock.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import { meta, stocks } from '#web/live/market.ts';
import { useWatch } from '#web/live/useWatch.tsx';

/** A call's life as it was read. */
export type Life = Known<typeof lifeAnswer>;

/** A call with its price path. @throws ApiError; 404 when there is no such call for this caller */
const fetchLife = (publicId: string): Promise<Life> =>
  request('GET /api/calls/:publicId', { params: { publicId }, read: readerOf(lifeAnswer) });

const FAILED = 'The price path could not be loaded. Try again.';
/** What happens to a call that goes on is seen so soon; its price moves with the stream. */
const RENEW_MS = 30_000;

/** Whether something may still happen to a call. */
export const goesOn = ({ status, awaitingTrade }: Life['call']): boolean =>
  status === 'pending' || status === 'open' || awaitingTrade !== null;

/** A call with its price path: fetched, and as long as it goes on fetched again and again. */
export function useLife(publicId: string): { state: Fetched<Life>; retry(): void } {
  const { state, retry, refresh, renew } = useFetched(
    useCallback(() => fetchLife(publicId), [publicId]),
    FAILED,
  );
  useNewEra(refresh);
  useReloads(state.kind === 'known' && goesOn(state.data.call), renew, RENEW_MS);
  return { state, retry };
}

/** The live stock of a call that goes on; null for any other, and for one of another source than the one that runs. */
export function useCallStock(call: Life['call'] | null): Stock | null {
  const running = meta.value?.feed?.name ?? null;
  const isLive = call !== null && goesOn(call) && running !== null && call.source === running;
  useWatch({ codes: isLive ? [call.symbol] : [] });
  return isLive ? (stocks.value.get(call.symbol) ?? null) : null;
}

/** The bars of a path as they stand at the stock's price now: the path ends seconds before the stream. */
function begin({ tf, bars }: CallPath, { last, high, low, volume }: Stock): LiveBars {
  const close = bars.close.at(-1);
  if (close === undefined || last === null || high === null || low === null) {
    return { tf, columns: bars, quote: null };
  }
  return { tf, columns: bars, quote: { date: sydneyDate(quoteTime()), last: close, high, low, volume } };
}

/**
 * The price path of a call, live as long as it goes on.
 * @param hasStock whether its stock is live
 */
export function useLivePath({ call, path }: Life, hasStock: boolean): CallPath | null {
  const isLive = hasStock && call.trackingPaused === null;
  const [grown, setGrown] = useState<{ of: CallPath; path: CallPath } | null>(null);
  const { symbol } = call;
  useEffect(() => {
    if (!isLive || path === null) return;
    const extend = createBarExtender();
    let live: LiveBars | null = null;
    return effect(() => {
      const stock = stocks.value.get(symbol);
      if (stock === undefined) return;
      const before = live ?? untracked(() => begin(path, stock));
      live = extend(before, stock, untracked(quoteTime));
      if (live.columns !== before.columns) setGrown({ of: path, path: { ...path, bars: live.columns } });
    });
  }, [isLive, path, symbol]);
  return path !== null && grown?.of === path ? grown.path : path;
}
