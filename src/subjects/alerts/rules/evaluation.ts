import type { SeenCondition } from './trigger.ts';

/** The last evaluation of an alert, condition by condition. */
export type Evaluation = {
  /** By the market's clock, epoch ms; null when it was not evaluated yet. */
  at: number | null;
  /** A sentence without a final stop saying why it can't be evaluated now: 'BHP is halted'; null when it was. */
  notEvaluated: string | null;
  /** One per condition, groups included, in their order; with the values that are known. */
  conditions: readonly SeenCondition[];
  /** Whether the whole holds; null when it was not evaluated. */
  holds: boolean | null;
};
