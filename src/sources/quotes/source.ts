import type { Clock } from '../../lib/clock.ts';
import type { StockUpdate } from '../../domain/market/stock.ts';
import type { History } from './history.ts';
import type { Refusal } from '../../lib/result.ts';

/** A refused update of a batch: its stock, the wrong field and a sentence saying why. */
export type RefusedUpdate = { code: string } & Refusal;

/** Where a source puts its updates. A batch is applied in one synchronous step. */
export type MarketSink = {
  /** Merges the updates. An impossible value refuses its update, not the batch. Unknown codes are listed. */
  apply(updates: readonly StockUpdate[]): { applied: number; refused: RefusedUpdate[] };
  remove(codes: readonly string[]): void;
};

export type SourceHealth = {
  healthy: boolean;
  /** A sentence for the trader; null while healthy. */
  problem: string | null;
  /** Epoch ms, wall clock, of the last good batch. */
  lastSuccess: number | null;
  /** Measured age of the provider's quotes, ms; null when it can't be measured. */
  measuredLagMs: number | null;
};

/** The market's own clock: the wall clock, or a simulated day at some speed. */
export type MarketClock = Clock & { readonly speed: number };

/** What feeds the Market. Sources are interchangeable: nothing downstream depends on which one runs. */
export type MarketSource = {
  readonly name: string;
  /** 'Simulated', 'Delayed 20 min', 'Live'. May change as the source learns its delay. */
  label(): string;
  delayMinutes(): number;
  /** The market's clock while this source runs. */
  readonly clock: MarketClock;
  /** Past bars; a source without them has its bars collected from its quotes and kept in the database. */
  readonly history?: History;
  /** True when scanners must not filter by status (a simulated market outside hours). */
  ignoreStatus(): boolean;
  start(sink: MarketSink): Promise<void>;
  stop(): Promise<void>;
  health(): SourceHealth;
};
