import { type ReactNode, useMemo } from 'react';
import { MESSAGES } from '../../../../texts/messages.ts';
import { useLoaded } from '../../../../../web/shared/useLoaded.ts';
import { Banner } from '../../../../../web/ui/Banner.tsx';
import { Button } from '../../../../../web/ui/Button.tsx';
import { fetchWatchedSymbols } from '../../../alerts/web/shared/watchlists.ts';

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
  const problem = isWanted && error !== null && (
    <Banner action={<Button onClick={() => void reload()}>Retry</Button>}>{error}</Banner>
  );
  return { symbols, problem };
}
