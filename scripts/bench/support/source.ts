import type { MarketSource } from '../../../src/sources/quotes/source.ts';
import { BENCH_NOW } from './market.ts';

/** A healthy live feed as far as meta can tell; the bench gives the market its updates itself. */
export const createBenchSource = (): MarketSource => ({
  name: 'bench',
  label: () => 'Live',
  delayMinutes: () => 0,
  clock: { now: () => BENCH_NOW, speed: 1 },
  ignoreStatus: () => false,
  start: async () => {},
  stop: async () => {},
  health: () => ({ healthy: true, problem: null, lastSuccess: Date.now(), measuredLagMs: null }),
});
