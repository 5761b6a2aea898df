import { standIn } from '#support/coreOf.ts';
import { AdjustmentWatch } from '#market/splits/index.ts';
import type { Market } from '#market/types.ts';
import type { Core } from '#src/part.ts';

/** Recognises splits and consolidations on a market that changes with each run, and keeps no bars. */
export const watchOf = (core: Core, market: () => Market): AdjustmentWatch =>
  new AdjustmentWatch(
    core,
    standIn<Market>({ get: (code: string) => market().all().get(code), date: () => market().date() }),
    { beforeAdjustment: () => {}, adjusted: () => {}, rejoined: () => {} },
  );
