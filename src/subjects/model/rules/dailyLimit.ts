import { addDays, fromSydney, sydneyDate } from '#lib/sydneyTime.ts';
import type { AccessLevel } from '#platform/http/rules/accessLevel.ts';

export type ModelUseKind = 'summary' | 'question';

/** Limits per Sydney day and access level; they are only defined here. */
const DAILY: Readonly<Record<ModelUseKind, Readonly<Record<AccessLevel, number>>>> = {
  summary: { 1: 0, 2: 20, 3: 200, 4: 200 },
  question: { 1: 0, 2: 0, 3: 50, 4: 200 },
};

const PLURAL: Readonly<Record<ModelUseKind, string>> = { summary: 'summaries', question: 'questions' };

export const dailyLimit = (kind: ModelUseKind, level: AccessLevel): number => DAILY[kind][level];

/** When the next Sydney day begins. @param now epoch ms @returns epoch ms */
export const nextResetAt = (now: number): number => fromSydney(addDays(sydneyDate(now), 1), 0, 0);

export function usedUpMessage(kind: ModelUseKind, level: AccessLevel, now: number): string {
  const limit = dailyLimit(kind, level);
  if (limit === 0) return `Your plan does not include ${PLURAL[kind]}.`;
  const weekday = new Intl.DateTimeFormat('en-AU', { weekday: 'long', timeZone: 'Australia/Sydney' });
  const day = weekday.format(nextResetAt(now));
  return `You have used your ${limit} ${PLURAL[kind]} for today. You get new ones on ${day} at 00:00 Sydney time.`;
}

/** Limit of tokens per answer, including those that some models use for thinking. */
export const TOKEN_LIMIT: Readonly<Record<ModelUseKind, number>> = {
  /** A summary takes about 200. */
  summary: 2000,
  /** An answer has 150 words. */
  question: 1500,
};
