import type { Stock } from '#market/rules/stock.ts';
import {
  createAggregator,
  type OverviewRequest,
  type OverviewAggregator,
  type OverviewFigures,
} from './aggregator.ts';

export type SendToWindow = (message: { type: 'overview'; figures: OverviewFigures | null }) => void;

/** A change of the market: patches and deletions by code, with whole new stocks; or the whole market. */
type Change =
  | { type: 'delta'; delta: { stocks: { upsert: object; delete: string[] } }; whole?: readonly Stock[] }
  | { type: string };

type Market = { stocks: ReadonlyMap<string, Stock>; meta: { stockCount: number } };

type Overview = { follower: OverviewAggregator; isBehind: boolean };

const changedIn = (change: Change): string[] | null =>
  'delta' in change
    ? [
        ...Object.keys(change.delta.stocks.upsert),
        ...change.delta.stocks.delete,
        ...(change.whole ?? []).map(({ code }) => code),
      ]
    : null;

/**
 * Computes market overviews where all stocks are, so that windows need not have them.
 * @param isServed whether a window still exists
 */
export function createOverviews(isServed: (window: SendToWindow) => boolean) {
  const all = new Map<SendToWindow, Overview>();

  function send(window: SendToWindow, overview: Overview, market: Market, changed: string[] | null): void {
    const { stocks, meta } = market;
    const followed = overview.follower.follow(stocks, overview.isBehind ? null : changed);
    overview.isBehind = false;
    window({ type: 'overview', figures: { ...followed, isWhole: stocks.size >= meta.stockCount } });
  }

  return {
    /** Sets or ends a window's request. @param market null before the first snapshot */
    take(window: SendToWindow, ask: OverviewRequest | null, market: Market | null): void {
      all.delete(window);
      if (ask === null) return;
      const overview = { follower: createAggregator(ask), isBehind: true };
      all.set(window, overview);
      if (market) send(window, overview, market, null);
    },
    /** Sends overviews after a change. A window that is hidden now gets everything when it returns. */
    hear(change: Change, market: Market): void {
      for (const [window, overview] of all) {
        if (isServed(window)) send(window, overview, market, changedIn(change));
        else overview.isBehind = true;
      }
    },
    drop(window: SendToWindow): void {
      all.delete(window);
    },
  };
}

export type Overviews = ReturnType<typeof createOverviews>;
