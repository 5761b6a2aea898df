import { lazy } from '../../../lib/lazy.ts';
import type { History } from '../history.ts';
import type { Exchange } from './exchange.ts';

/** The simulator's past. Days without a trade, which it tells as four equal prices, are left out: no bar was made. */
export function simulatedHistory(
  exchangeOf: () => Pick<Exchange, 'eachDay' | 'eachMinute' | 'opening' | 'listings'>,
): History {
  const codes = lazy(() => new Set(exchangeOf().listings.map((listing) => listing.code)));
  return {
    isDeep: true,
    eachDay(code, until, count, visit) {
      if (!codes().has(code)) return;
      exchangeOf().eachDay(code, until, count, (bar) => {
        if (bar.volume > 0) visit(bar);
      });
    },
    opening: (code) => (codes().has(code) ? exchangeOf().opening(code) : []),
    eachMinute(code, date, visit) {
      if (codes().has(code)) exchangeOf().eachMinute(code, date, visit);
    },
  };
}
