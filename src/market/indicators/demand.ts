import { type DemandItem, demandItemId } from './rules/demandItem.ts';
import { MAX_VALUES_SERVED, type WaitingReason } from './rules/valueLimits.ts';
import { type Items, type Owner, type Standing, valuesServed } from './servingOrder.ts';

export type { Standing } from './servingOrder.ts';

/** What an owner has in use; without a standing it takes turns with all that have none, without a limit of its own. */
export type DemandEntry = readonly [
  owner: string,
  items: readonly DemandItem[],
  standing?: Standing | undefined,
];

/** What is in use, by whom; the union is what is computed or asked for. */
export type Demand = {
  /** Replaces all items of an owner, e.g. 'user:7' or 'alerts:7'; an empty list ends them. */
  set(owner: string, items: readonly DemandItem[], standing?: Standing): void;
  /** The same for several owners, worked out once. */
  setAll(entries: Iterable<DemandEntry>): void;
  /** Whether an owner has any items. */
  isOwner(owner: string): boolean;
  /** Each item once, at most `limit`; the same array until it changes. */
  current(): readonly DemandItem[];
  /** How many different items there are that are not served. */
  leftOut(): number;
  /** Which of some items of an owner are not served, and why, by their ids. */
  waiting(owner: string): ReadonlyMap<string, WaitingReason>;
  /** Called after the union changed; the result ends it. */
  listen(listener: () => void): () => void;
};

/**
 * The registry of values in use. What comes first in a shortage: `servingOrder.ts`.
 * @param limit how many different values are served at most
 * @param now epoch ms
 */
export function createDemand(limit = MAX_VALUES_SERVED, now: () => number = () => 0): Demand {
  const byOwner = new Map<string, Owner>();
  const listeners = new Set<() => void>();
  let served: Items = new Map();
  let allowed: ReadonlyMap<Standing, Items> = new Map();
  let current: readonly DemandItem[] = [];

  function setAll(entries: Iterable<DemandEntry>): void {
    for (const [owner, items, standing] of entries) {
      const own = new Map(items.map((item) => [demandItemId(item), item]));
      const unknown: Standing = {
        ...{ user: owner, use: 'columns', plan: 'premium', since: 0, limit: Number.POSITIVE_INFINITY },
      };
      if (own.size > 0) byOwner.set(owner, { items: own, standing: standing ?? unknown });
      else byOwner.delete(owner);
    }
    const next = valuesServed(byOwner.values(), limit, now());
    allowed = next.allowed;
    if (next.served.size === served.size && [...next.served.keys()].every((id) => served.has(id))) return;
    served = next.served;
    current = [...served.values()];
    for (const listener of listeners) listener();
  }

  return {
    set: (owner, items, standing) => setAll([[owner, items, standing]]),
    setAll,
    isOwner: (owner) => byOwner.has(owner),
    current: () => current,
    leftOut: () =>
      new Set([...byOwner.values()].flatMap(({ items }) => [...items.keys()])).size - served.size,
    waiting(owner) {
      const own = byOwner.get(owner);
      if (!own) return new Map();
      const mine = allowed.get(own.standing);
      const ids = [...own.items.keys()].filter((id) => !served.has(id));
      return new Map(ids.map((id) => [id, mine?.has(id) ? 'server' : 'plan']));
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
