import { AdjustmentWatch, type AdjustmentsCore } from '#market/adjustments/index.ts';
import type { Market } from '#market/types.ts';

/** Recognises splits and consolidations on a market that changes with each run, and keeps no bars. */
export const watchOf = (core: AdjustmentsCore, market: () => Market): AdjustmentWatch =>
  new AdjustmentWatch(
    core,
    { get: (code) => market().all().get(code), date: () => market().date() },
    { beforeAdjustment: () => {}, adjusted: () => {}, rejoined: () => {} },
  );
