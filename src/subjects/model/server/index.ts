import { addDays, sydneyDate } from '#market/rules/sydneyTime.ts';
import type { App, Part } from '#platform/app.ts';
import { createModelUseService, type ModelUse } from './service.ts';
import { modelUseStore } from './store.ts';

/** Limits go by the running day; the others are there to be looked at. */
const KEPT_DAYS = 60;

/** How often people may ask the model, and what it cost. */
export function createModelUse({ db, clock }: App) {
  const store = modelUseStore(db);
  return {
    name: 'modelUse',
    service: createModelUseService({ store, clock }),
    prune: () => ({
      removed: store.dropBefore(addDays(sydneyDate(clock.now()), -KEPT_DAYS)),
      hasMore: false,
    }),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    modelUse: ModelUse;
  }
}
