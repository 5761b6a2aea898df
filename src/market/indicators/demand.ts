import { type DemandItem, demandItemId } from '../../domain/indicators/demandItem.ts';

/** What is in use, by whom; the union is what is computed or asked for. */
export type Demand = {
  /** Replaces all items of an owner, e.g. 'user:7' or 'alerts:7'; an empty list ends them. */
  set(owner: string, items: readonly DemandItem[]): void;
  /** The same for several owners, worked out once. */
  setAll(entries: Iterable<readonly [owner: string, items: readonly DemandItem[]]>): void;
  /** Whether an owner has any items. */
  isOwner(owner: string): boolean;
  /** Each item once, at most `limit`; the same array until it changes. */
  current(): readonly DemandItem[];
  /** How many different items there are beyond the limit. */
  leftOut(): number;
  /** Called after the union changed; the result ends it. */
  listen(listener: () => void): () => void;
};

/** Owners take turns, one new value each, so that one with very many does not push out the values of others. */
function takeTurns(
  owners: Iterable<ReadonlyMap<string, DemandItem>>,
  limit: number,
): Map<string, DemandItem> {
  const taken = new Map<string, DemandItem>();
  let waiting = [...owners].map((items) => items.entries());
  const takeNext = (items: Iterator<[string, DemandItem]>): boolean => {
    for (let next = items.next(); !next.done; next = items.next()) {
      const [id, item] = next.value;
      if (taken.has(id)) continue;
      if (taken.size < limit) taken.set(id, item);
      return true;
    }
    return false;
  };
  while (waiting.length > 0 && taken.size < limit) waiting = waiting.filter(takeNext);
  return taken;
}

/**
 * The registry of values in use.
 * @param limit how many different values are served at most; beyond it the last ones of the longest lists wait
 */
export function createDemand(limit = 200): Demand {
  const byOwner = new Map<string, ReadonlyMap<string, DemandItem>>();
  const listeners = new Set<() => void>();
  let served: ReadonlyMap<string, DemandItem> = new Map();
  let current: readonly DemandItem[] = [];

  function setAll(entries: Iterable<readonly [string, readonly DemandItem[]]>): void {
    for (const [owner, items] of entries) {
      const own = new Map(items.map((item) => [demandItemId(item), item]));
      if (own.size > 0) byOwner.set(owner, own);
      else byOwner.delete(owner);
    }
    const next = takeTurns(byOwner.values(), limit);
    if (next.size === served.size && [...next.keys()].every((id) => served.has(id))) return;
    served = next;
    current = [...next.values()];
    for (const listener of listeners) listener();
  }

  return {
    set: (owner, items) => setAll([[owner, items]]),
    setAll,
    isOwner: (owner) => byOwner.has(owner),
    current: () => current,
    leftOut: () => takeTurns(byOwner.values(), Number.POSITIVE_INFINITY).size - served.size,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
