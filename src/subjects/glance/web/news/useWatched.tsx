import { type ReactNode, useMemo } from 'react';
import { MESSAGES } from '../../../../texts/messages.ts';
import { api, unwrap } from '../../../../../web/api/client.ts';
import { readerOf } from '../../../../../web/api/readerOf.ts';
import { useLoaded } from '../../../../../web/shared/useLoaded.ts';
import { Banner } from '../../../../../web/ui/Banner.tsx';
import { Button } from '../../../../../web/ui/Button.tsx';
import { itemsAnswer } from '../../../alerts/answers/watchlist.ts';

async function fetchSymbols(): Promise<readonly string[]> {
  const { items } = await unwrap(api.watchlist.get(), readerOf(itemsAnswer));
  return items.map(({ symbol }) => symbol);
}

/** The symbols of the user's list, asked for each time that they are wanted; null while they are not known. */
export function useWatched(isWanted: boolean): {
  symbols: ReadonlySet<string> | null;
  /** Says that they could not be loaded. */
  problem: ReactNode;
} {
  const { data, error, reload } = useLoaded(fetchSymbols, MESSAGES.watchlist.load, {
    of: isWanted ? 'watchlist' : null,
  });
  const symbols = useMemo(() => data && new Set(data), [data]);
  const problem = isWanted && error !== null && (
    <Banner action={<Button onClick={() => void reload()}>Retry</Button>}>{error}</Banner>
  );
  return { symbols, problem };
}
