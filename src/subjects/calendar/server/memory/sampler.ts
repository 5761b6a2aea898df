import { sydneyDate } from '#market/rules/sydneyTime.ts';
import { isRecord } from '#lib/json.ts';
import { changeOf, type Horizon } from '#subjects/calendar/rules/marketMoves.ts';
import { type Member, reactionOf } from './measure.ts';
import type { BasketMove } from './packedMoves.ts';

const MINUTE_MS = 60_000;
/** What the prices of a moment are compared with: itself, 5 and 30 minutes later. */
const TARGETS = [0, 5, 30] as const;
/** A moment that is watched, with the last prices seen before each of its targets. */
export type Sample = {
  time: number;
  members: Member[];
  /** Of each target the price of each member; null where none was seen. */
  prices: (number | null)[][];
  /** Of each target when prices were looked at last before it, by the feed's time; null for never. */
  seen: (number | null)[];
  /** Of each target whether a look came after it. */
  passed: boolean[];
};

/** What a stock shows, and when that was quoted, epoch ms; null where the provider does not say. */
export type QuoteOf = (code: string) => { last: number | null; quotedAt: number | null };

export const beginSample = (time: number, members: readonly Member[]): Sample => ({
  time,
  members: [...members],
  prices: TARGETS.map(() => members.map(() => null)),
  seen: TARGETS.map(() => null),
  passed: TARGETS.map(() => false),
});

/**
 * Looks at the prices once more. What counts is when they were quoted, not when they came: a price belongs to each target that
 * is later than its quote.
 * @param feedNow the moment that the feed told of last, epoch ms: when prices came, less their delay
 */
export function lookAt(sample: Sample, quoteOf: QuoteOf, feedNow: number): void {
  const targets = TARGETS.map((minutes) => sample.time + minutes * MINUTE_MS);
  for (const [index, target] of targets.entries()) {
    if (feedNow < target) sample.seen[index] = feedNow;
    else sample.passed[index] = true;
  }
  const date = sydneyDate(sample.time);
  for (const [at, { code }] of sample.members.entries()) {
    const { last, quotedAt } = quoteOf(code);
    const quoted = quotedAt ?? feedNow;
    if (last === null || sydneyDate(quoted) !== date) continue;
    for (const [index, target] of targets.entries()) {
      const prices = sample.prices[index];
      if (prices && quoted < target) prices[at] = last;
    }
  }
}

/** Whether everything was seen that there is to see. @param minutes the last horizon that has a market */
export const isSampled = ({ time }: Sample, minutes: Horizon, feedNow: number): boolean =>
  feedNow >= time + (minutes + 1) * MINUTE_MS;

/**
 * What the market did by what was seen; nothing is said across a time in which nobody looked.
 * @param maxGapMs so long before a target prices must have come
 */
export function moveOf(sample: Sample, maxGapMs: number): BasketMove {
  const { time, members, prices, seen, passed } = sample;
  const isSeen = (index: number): boolean => {
    const target = time + (TARGETS[index] ?? 0) * MINUTE_MS;
    const last = seen[index] ?? null;
    return passed[index] === true && last !== null && target - last <= maxGapMs;
  };
  const changesTo = (index: number) =>
    members.map((_, at) =>
      isSeen(0) && isSeen(index)
        ? changeOf({ before: prices[0]?.[at] ?? null, after: prices[index]?.[at] ?? null })
        : null,
    );
  const [changes5, changes30] = [changesTo(1), changesTo(2)];
  const reactionAfter = (minutes: Horizon, index: number, changes: readonly (number | null)[]) =>
    reactionOf(members, changes, { time, minutes, isUnseen: !isSeen(0) || !isSeen(index) });
  return {
    codes: members.map(({ code }) => code),
    after5: reactionAfter(5, 1, changes5),
    after30: reactionAfter(30, 2, changes30),
    changes5,
    changes30,
  };
}

const isNumberOrNull = (value: unknown): value is number | null => value === null || Number.isFinite(value);

/** Samples of an earlier run; what can't be read is left out. */
export function readSamples(kept: unknown): Sample[] {
  if (!Array.isArray(kept)) return [];
  return kept.flatMap((one: unknown): Sample[] => {
    if (!isRecord(one) || !Number.isSafeInteger(one['time']) || !Array.isArray(one['members'])) return [];
    const members = one['members'].flatMap((member: unknown): Member[] =>
      isRecord(member) && typeof member['code'] === 'string' && typeof member['cap'] === 'number'
        ? [{ code: member['code'], cap: member['cap'] }]
        : [],
    );
    const sample = beginSample(Number(one['time']), members);
    const [prices, seen, passed] = [one['prices'], one['seen'], one['passed']];
    if (members.length !== one['members'].length) return [];
    for (const index of TARGETS.keys()) {
      const row: unknown = Array.isArray(prices) ? prices[index] : null;
      const at: unknown = Array.isArray(seen) ? seen[index] : null;
      if (Array.isArray(row) && row.length === members.length && row.every(isNumberOrNull)) {
        sample.prices[index] = row;
      }
      if (isNumberOrNull(at)) sample.seen[index] = at;
      sample.passed[index] = Array.isArray(passed) && passed[index] === true;
    }
    return [sample];
  });
}
