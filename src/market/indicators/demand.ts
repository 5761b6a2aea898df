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
  /** Each want once, the most used first, at most `limit`; the same array until it changes. */
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

/**
 * The registry of values in use.
 * @param limit how many different values are served at most; beyond it the least used wait
 */
export const createDemand = (limit = 200): Demand => {
  const byOwner = new Map<string, ReadonlyMap<string, Want>>();
  const uses = new Map<string, { want: Want; count: number }>();
  const listeners = new Set<() => void>();
  let current: readonly Want[] = [];

  const count = (wants: ReadonlyMap<string, Want>, by: 1 | -1): void => {
    for (const [id, want] of wants) {
      const use = uses.get(id) ?? { want, count: 0 };
      use.count += by;
      if (use.count > 0) uses.set(id, use);
      else uses.delete(id);
    }
  };

  const isSame = (next: readonly Want[]): boolean => {
    const known = new Set(current.map(wantId));
    return next.length === known.size && next.every((want) => known.has(wantId(want)));
  };

  return {
    set(owner, wants) {
      count(byOwner.get(owner) ?? new Map(), -1);
      const own = new Map(wants.map((want) => [wantId(want), want]));
      if (own.size > 0) byOwner.set(owner, own);
      else byOwner.delete(owner);
      count(own, 1);
      const next = [...uses.values()]
        .sort((a, b) => b.count - a.count)
        .slice(0, limit)
        .map((use) => use.want);
      if (isSame(next)) return;
      current = next;
      for (const listener of listeners) listener();
    },
    current: () => current,
    leftOut: () => Math.max(0, uses.size - limit),
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
