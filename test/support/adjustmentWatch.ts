import { standIn } from '#support/appOf.ts';
import { AdjustmentWatch } from '#market/splits.ts';
import type { Market } from '#market/types.ts';
import type { App } from '#platform/app.ts';

/** Recognises splits and consolidations on a market that changes with each run, and keeps no bars. */
export const watchOf = (app: App, market: () => Market): AdjustmentWatch =>
  new AdjustmentWatch(
    app,
    standIn<Market>({ get: (code: string) => market().all().get(code), date: () => market().date() }),
    { beforeAdjustment: () => {}, adjusted: () => {}, rejoined: () => {} },
  );
