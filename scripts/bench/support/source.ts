import type { Clock } from '#lib/clock.ts';
import type { MarketClock, MarketSource } from '#market/sources/quotes.ts';
import { benchHistory } from './barHistory.ts';
import { BENCH_NOW } from './market.ts';

/**
 * A healthy live feed with a past; the bench itself updates the market.
 * @param wall dates the last batch, which is always now
 * @param clock the market's, which only the bench moves
 */
export const createBenchSource = (
  wall: Clock,
  clock: MarketClock = { now: () => BENCH_NOW, speed: 1 },
): MarketSource => ({
  name: 'bench',
  label: () => 'Live',
  delayMinutes: () => 0,
  clock,
  ignoreStatus: () => false,
  days: 'consecutive',
  hasMinutes: true,
  history: benchHistory(0.5),
  start: async () => {},
  stop: async () => {},
  health: () => ({ healthy: true, problem: null, lastSuccess: wall.now(), measuredLagMs: null }),
});
