import type { SubscriptionType } from '#platform/http/rules/accessLevel.ts';
import { type DemandItem, demandItemId } from './rules/indicatorKey.ts';
import { MAX_VALUES_SERVED, NEW_ACCOUNT_MS, type WaitingReason } from './rules/valueLimits.ts';

/** The user's rights and purpose, which decide the order in a shortage. */
export type Status = {
  user: string;
  use: 'alerts' | 'columns';
  plan: SubscriptionType;
  since: number;
  limit: number;
};

type Items = ReadonlyMap<string, DemandItem>;
type Owner = { items: Items; status: Status };

const PLANS: readonly SubscriptionType[] = ['premium', 'basic', 'free'];

/**
 * Smaller tiers are served first: new free accounts last, otherwise alerts before columns, and then by plan.
 */
function tierOf({ use, plan, since }: Status, now: number): number {
  const isNew = plan === 'free' && now - since < NEW_ACCOUNT_MS;
  return (isNew ? 100 : 0) + (use === 'alerts' ? 0 : 10) + PLANS.indexOf(plan);
}

function withinLimits(owners: readonly Owner[]): Owner[] {
  const usedBy = new Map<string, Set<string>>();
  const isAlerts = ({ status }: Owner): boolean => status.use === 'alerts';
  const ordered = [...owners.filter(isAlerts), ...owners.filter((owner) => !isAlerts(owner))];
  return ordered.map(({ items, status }) => {
    const used = usedBy.get(status.user) ?? new Set();
    usedBy.set(status.user, used);
    const allowed = new Map<string, DemandItem>();
    for (const [id, item] of items) {
      if (!used.has(id) && used.size >= status.limit) continue;
      used.add(id);
      allowed.set(id, item);
    }
    return { items: allowed, status };
  });
}

/** Owners take turns with one new value each, so that one with many values does not displace others. */
function takeTurns(taken: Map<string, DemandItem>, owners: readonly Items[], limit: number): void {
  let waiting = owners.map((items) => items.entries());
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
}

/**
 * The served values, tier by tier. Users of a paid plan take turns. Free accounts are served completely,
 * older ones first, because one person can create many.
 * @param limit of different values
 * @param now epoch ms
 */
function valuesServed(
  owners: Iterable<Owner>,
  limit: number,
  now: number,
): { served: Map<string, DemandItem>; allowed: Map<Status, Items> } {
  const within = withinLimits([...owners]);
  const ordered = within
    .map((owner) => ({ ...owner, tier: tierOf(owner.status, now) }))
    .sort((a, b) => a.tier - b.tier || a.status.since - b.status.since);
  const served = new Map<string, DemandItem>();
  for (let from = 0; from < ordered.length && served.size < limit; ) {
    const first = ordered[from];
    const isFree = first?.status.plan === 'free';
    const until = isFree ? from + 1 : ordered.findLastIndex(({ tier }) => tier === first?.tier) + 1;
    takeTurns(
      served,
      ordered.slice(from, until).map(({ items }) => items),
      limit,
    );
    from = until;
  }
  return { served, allowed: new Map(within.map(({ status, items }) => [status, items])) };
}

/** An owner's values. Without a standing they are served like a premium user's columns, without a limit. */
export type DemandEntry = readonly [
  owner: string,
  items: readonly DemandItem[],
  standing?: Status | undefined,
];

export class Demand {
  private readonly byOwner = new Map<string, Owner>();
  private readonly listeners = new Set<() => void>();
  private served: Items = new Map();
  private allowed: ReadonlyMap<Status, Items> = new Map();
  private items: readonly DemandItem[] = [];

  /** @param limit of different values served @param now epoch ms */
  constructor(
    private readonly limit = MAX_VALUES_SERVED,
    private readonly now: () => number = () => 0,
  ) {}

  /** Replaces all items of an owner, e.g. 'user:7' or 'alerts:7'; an empty list removes it. */
  set(owner: string, items: readonly DemandItem[], status?: Status): void {
    this.setAll([[owner, items, status]]);
  }

  setAll(entries: Iterable<DemandEntry>): void {
    for (const [owner, items, status] of entries) {
      const own = new Map(items.map((item) => [demandItemId(item), item]));
      const unknown: Status = {
        user: owner,
        use: 'columns',
        plan: 'premium',
        since: 0,
        limit: Number.POSITIVE_INFINITY,
      };
      if (own.size > 0) this.byOwner.set(owner, { items: own, status: status ?? unknown });
      else this.byOwner.delete(owner);
    }
    const { served, allowed } = valuesServed(this.byOwner.values(), this.limit, this.now());
    this.allowed = allowed;
    if (served.size === this.served.size && [...served.keys()].every((id) => this.served.has(id))) return;
    this.served = served;
    this.items = [...served.values()];
    for (const listener of this.listeners) listener();
  }

  isOwner(owner: string): boolean {
    return this.byOwner.has(owner);
  }

  current(): readonly DemandItem[] {
    return this.items;
  }

  leftOut(): number {
    const all = new Set([...this.byOwner.values()].flatMap(({ items }) => [...items.keys()]));
    return all.size - this.served.size;
  }

  waiting(owner: string): ReadonlyMap<string, WaitingReason> {
    const own = this.byOwner.get(owner);
    if (!own) return new Map();
    const mine = this.allowed.get(own.status);
    const ids = [...own.items.keys()].filter((id) => !this.served.has(id));
    return new Map(ids.map((id) => [id, mine?.has(id) ? 'server' : 'plan']));
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
