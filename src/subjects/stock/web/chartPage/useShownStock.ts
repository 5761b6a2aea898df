import { useCallback, useEffect, useState } from 'react';
import { CHART_TIMEFRAMES, type ChartTimeframe } from '#market/bars/rules/bars.ts';
import { normaliseSymbol } from '#market/rules/liveSymbols.ts';
import { replaceAddress, routeQuery } from '#web/router/navigate.ts';
import { chooseStock, followGroup } from '#web/windows/linkedWindows.ts';
import { readCode } from '#web/windows/linkGroups.ts';
import { chartRoute } from '#web/windows/openChart.ts';

/** Somebody who walks through rows with a key held down passes thirty a second: only where they stop is fetched. */
export const SETTLE_MS = 150;

/** Takes the stocks that are chosen elsewhere: the first at once, of those that follow quickly the last. */
export function createFollowing(show: (code: string) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let next: string | null = null;
  function settle(): void {
    timer = undefined;
    if (next === null) return;
    const code = next;
    next = null;
    show(code);
    timer = setTimeout(settle, SETTLE_MS);
  }
  return {
    take(code: string): void {
      if (timer === undefined) {
        show(code);
        timer = setTimeout(settle, SETTLE_MS);
        return;
      }
      next = code;
      clearTimeout(timer);
      timer = setTimeout(settle, SETTLE_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

const readTimeframe = (query: URLSearchParams): ChartTimeframe =>
  CHART_TIMEFRAMES.find((one) => one === query.get('tf')) ?? '1';

/** As much as a sentence may repeat of it. */
const MAX_SHOWN = 12;

type Asked = Pick<ShownStock, 'code' | 'noCode'>;

/** @param before is kept where the address does not name a stock */
function readAsked(query: URLSearchParams, before: Asked): Asked {
  const text = normaliseSymbol(query.get('symbol') ?? '');
  if (text === '') return before;
  const code = readCode(text);
  if (code !== null) return { code, noCode: null };
  return { code: null, noCode: text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text };
}

const NOTHING: Asked = { code: null, noCode: null };

export type ShownStock = {
  /** An ASX code, which need not be listed; null when none was chosen yet. */
  code: string | null;
  /** What the address asks for in the place of a code, cut short; null when that is a code or nothing. */
  noCode: string | null;
  timeframe: ChartTimeframe;
  /** Another stock was chosen here: the windows of the group show it too. */
  choose(code: string): void;
  setTimeframe(timeframe: ChartTimeframe): void;
};

/** What this window charts: what its address says, then what is chosen here or in its group. The address keeps it over a reload. */
export function useShownStock(): ShownStock {
  const query = routeQuery.value;
  const [asked, setAsked] = useState(query);
  const [{ code, noCode }, setShown] = useState(() => readAsked(query, NOTHING));
  const [timeframe, setTimeframe] = useState(() => readTimeframe(query));
  if (asked !== query) {
    setAsked(query);
    setShown((before) => readAsked(query, before));
    setTimeframe(query.has('tf') ? readTimeframe(query) : timeframe);
  }
  const isAsked = code !== null || noCode !== null;
  const [startsWithStock] = useState(isAsked);
  const show = useCallback((next: string) => setShown({ code: next, noCode: null }), []);
  useEffect(() => {
    const following = createFollowing(show);
    const stop = followGroup({ take: following.take, front: () => window.focus() }, startsWithStock);
    return () => {
      stop();
      following.stop();
    };
  }, [startsWithStock, show]);
  useEffect(() => {
    // What is no code stays in the address, so that a reload says the same.
    if (noCode === null) replaceAddress(`#${chartRoute(code, timeframe)}`);
  }, [code, noCode, timeframe]);
  const choose = useCallback(
    (next: string) => {
      show(next);
      chooseStock(next);
    },
    [show],
  );
  return { code, noCode, timeframe, choose, setTimeframe };
}
