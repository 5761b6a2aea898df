import { type ReactNode, useLayoutEffect, useState } from 'react';
import { meta, stocksVersion } from './market.ts';
import type { Watch } from './stream/protocol.ts';
import { createWatcher } from './watching.ts';

/** Adds stocks to this window's watch while mounted. @returns whether `stocks` contains them */
export function useWatch(watch: Partial<Watch>): boolean {
  const [watcher] = useState(createWatcher);
  const text = JSON.stringify(watch);
  useLayoutEffect(() => watcher.set(JSON.parse(text) as Partial<Watch>), [watcher, text]);
  useLayoutEffect(() => watcher.stop, [watcher]);
  const version = stocksVersion.value;
  if (version === Number.POSITIVE_INFINITY) return true;
  const confirmed = watcher.confirmed.value;
  return confirmed !== null && confirmed.text === text && version >= confirmed.version;
}

/**
 * Watches every stock while mounted, for fields that accept any symbol.
 * @returns whether they have arrived, or nothing is known of the market; stays true
 */
export function useWholeMarket(): boolean {
  const hasStocks = useWatch({ all: true });
  const [wasReady, setReady] = useState(false);
  const isReady = wasReady || hasStocks || meta.value === null;
  if (isReady && !wasReady) setReady(true);
  return isReady;
}

/** Watches the whole market while mounted, for a symbol field that is in use. */
export function WholeMarketWatch(): ReactNode {
  useWholeMarket();
  return null;
}
