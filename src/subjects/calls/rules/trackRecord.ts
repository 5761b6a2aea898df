import {
  HOLDING_BINS,
  RESULT_BINS,
  type callResult,
  type endedStats,
  type recordAnswer,
  type resultGroup,
  type sourceRecord,
} from '../answers/board.ts';
import type { Wire } from '#lib/contract/fields.ts';
import { againstMarket } from './side.ts';
import { compareCodes } from '#lib/text.ts';
import { addDays, fromSydney, sydneyDate } from '#lib/sydneyTime.ts';

export type SubmitterRecord = Wire<typeof recordAnswer>;
export type SourceRecord = Wire<typeof sourceRecord>;
export type ResultStats = Wire<typeof endedStats>;
export type ResultGroup = Wire<typeof resultGroup>;
export type CallResult = Wire<typeof callResult>;

export const MAX_RESULTS = 500;
const MAX_MONTHS = 36;
const FURTHEST = 3;

const binOf = (bins: readonly { below: number }[], value: number): number =>
  bins.findIndex(({ below }) => value < below);

export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) return null;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

export function groupOf(percents: readonly number[]): ResultGroup {
  let sum = 0;
  let wins = 0;
  for (const percent of percents) {
    sum += percent;
    if (percent > 0) wins += 1;
  }
  return { count: percents.length, wins, mean: percents.length === 0 ? null : sum / percents.length };
}

const percentsOf = (results: readonly CallResult[] = []): number[] => results.map(({ percent }) => percent);

function furthest(results: readonly CallResult[], isBetter: (a: number, b: number) => boolean): CallResult[] {
  const found: CallResult[] = [];
  for (const result of results) {
    const place = found.findIndex(({ percent }) => isBetter(result.percent, percent));
    if (place >= 0) found.splice(place, 0, result);
    else found.push(result);
    if (found.length > FURTHEST) found.pop();
  }
  return found;
}

/**
 * Returns the Sydney month of results in order of their ends. The calendar is computed once per month, because once per
 * result takes almost a second for thousands.
 */
function createMonths(): (result: CallResult) => string {
  let month = '';
  let end = Number.NEGATIVE_INFINITY;
  return ({ endedAt }) => {
    if (endedAt < end) return month;
    month = sydneyDate(endedAt).slice(0, 7);
    end = fromSydney(`${nextMonth(month)}-01`, 0, 0);
    return month;
  };
}

/** '2027-01' for '2026-12'. */
const nextMonth = (month: string): string => addDays(`${month}-28`, 4).slice(0, 7);

/** Statistics of results. They have a median too, because an outlier shifts only the mean. */
export function resultStats(results: readonly CallResult[]): ResultStats {
  const inOrder = results.toSorted((a, b) => a.endedAt - b.endedAt);
  const distribution = RESULT_BINS.map(() => 0);
  for (const { percent } of inOrder) {
    const bin = binOf(RESULT_BINS, percent);
    distribution[bin] = (distribution[bin] ?? 0) + 1;
  }
  const byHolding = Map.groupBy(inOrder, ({ days }) => binOf(HOLDING_BINS, days));
  const byMonth = Map.groupBy(inOrder, createMonths());
  return {
    ...groupOf(percentsOf(inOrder)),
    median: median(percentsOf(inOrder)),
    againstMarket: groupOf(
      inOrder.flatMap((result) =>
        result.market === null ? [] : [againstMarket(result, result.percent, result.market)],
      ),
    ),
    best: furthest(inOrder, (a, b) => a > b),
    worst: furthest(inOrder, (a, b) => a < b),
    distribution,
    holding: HOLDING_BINS.map((_, bin) => groupOf(percentsOf(byHolding.get(bin)))),
    medianDays: median(inOrder.map(({ days }) => days)),
    months: [...byMonth]
      .map(([month, some]) => ({ month, ...groupOf(percentsOf(some)) }))
      .sort((a, b) => compareCodes(b.month, a.month))
      .slice(0, MAX_MONTHS),
    newest: inOrder.slice(-MAX_RESULTS),
  };
}
