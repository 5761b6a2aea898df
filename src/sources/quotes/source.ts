import type { Clock } from '../../lib/clock.ts';
import type { StockUpdate } from '../../domain/market/stock.ts';
import type { History } from './history.ts';

/** One refused stock of a batch: which, and a sentence saying why. */
export type Refusal = { code: string; reason: string };

/** Where a source puts what it learned. A batch is applied whole, in one synchronous step. */
export type MarketSink = {
  /** Merges the updates; impossible values refuse that stock alone. Unknown codes are added. */
  apply(updates: readonly StockUpdate[]): { applied: number; refused: Refusal[] };
  remove(codes: readonly string[]): void;
};

export type SourceHealth = {
  healthy: boolean;
  /** A sentence for the trader; null while healthy. */
  problem: string | null;
  /** Epoch ms, wall clock, of the last good batch. */
  lastSuccess: number | null;
  /** Measured age of the provider's quotes, ms; null when it can't be told. */
  measuredLagMs: number | null;
};

/** The market's own clock: the wall clock, or a simulated day at some speed. */
export type MarketClock = Clock & { readonly speed: number };

/** Everything that feeds the Market looks like this; swapping one for another changes nothing downstream. */
export type MarketSource = {
  readonly name: string;
  /** 'Simulated', 'Delayed 20 min', 'Live'. May change as the source learns its delay. */
  label(): string;
  delayMinutes(): number;
  /** The market's clock while this source runs. */
  readonly clock: MarketClock;
  /** Past bars, where the source can give them; otherwise they are collected from what it sends and kept. */
  readonly history?: History;
  /** True when scanners must not filter by status (a simulated market outside hours). */
  ignoreStatus(): boolean;
  start(sink: MarketSink): Promise<void>;
  stop(): Promise<void>;
  health(): SourceHealth;
};
