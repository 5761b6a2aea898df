import type { SystemClock } from '../../lib/clock.ts';
import type { Demand } from '../../market/indicators/demand.ts';
import type { CatalogKeeper } from './catalog.ts';
import { demandOf } from './demandOf.ts';
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
  const loadDemand = (): void => {
    for (const id of store.userIds()) userChanged(id);
  };
  catalog.listen(loadDemand);
  return {
    catalog,
    demand,
    ...createSelection({ store, catalog, limits, userChanged }),
    ...createScans({ store, catalog, clock, limits, userChanged }),
    ...limits,
    /** To be called after a user's tables, selection or scans changed: what they read is served from then on. */
    userChanged,
    /** Reads what every user needs; once at the start. */
    loadDemand,
  };
}

export type Indicators = ReturnType<typeof createIndicatorsService>;
