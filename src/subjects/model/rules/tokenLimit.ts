import type { ModelUseKind } from './dailyLimit.ts';

/** How many tokens a model may write for one answer, with what some models think before it. */
export const TOKEN_LIMIT: Readonly<Record<ModelUseKind, number>> = {
  /** The summary takes some 200. */
  summary: 2000,
  /** An answer has 150 words. */
  question: 1500,
};
