import { MINUTE_MS } from '#lib/units.ts';
import type { DataGap } from '#market/bars/rules/coverage.ts';
import type { PastBars } from '#market/bars/pastBars.ts';
import type { BarRow } from '#market/bars/rows.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { createMinuteKeys } from '#market/rules/localTime.ts';
import type { Steps } from '#platform/http/readQueue.ts';
import {
  changeOf,
  type Horizon,
  isOpenAround,
  type Measured,
  notMeasured,
  weighReaction,
} from '#subjects/calendar/rules/marketMoves.ts';
import type { MarketReaction } from './moveStore.ts';

export type Member = { code: string; cap: number };

/** The last price before a minute of that day; null if there is none. @param rows of one day, oldest first */
const priceBefore = (rows: readonly BarRow[], key: number): number | null =>
  rows.findLast((row) => row.key < key)?.close ?? null;

const isInGap = (spans: readonly DataGap[], time: number, minutes: Horizon): boolean =>
  spans.some(({ from, until }) => until > time - MINUTE_MS && from < time + minutes * MINUTE_MS);

/**
 * Changes of a stock after a moment by minute bars, percent: from the last price before the moment to the last prices
 * before 5 and 30 minutes later.
 * @returns null if the minutes of that day are not stored
 */
export function stockChanges(
  past: PastBars,
  code: string,
  time: number,
): Record<Horizon, number | null> | null {
  const rows = past.minutesOn(code, sydneyDate(time));
  if (rows === null) return null;
  const key = createMinuteKeys()(time);
  const before = priceBefore(rows, key);
  const changeAfter = (minutes: Horizon) => changeOf({ before, after: priceBefore(rows, key + minutes) });
  return { 5: changeAfter(5), 30: changeAfter(30) };
}

/** The weighted change of the top 50 after some minutes, or why there is none. */
export function reactionOf(
  members: readonly Member[],
  changes: readonly (number | null)[],
  { time, minutes, isUnseen }: { time: number; minutes: Horizon; isUnseen: boolean },
): Measured {
  if (!isOpenAround(time, minutes)) return notMeasured('shut');
  if (isUnseen) return notMeasured('blind');
  const weighted = members.map(({ cap }, index) => ({ cap, change: changes[index] ?? null }));
  const reaction = weighReaction(weighted);
  return reaction === null ? notMeasured('unknown') : { state: 'measured', reaction };
}

/** Market reaction to a moment by minute bars, one stock per step. */
export function* measureByBars(
  past: PastBars,
  members: readonly Member[],
  time: number,
): Steps<MarketReaction> {
  const changes5: (number | null)[] = [];
  const changes30: (number | null)[] = [];
  for (const { code } of members) {
    const changes = stockChanges(past, code, time);
    changes5.push(changes?.[5] ?? null);
    changes30.push(changes?.[30] ?? null);
    yield;
  }
  const gaps = past.gaps();
  const reactionAfter = (minutes: Horizon, changes: readonly (number | null)[]) =>
    reactionOf(members, changes, { time, minutes, isUnseen: isInGap(gaps, time, minutes) });
  return {
    codes: members.map(({ code }) => code),
    after5: reactionAfter(5, changes5),
    after30: reactionAfter(30, changes30),
    changes5,
    changes30,
  };
}
