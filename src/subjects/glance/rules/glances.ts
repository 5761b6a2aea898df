import type { Stock } from '#market/rules/stock.ts';
import { createFollower, type GlanceAsk, type GlanceFollower, type GlanceTold } from './follower.ts';

export type TellWindow = (message: { type: 'glance'; told: GlanceTold | null }) => void;

/** Patches and deletions by code, with whole new stocks; or the whole market. */
type Change =
  | { type: 'delta'; delta: { stocks: { upsert: object; delete: string[] } }; whole?: readonly Stock[] }
  | { type: string };

type Market = { stocks: ReadonlyMap<string, Stock>; meta: { stockCount: number } };

type Glance = { follower: GlanceFollower; isBehind: boolean };

const changedIn = (change: Change): string[] | null =>
  'delta' in change
    ? [
        ...Object.keys(change.delta.stocks.upsert),
        ...change.delta.stocks.delete,
        ...(change.whole ?? []).map(({ code }) => code),
      ]
    : null;

/**
 * Serves market overviews where all stocks are, so that windows need not hold them.
 * @param isServed whether a window still exists
 */
export function createGlances(isServed: (window: TellWindow) => boolean) {
  const all = new Map<TellWindow, Glance>();

  function tell(window: TellWindow, glance: Glance, market: Market, changed: string[] | null): void {
    const { stocks, meta } = market;
    const followed = glance.follower.follow(stocks, glance.isBehind ? null : changed);
    glance.isBehind = false;
    window({ type: 'glance', told: { ...followed, isWhole: stocks.size >= meta.stockCount } });
  }

  return {
    /** Sets or ends a window's request. @param market null before the first snapshot */
    take(window: TellWindow, ask: GlanceAsk | null, market: Market | null): void {
      all.delete(window);
      if (ask === null) return;
      const glance = { follower: createFollower(ask), isBehind: true };
      all.set(window, glance);
      if (market) tell(window, glance, market, null);
    },
    /** A window that is hidden now gets everything when it returns. */
    hear(change: Change, market: Market): void {
      for (const [window, glance] of all) {
        if (isServed(window)) tell(window, glance, market, changedIn(change));
        else glance.isBehind = true;
      }
    },
    drop(window: TellWindow): void {
      all.delete(window);
    },
  };
}

export type Glances = ReturnType<typeof createGlances>;
