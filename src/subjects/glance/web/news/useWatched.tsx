import { type ReactNode, useMemo } from 'react';
import { MESSAGES } from '#texts/messages.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { RetryBanner } from '#ui/RetryBanner.tsx';
import { fetchWatchedSymbols } from '#subjects/alerts/web/shared/watchlists.ts';

/** The symbols of the user's lists, asked for each time that they are wanted; null while they are not known. */
export function useWatched(isWanted: boolean): {
  symbols: ReadonlySet<string> | null;
  /** Says that they could not be loaded. */
  problem: ReactNode;
} {
  const { data, error, reload } = useLoaded(fetchWatchedSymbols, MESSAGES.watchlist.load, {
    of: isWanted ? 'watchlist' : null,
  });
  const symbols = useMemo(() => data && new Set(data), [data]);
  const problem = isWanted && error !== null && <RetryBanner onRetry={reload}>{error}</RetryBanner>;
  return { symbols, problem };
}
