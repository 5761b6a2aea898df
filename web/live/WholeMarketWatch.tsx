import type { ReactNode } from 'react';
import { useWholeMarket } from './useWatch.ts';

/** While it is mounted the window is sent the whole market: for a box that completes symbols, while it is in use. */
export function WholeMarketWatch(): ReactNode {
  useWholeMarket();
  return null;
}
