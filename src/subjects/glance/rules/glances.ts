import type { Stock } from '#market/rules/stock.ts';
import { createFollower, type GlanceAsk, type GlanceFollower, type GlanceTold } from './follower.ts';

/** Takes what is said to one window. */
export type TellWindow = (message: { type: 'glance'; told: GlanceTold | null }) => void;

/** What changed of the market: patches and deletions by code, and stocks that came whole; or all of it. */
type Change =
  | { type: 'delta'; delta: { stocks: { upsert: object; delete: string[] } }; whole?: readonly Stock[] }
  | { type: string };

type Market = { stocks: ReadonlyMap<string, Stock>; meta: { stockCount: number } };

type Glance = { follower: GlanceFollower; isBehind: boolean };

/** The codes that a change names; null for a whole state. */
const changedIn = (change: Change): string[] | null =>
  'delta' in change
    ? [
        ...Object.keys(change.delta.stocks.upsert),
        ...change.delta.stocks.delete,
        ...(change.whole ?? []).map(({ code }) => code),
      ]
    : null;

/**
 * Tells the windows that ask for it how the market stands as a whole, where all stocks are: no window needs them for that.
 * @param isServed whether a window is still there
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
    /** A window says what it wants to know, or that it wants nothing any more. @param market null before the first snapshot */
    take(window: TellWindow, ask: GlanceAsk | null, market: Market | null): void {
      all.delete(window);
      if (ask === null) return;
      const glance = { follower: createFollower(ask), isBehind: true };
      all.set(window, glance);
      if (market) tell(window, glance, market, null);
    },
    /** The market changed. One that is not there now is told all when it is back. */
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
