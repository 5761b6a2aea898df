import type { HtfChoice } from '../../domain/indicators/custom.ts';
import { htfKey } from '../../domain/indicators/custom.ts';
import type { IndicatorChoice } from '../../domain/indicators/types.ts';

/** A value that somebody looks at: an indicator, or a price of a higher-timeframe candle. */
export type Want =
  | {
      kind: 'indicator';
      choice: IndicatorChoice /** Its place, `indicators[tf][key][valueKey]`. */;
      key: string;
    }
  | { kind: 'htf'; choice: HtfChoice };

/** What is in use, by whom; the union is what is computed or asked for. */
export type Demand = {
  /** Replaces all wants of an owner, e.g. 'user:7' or 'alerts'; an empty list ends them. */
  set(owner: string, wants: readonly Want[]): void;
  /** Each want once, at most `limit`; the same array until it changes. */
  current(): readonly Want[];
  /** How many different wants there are beyond the limit. */
  leftOut(): number;
  /** Called after the union changed; the result ends it. */
  listen(listener: () => void): () => void;
};

/** One text per value: two wants with the same text are the same value. */
export const wantId = (want: Want): string =>
  want.kind === 'htf'
    ? `htf:${htfKey(want.choice)}`
    : `indicator:${want.choice.tf}:${want.key}:${want.choice.delay}`;

/** Owners take turns, one new value each: whoever asks for very much does not push out what others ask for. */
const takeTurns = (owners: Iterable<ReadonlyMap<string, Want>>, limit: number): Map<string, Want> => {
  const taken = new Map<string, Want>();
  let waiting = [...owners].map((wants) => wants.entries());
  const takeNext = (wants: Iterator<[string, Want]>): boolean => {
    for (let next = wants.next(); !next.done; next = wants.next()) {
      const [id, want] = next.value;
      if (taken.has(id)) continue;
      if (taken.size < limit) taken.set(id, want);
      return true;
    }
    return false;
  };
  while (waiting.length > 0 && taken.size < limit) waiting = waiting.filter(takeNext);
  return taken;
};

/**
 * The registry of values in use.
 * @param limit how many different values are served at most; beyond it the last ones of the longest lists wait
 */
export const createDemand = (limit = 200): Demand => {
  const byOwner = new Map<string, ReadonlyMap<string, Want>>();
  const listeners = new Set<() => void>();
  let served: ReadonlyMap<string, Want> = new Map();
  let current: readonly Want[] = [];

  return {
    set(owner, wants) {
      const own = new Map(wants.map((want) => [wantId(want), want]));
      if (own.size > 0) byOwner.set(owner, own);
      else byOwner.delete(owner);
      const next = takeTurns(byOwner.values(), limit);
      if (next.size === served.size && [...next.keys()].every((id) => served.has(id))) return;
      served = next;
      current = [...next.values()];
      for (const listener of listeners) listener();
    },
    current: () => current,
    leftOut: () => takeTurns(byOwner.values(), Number.POSITIVE_INFINITY).size - served.size,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
