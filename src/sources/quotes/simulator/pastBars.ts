import { lazy } from '../../../lib/lazy.ts';
import type { History } from '../history.ts';
import type { Exchange } from './exchange.ts';

/** The simulator's past. Days without a trade, which it tells as four equal prices, are left out: no bar was made. */
export function simulatedHistory(
  exchangeOf: () => Pick<Exchange, 'dailyHistory' | 'minuteBars' | 'opening' | 'listings'>,
): History {
  const codes = lazy(() => new Set(exchangeOf().listings.map((listing) => listing.code)));
  return {
    isDeep: true,
    daily: (code, until, count) =>
      codes().has(code)
        ? exchangeOf()
            .dailyHistory(code, until, count)
            .filter((bar) => bar.volume > 0)
        : [],
    opening: (code) => (codes().has(code) ? exchangeOf().opening(code) : []),
    minutes: (code, date) => (codes().has(code) ? exchangeOf().minuteBars(code, date) : []),
  };
}
