import { type ReactNode, useLayoutEffect, useState } from 'react';
import { meta, stocksVersion } from './market.ts';
import type { Watch } from './stream/protocol.ts';
import { createWatcher } from './watching.ts';

/**
 * Keeps stocks among those that this window is sent, while the component is mounted.
 * @returns whether `stocks` holds them already
 */
export function useWatch(watch: Partial<Watch>): boolean {
  const [watcher] = useState(createWatcher);
  const text = JSON.stringify(watch);
  useLayoutEffect(() => watcher.set(JSON.parse(text) as Partial<Watch>), [watcher, text]);
  useLayoutEffect(() => watcher.stop, [watcher]);
  const version = stocksVersion.value;
  if (version === Number.POSITIVE_INFINITY) return true;
  const told = watcher.told.value;
  return told !== null && told.text === text && version >= told.version;
}

/**
 * Keeps every stock among those that this window is sent, while the component is mounted: for what takes any symbol.
 * @returns whether they are there, or nothing is known of the market; true stays true
 */
export function useWholeMarket(): boolean {
  const hasStocks = useWatch({ all: true });
  const [wasReady, setReady] = useState(false);
  const isReady = wasReady || hasStocks || meta.value === null;
  if (isReady && !wasReady) setReady(true);
  return isReady;
}

/** While it is mounted the window is sent the whole market: for a box that completes symbols, while it is in use. */
export function WholeMarketWatch(): ReactNode {
  useWholeMarket();
  return null;
}
