import type { StockUpdate } from '#market/rules/stock.ts';
import type { MarketSink, MarketSource, SourceHealth } from '#market/sources/quotes.ts';

export type HandSource = MarketSource & {
  /** Sends the market a batch. */
  apply(updates: readonly StockUpdate[]): ReturnType<MarketSink['apply']>;
  setHealth(health: Partial<SourceHealth>): void;
};

/** Traits that a source may declare. */
export type HandSourceTraits = Partial<
  Pick<
    MarketSource,
    | 'name'
    | 'announcements'
    | 'days'
    | 'delayMinutes'
    | 'isPartial'
    | 'hasMinutes'
    | 'ownValues'
    | 'history'
    | 'ignoreStatus'
    | 'loaded'
    | 'overnight'
    | 'replay'
    | 'skip'
  >
>;

/** A market source controlled by the test, on its own clock; like a live feed by default. */
export function createHandSource(clock: { now(): number }, traits: HandSourceTraits = {}): HandSource {
  let into: MarketSink | undefined;
  let health: SourceHealth = { healthy: true, problem: null, lastSuccess: null, measuredLagMs: null };
  return {
    name: 'hand',
    label: () => 'By hand',
    delayMinutes: () => 0,
    clock: { now: clock.now, speed: 1 },
    ignoreStatus: () => false,
    days: 'consecutive',
    hasMinutes: true,
    ...traits,
    start: async (given) => {
      into = given;
    },
    stop: async () => {
      into = undefined;
    },
    health: () => health,
    apply: (updates) => {
      if (!into) throw new Error('The source was not started.');
      health = { ...health, lastSuccess: clock.now() };
      return into.apply(updates);
    },
    setHealth: (change) => {
      health = { ...health, ...change };
    },
  };
}
