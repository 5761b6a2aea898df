import type { SubscriptionType } from '#platform/http/rules/accessLevel.ts';
import type { DemandItem } from './rules/demandItem.ts';
import { NEW_ACCOUNT_MS } from './rules/valueLimits.ts';

/** Whose an owner's values are, and what for: what comes first in a shortage follows from it. */
export type Standing = {
  user: string;
  use: 'alerts' | 'columns';
  plan: SubscriptionType;
  /** When the account was made, epoch ms. */
  since: number;
  /** How many different values the user may have in use. */
  limit: number;
};

export type Items = ReadonlyMap<string, DemandItem>;
export type Owner = { items: Items; standing: Standing };

const PLANS: readonly SubscriptionType[] = ['premium', 'basic', 'free'];

/**
 * What is served before what, the smaller first: new free accounts come last; else alerts before columns, and in each the
 * plans.
 */
function tierOf({ use, plan, since }: Standing, now: number): number {
  const isNew = plan === 'free' && now - since < NEW_ACCOUNT_MS;
  return (isNew ? 100 : 0) + (use === 'alerts' ? 0 : 10) + PLANS.indexOf(plan);
}

/** The values of each owner that the user may have: alerts come first there too, and the same value counts once. */
function withinLimits(owners: readonly Owner[]): Owner[] {
  const usedBy = new Map<string, Set<string>>();
  const isAlerts = ({ standing }: Owner): boolean => standing.use === 'alerts';
  const ordered = [...owners.filter(isAlerts), ...owners.filter((owner) => !isAlerts(owner))];
  return ordered.map(({ items, standing }) => {
    const used = usedBy.get(standing.user) ?? new Set();
    usedBy.set(standing.user, used);
    const allowed = new Map<string, DemandItem>();
    for (const [id, item] of items) {
      if (!used.has(id) && used.size >= standing.limit) continue;
      used.add(id);
      allowed.set(id, item);
    }
    return { items: allowed, standing };
  });
}

/** Owners take turns, one new value each, so that one with very many does not push out the values of others. */
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
 * Which values are served. Those of one tier come before those of the next. Within a plan that is paid for users take
 * turns; of free accounts, of which anybody makes many, the older one is served whole before the next.
 * @param limit how many different values in all
 * @param now epoch ms
 */
export function valuesServed(
  owners: Iterable<Owner>,
  limit: number,
  now: number,
): { served: Map<string, DemandItem>; allowed: Map<Standing, Items> } {
  const within = withinLimits([...owners]);
  const ordered = within
    .map((owner) => ({ ...owner, tier: tierOf(owner.standing, now) }))
    .sort((a, b) => a.tier - b.tier || a.standing.since - b.standing.since);
  const served = new Map<string, DemandItem>();
  for (let from = 0; from < ordered.length && served.size < limit; ) {
    const first = ordered[from];
    const isFree = first?.standing.plan === 'free';
    const until = isFree ? from + 1 : ordered.findLastIndex(({ tier }) => tier === first?.tier) + 1;
    takeTurns(
      served,
      ordered.slice(from, until).map(({ items }) => items),
      limit,
    );
    from = until;
  }
  return { served, allowed: new Map(within.map(({ standing, items }) => [standing, items])) };
}
