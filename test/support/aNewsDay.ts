import type { NewsDay } from '#market/rules/stock.ts';

/** A day in a stock’s news that is empty except for the given members. */
export const aNewsDay = (members: Partial<NewsDay> = {}): NewsDay => ({
  headline: null,
  summary: null,
  summary_generated_at: null,
  alerted: false,
  announcements: {},
  ...members,
});
