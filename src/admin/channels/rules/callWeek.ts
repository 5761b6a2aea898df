import { type Counting, countsResult } from '../../../subjects/calls/rules/counting.ts';
import type { Call } from '../../../subjects/calls/rules/types.ts';
import { addDays, sydneyDate, weekdayOf } from '../../../market/rules/sydneyTime.ts';

/** A call, and what of it counts. `isHidden`: it was rejected, so nobody is shown it. */
export type CountedCall = { call: Call; counting: Counting; isHidden: boolean };

/**
 * The verified results of a week, by the rules of the leaderboard: calls that ended in it, and filled ones that are open, at
 * the last price, so that a loss left open is not hidden.
 */
export type WeekResults = {
  /** The week's Monday, YYYY-MM-DD. */
  since: string;
  ended: number;
  running: number;
  /** Results above 0. */
  gained: number;
  /** Percent; null without any result. */
  mean: number | null;
};

/** What happened to calls on a day of the market, newest first, and the results of its week. */
export type CallDay = { opened: Call[]; closed: Call[]; week: WeekResults };

const dateOf = (time: string | null): string | null => (time === null ? null : sydneyDate(Date.parse(time)));

/** The Monday of a date's week; both YYYY-MM-DD. */
const mondayOf = (date: string): string => addDays(date, -((weekdayOf(date) + 6) % 7));

/**
 * What is told of calls on a day.
 *
 * @param date YYYY-MM-DD in Sydney, by the market's clock, as the calls' times are
 * @param calls those that were submitted or ended in the week, or more
 * @param running results of open calls at the last price, percent, those that count
 */
export function callDay(date: string, calls: readonly CountedCall[], running: readonly number[]): CallDay {
  const since = mondayOf(date);
  const shown = calls.filter(({ isHidden }) => !isHidden).map(({ call }) => call);
  const ended = calls.flatMap(({ call, counting }) => {
    const on = dateOf(call.closedAt);
    const isOfWeek = on !== null && on >= since && on <= date;
    if (!isOfWeek || call.verified === null) return [];
    const { percent } = call.verified;
    return countsResult(counting, percent) ? [percent] : [];
  });
  const results = [...ended, ...running];
  const sum = results.reduce((total, percent) => total + percent, 0);
  return {
    opened: shown.filter(({ submittedAt }) => dateOf(submittedAt) === date),
    closed: shown.filter(({ closedAt, status }) => status === 'closed' && dateOf(closedAt) === date),
    week: {
      since,
      ended: ended.length,
      running: running.length,
      gained: results.filter((percent) => percent > 0).length,
      mean: results.length === 0 ? null : sum / results.length,
    },
  };
}
