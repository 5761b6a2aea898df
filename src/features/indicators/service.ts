import type { SystemClock } from '../../lib/clock.ts';
import type { Demand } from '../../market/indicators/demand.ts';
import type { CatalogKeeper } from './catalog.ts';
import { demandOf, demandOfAlerts } from './demandOf.ts';
import { createUseLimits, readSaved } from './limits.ts';
import { createScans } from './scans.ts';
import { createSelection } from './selection.ts';
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
  const userChanged = (userId: number): void =>
    demand.set(`user:${userId}`, demandOf(readSaved(store, userId), catalog.current()));
  const scans = createScans({ store, catalog, clock, limits, userChanged });
  const alertsOwner = (userId: number): string => `alerts:${userId}`;
  const alertsChanged = (userIds: readonly number[]): void =>
    demand.setAll(
      userIds.map((id) => [
        alertsOwner(id),
        demandOfAlerts(store.activeAlerts(id), scans.scansOf(id), catalog.current()),
      ]),
    );
  const loadDemand = (): void => {
    const userIds = store.userIds();
    for (const id of userIds) userChanged(id);
    alertsChanged(userIds);
  };
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
