import type { NewsDay } from '#market/rules/stock.ts';

/** A day of a stock's news without any, but for the members that are given. */
export const aNewsDay = (members: Partial<NewsDay> = {}): NewsDay => ({
  headline: null,
  summary: null,
  summary_generated_at: null,
  alerted: false,
  announcements: {},
  ...members,
});
