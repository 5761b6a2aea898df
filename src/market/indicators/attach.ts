import type { Log } from '../../lib/log.ts';
import type { Market } from '../types.ts';
import type { Engine } from './engine.ts';

/**
 * The Market as sources and routes see it: what they apply is noted by the engine, and before a change set is collected
 * the engine writes the values that changed. So a value rides in the same change set as the trade it comes from, and
 * since the engine writes into the Market behind, it never hears of its own values. A fault of the engine costs the
 * values, never the prices.
 */
export function attachIndicators(market: Market, engine: Engine, log: Log): Market {
  let failing = false;
  const guarded = (run: () => void): void => {
    try {
      run();
      failing = false;
    } catch (error) {
      if (!failing) log.error('Indicator values could not be computed; prices go on', { error });
      failing = true;
    }
  };
  return {
    ...market,
    apply(updates) {
      const answer = market.apply(updates);
      guarded(() => engine.note(updates.map((update) => update.code)));
      return answer;
    },
    remove(codes) {
      market.remove(codes);
      guarded(() => engine.drop(codes));
    },
    flush() {
      guarded(() => engine.write());
      return market.flush();
    },
  };
}
