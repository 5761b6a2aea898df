import { valueLimitOf } from '../../../market/indicators/rules/valueLimits.ts';
import type { SystemClock } from '../../../lib/clock.ts';
import type { Demand, DemandEntry, Standing } from '../../../market/indicators/demand.ts';
import type { CatalogKeeper } from './catalog.ts';
import { demandOf, demandOfAlerts } from './demandOf.ts';
import { createUseLimits, readSaved } from './limits.ts';
import { createScans } from './scans.ts';
import { createSelection } from './selection.ts';
import { createWaiting } from './waiting.ts';
import type { IndicatorStore } from './store.ts';

export type IndicatorsDeps = {
  store: IndicatorStore;
  catalog: CatalogKeeper;
  demand: Demand;
  clock: SystemClock;
};

/** The catalog, what each user selected and built of it, and which values that needs. */
export function createIndicatorsService({ store, catalog, demand, clock }: IndicatorsDeps) {
  const limits = createUseLimits({ store, catalog, clock });
  const columnsOwner = (userId: number): string => `user:${userId}`;
  const alertsOwner = (userId: number): string => `alerts:${userId}`;
  /** Undefined for a deleted account, which has nothing in use. */
  function standingOf(userId: number, use: Standing['use']): Standing | undefined {
    const account = store.account(userId);
    if (!account) return undefined;
    const { subscriptionType, isAdmin, createdAt: since } = account;
    const plan = isAdmin ? 'premium' : subscriptionType;
    return { user: String(userId), use, plan, since, limit: valueLimitOf(account) };
  }
  const columnsEntry = (userId: number): DemandEntry => [
    columnsOwner(userId),
    demandOf(readSaved(store, userId), catalog.current()),
    standingOf(userId, 'columns'),
  ];
  const userChanged = (userId: number): void => demand.setAll([columnsEntry(userId)]);
  const scans = createScans({ store, catalog, clock, limits, userChanged });
  const alertsEntry = (userId: number): DemandEntry => [
    alertsOwner(userId),
    demandOfAlerts(store.activeAlerts(userId), scans.scansOf(userId), catalog.current()),
    standingOf(userId, 'alerts'),
  ];
  const alertsChanged = (userIds: readonly number[]): void => demand.setAll(userIds.map(alertsEntry));
  const everythingOf = (userIds: readonly number[]): void =>
    demand.setAll(userIds.flatMap((id) => [columnsEntry(id), alertsEntry(id)]));
  const loadDemand = (): void => everythingOf(store.userIds());
  catalog.listen(loadDemand);
  return {
    catalog,
    demand,
    ...createSelection({ store, catalog, limits, userChanged }),
    ...scans,
    ...limits,
    /** To be called after a user's tables, selection or scans changed: what they read is served from then on. */
    userChanged,
    /**
     * To be called after alerts of these users changed: what the active ones read is served from then on. They are an
     * owner of their own, so that in a shortage long tables don't push out what alerts look at.
     */
    alertsChanged,
    /** To be called after a user's plan or rights changed: what is served first follows from them. */
    planChanged: (userId: number): void => everythingOf([userId]),
    ...createWaiting({
      ...{ store, demand, limits },
      catalog: catalog.current,
      scansOf: scans.scansOf,
      ownerOf: { columns: columnsOwner, alerts: alertsOwner },
    }),
    /** A user's account is about to be deleted. @returns what is to be done after that */
    leaving: (userId: number) => (): void => {
      userChanged(userId);
      alertsChanged([userId]);
    },
    /** Whether alerts of a user have values in use. */
    hasAlertValues: (userId: number): boolean => demand.isOwner(alertsOwner(userId)),
    /** Reads what every user needs; once at the start. */
    loadDemand,
  };
}

export type Indicators = ReturnType<typeof createIndicatorsService>;
