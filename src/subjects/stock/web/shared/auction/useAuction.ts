import { effect } from '@preact/signals-react';
import { useCallback, useEffect, useState } from 'react';
import {
  addAuctionPoint,
  type AuctionColumns,
  auctionPointOf,
} from '../../../../../market/auctions/rules/auction.ts';
import { auctionAnswer } from '../../../../../market/auctions/rules/auctionAnswer.ts';
import { phaseAt } from '../../../../../market/rules/sessionClock.ts';
import type { Stock } from '../../../../../market/rules/stock.ts';
import { api, messageOf, unwrap } from '../../../../../../web/api/client.ts';
import { readerOf } from '../../../../../../web/api/readerOf.ts';
import { isStreamBack, marketNow, stocks } from '../../../../../../web/live/market.ts';
import { useNewEra } from '../../../../../../web/live/marketEra.ts';

export type AuctionState =
  | { kind: 'loading' }
  | { kind: 'failed'; sentence: string }
  | { kind: 'known'; date: string; columns: AuctionColumns };

/** Asks how a stock's opening auction formed. @throws ApiError with the sentence to show; whatever fetch throws when it is given up */
const fetchAuction = (symbol: string, signal: AbortSignal) =>
  unwrap(api.data.auction.get({ query: { symbol }, fetch: { signal } }), readerOf(auctionAnswer));

const LOADING: AuctionState = { kind: 'loading' };

/** Adds what a stock shows now. @returns other columns, or the same when nothing is new */
function withStock(columns: AuctionColumns, stock: Stock): AuctionColumns {
  const now = marketNow();
  const point = auctionPointOf(stock, now, phaseAt(now).phase);
  if (!point) return columns;
  const { time, price, volume, surplus } = columns;
  const next = { time: [...time], price: [...price], volume: [...volume], surplus: [...surplus] };
  return addAuctionPoint(next, point).isNew ? next : columns;
}

/**
 * Follows the auction of a stock: what was is asked for once, what comes is the stream's. It is asked for again in another
 * era, and after a time in which the stream brought nothing to this window.
 */
export function useAuction(code: string): { auction: AuctionState; retry(): void } {
  const [auction, setAuction] = useState<AuctionState>(LOADING);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const shown = () => {
      if (!document.hidden) setAttempt((count) => count + 1);
    };
    document.addEventListener('visibilitychange', shown);
    return () => document.removeEventListener('visibilitychange', shown);
  }, []);

  useEffect(
    () =>
      effect(() => {
        if (isStreamBack.value) setAttempt((count) => count + 1);
      }),
    [],
  );

  useEffect(() => {
    const given = new AbortController();
    // What the window knew when it asked is in the answer; only what came since is added.
    let seen = stocks.peek().get(code);
    let stop = (): void => undefined;
    fetchAuction(code, given.signal).then(
      (answer) => {
        if (given.signal.aborted) return;
        setAuction({ kind: 'known', date: answer.date, columns: answer.columns });
        stop = effect(() => {
          const stock = stocks.value.get(code);
          if (!stock || stock === seen) return;
          seen = stock;
          setAuction((before) => {
            if (before.kind !== 'known') return before;
            const columns = withStock(before.columns, stock);
            return columns === before.columns ? before : { ...before, columns };
          });
        });
      },
      (problem: unknown) => {
        if (given.signal.aborted) return;
        const sentence = messageOf(problem, 'The auction could not be loaded.');
        // What is shown already stays: the stream goes on with it.
        setAuction((before) => (before.kind === 'known' ? before : { kind: 'failed', sentence }));
      },
    );
    return () => {
      given.abort();
      stop();
    };
  }, [code, attempt]);

  const retry = useCallback(() => {
    setAuction(LOADING);
    setAttempt((count) => count + 1);
  }, []);
  // What is shown is of another day or moment: it must not stay where the answer does not come.
  useNewEra(retry);

  return { auction, retry };
}
