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

/** What is in use, by whom; the union is what is computed or asked for. What comes first in a shortage: `servingOrder.ts`. */
export class Demand {
  private readonly byOwner = new Map<string, Owner>();
  private readonly listeners = new Set<() => void>();
  private served: Items = new Map();
  private allowed: ReadonlyMap<Standing, Items> = new Map();
  private items: readonly DemandItem[] = [];

  /**
   * @param limit how many different values are served at most
   * @param now epoch ms
   */
  constructor(
    private readonly limit = MAX_VALUES_SERVED,
    private readonly now: () => number = () => 0,
  ) {}

  /** Replaces all items of an owner, e.g. 'user:7' or 'alerts:7'; an empty list ends them. */
  set(owner: string, items: readonly DemandItem[], standing?: Standing): void {
    this.setAll([[owner, items, standing]]);
  }

  /** The same for several owners, worked out once. */
  setAll(entries: Iterable<DemandEntry>): void {
    for (const [owner, items, standing] of entries) {
      const own = new Map(items.map((item) => [demandItemId(item), item]));
      const unknown: Standing = {
        user: owner,
        use: 'columns',
        plan: 'premium',
        since: 0,
        limit: Number.POSITIVE_INFINITY,
      };
      if (own.size > 0) this.byOwner.set(owner, { items: own, standing: standing ?? unknown });
      else this.byOwner.delete(owner);
    }
    const { served, allowed } = valuesServed(this.byOwner.values(), this.limit, this.now());
    this.allowed = allowed;
    if (served.size === this.served.size && [...served.keys()].every((id) => this.served.has(id))) return;
    this.served = served;
    this.items = [...served.values()];
    for (const listener of this.listeners) listener();
  }

  /** Whether an owner has any items. */
  isOwner(owner: string): boolean {
    return this.byOwner.has(owner);
  }

  /** Each item once, at most `limit`; the same array until it changes. */
  current(): readonly DemandItem[] {
    return this.items;
  }

  /** How many different items there are that are not served. */
  leftOut(): number {
    const all = new Set([...this.byOwner.values()].flatMap(({ items }) => [...items.keys()]));
    return all.size - this.served.size;
  }

  /** Which of some items of an owner are not served, and why, by their ids. */
  waiting(owner: string): ReadonlyMap<string, WaitingReason> {
    const own = this.byOwner.get(owner);
    if (!own) return new Map();
    const mine = this.allowed.get(own.standing);
    const ids = [...own.items.keys()].filter((id) => !this.served.has(id));
    return new Map(ids.map((id) => [id, mine?.has(id) ? 'server' : 'plan']));
  }

  /** Called after the union changed; the result ends it. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
