import { computed, effect, untracked } from '@preact/signals-react';
import { useEffect, useMemo, useRef } from 'react';
import { barsAnswer } from '#market/bars/rules/barsAnswer.ts';
import type { ChartTimeframe } from '#market/bars/rules/bars.ts';
import { request } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { isStreamLost, stocks } from '#web/live/market.ts';
import { useNewEra } from '#web/live/marketEra.ts';
import { quoteTime } from '#web/live/quoteTime.ts';
import { onReconnect } from '#web/shared/onReconnect.ts';
import { ChartBars } from './chartBars.ts';

/** Of a window out of sight the quotes between two shown ones are lost: after this long its bars are asked for again. */
const HIDDEN_MS = 5000;

const fetchBars = (symbol: string, tf: ChartTimeframe, before: number | null, limit: number) =>
  request('GET /api/data/bars', {
    query: { symbol, tf, limit, ...(before === null ? {} : { before }) },
    read: readerOf(barsAnswer),
  });

/**
 * Hands a chart the quotes of the stream, and the one that is there when its bars come, before the page renders for them: a
 * quote that is taken after that costs a second render. Returns the stop function.
 */
function followStream(code: string, bars: ChartBars): () => void {
  const isReady = computed(() => bars.state.value.status === 'ready');
  return effect(() => {
    const live = stocks.value.get(code);
    const hasBars = isReady.value;
    untracked(() => live && hasBars && bars.take(live, quoteTime()));
  });
}

/**
 * Asks for the bars again when the stock comes into the live list, as it does after a restart of the server: what was answered
 * without it says that it is missing. Returns the stop function.
 */
function refreshOnListing(code: string, bars: ChartBars): () => void {
  let wasListed = true;
  return effect(() => {
    const isListed = stocks.value.has(code);
    const isNew = isListed && !wasListed;
    wasListed = isListed;
    const { status, note } = bars.state.peek();
    if (isNew && (status === 'failed' || note !== null)) untracked(() => void bars.refresh());
  });
}

/**
 * Asks for the bars again when the source states another previous close: the stock may have been split or consolidated, and
 * all bars are in other prices then. Returns the stop function.
 */
function restartOnClose(code: string, bars: ChartBars): () => void {
  let before: number | null = null;
  return effect(() => {
    const close = stocks.value.get(code)?.close ?? null;
    const isOther = close !== null && before !== null && close !== before;
    before = close ?? before;
    if (isOther) untracked(bars.restart);
  });
}

/** The bars of a stock as a chart shows them: fetched once, live by the stream, fetched again after a break of it. */
export function useStockBars(code: string, tf: ChartTimeframe): ChartBars {
  const bars = useMemo(
    () =>
      new ChartBars(tf, {
        fetch: (before, limit) => fetchBars(code, tf, before, limit),
        elapsed: () => performance.now(),
        later: (ms, run) => {
          const timer = setTimeout(run, ms);
          return () => clearTimeout(timer);
        },
      }),
    [code, tf],
  );
  useEffect(() => {
    void bars.refresh();
    return bars.stop;
  }, [bars]);
  useEffect(() => followStream(code, bars), [bars, code]);
  useEffect(() => refreshOnListing(code, bars), [bars, code]);
  useEffect(() => restartOnClose(code, bars), [bars, code]);
  useFresh(bars);
  return bars;
}

/** Asks for the bars again when what the stream brought is not all there was: after a break, a sleep, and in another era. */
function useFresh(bars: ChartBars): void {
  const { status } = bars.state.value;
  useEffect(() => {
    if (status === 'failed') onReconnect(bars.refresh);
  }, [bars, status]);

  const isLost = isStreamLost.value;
  const wasLost = useRef(isLost);
  useEffect(() => {
    if (wasLost.current && !isLost) void bars.refresh();
    wasLost.current = isLost;
  }, [bars, isLost]);

  useNewEra(bars.restart);

  useEffect(() => {
    let hiddenAt: number | null = document.hidden ? performance.now() : null;
    const changed = (): void => {
      if (document.hidden) hiddenAt = performance.now();
      else if (hiddenAt !== null && performance.now() - hiddenAt > HIDDEN_MS) void bars.refresh();
    };
    document.addEventListener('visibilitychange', changed);
    return () => document.removeEventListener('visibilitychange', changed);
  }, [bars]);
}
