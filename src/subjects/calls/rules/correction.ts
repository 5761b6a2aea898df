import { isRecord } from '#lib/json.ts';
import { readIsoTime, readNumber } from '#lib/read.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { type AdminStatus, type Mark, type MarkChange, type MarkValue, type Reached } from './types.ts';
import { MARKS } from '../answers/call.ts';

export type CorrectionInput = { reason: unknown; marks: unknown };

/** A trade as corrected; if `at` is null, the recorded time stays. */
export type CorrectedTrade = { price: number; at: string | null };

/** Corrected marks. Null deletes a mark, and the tracker waits for it again. */
export type CorrectedMarks = Partial<{
  entryTrade: CorrectedTrade | null;
  exitTrade: CorrectedTrade | null;
  targetReached: CorrectedTrade | null;
  stopReached: CorrectedTrade | null;
  priceAtClose: number | null;
  highestSinceFill: number | null;
  best: number | null;
  worst: number | null;
  isFollowed: boolean;
}>;

type CheckedCorrection = { reason: string; marks: CorrectedMarks };

const MAX_REASON = 300;
/** AUD per share. */
const MAX_PRICE = 1_000_000;

const isMark = (name: string): name is Mark => MARKS.some((mark) => mark === name);

const isPrice = (value: number | null): value is number => value !== null && value > 0 && value <= MAX_PRICE;

function checkTrade(sent: unknown): CorrectedTrade | null {
  if (!isRecord(sent)) return null;
  const price = readNumber(sent['price']);
  const isTimed = sent['at'] !== undefined && sent['at'] !== null;
  const at = isTimed ? readIsoTime(sent['at']) : null;
  return isPrice(price) && (!isTimed || at !== null) ? { price, at } : null;
}

function checkMark(mark: Mark, sent: unknown): CorrectedTrade | number | boolean | null | undefined {
  if (mark === 'isFollowed') return typeof sent === 'boolean' ? sent : undefined;
  if (sent === null) return null;
  if (mark === 'highestSinceFill' || mark === 'best' || mark === 'worst' || mark === 'priceAtClose') {
    const price = readNumber(sent);
    return isPrice(price) ? price : undefined;
  }
  return checkTrade(sent) ?? undefined;
}

/** @returns the first refusal names `reason` or the mark */
export function checkCorrection({ reason, marks }: CorrectionInput): Result<CheckedCorrection> {
  const why = typeof reason === 'string' ? reason.trim() : '';
  if (why === '') return refuse('Enter a reason for the correction.', 'reason');
  if (why.length > MAX_REASON)
    return refuse(`The reason may have at most ${MAX_REASON} characters.`, 'reason');
  if (!isRecord(marks) || Object.keys(marks).length === 0) {
    return refuse('Correct at least one value.', 'marks');
  }
  const checked: Record<string, unknown> = {};
  for (const [mark, sent] of Object.entries(marks)) {
    if (!isMark(mark)) return refuse(`Use only these marks: ${MARKS.join(', ')}.`, 'marks');
    const value = checkMark(mark, sent);
    if (value === undefined) {
      return refuse(`${mark} must be a price above $0, or null to remove it.`, mark);
    }
    checked[mark] = value;
  }
  return ok({ reason: why, marks: checked as CorrectedMarks });
}

const isSame = (a: MarkValue, b: MarkValue): boolean => JSON.stringify(a) === JSON.stringify(b);

export const changesBetween = (
  before: Readonly<Record<Mark, MarkValue>>,
  after: Readonly<Record<Mark, MarkValue>>,
): MarkChange[] =>
  MARKS.filter((mark) => !isSame(before[mark], after[mark])).map((mark) => ({
    mark,
    before: before[mark],
    after: after[mark],
  }));

/** The time of a corrected trade: as given, otherwise as recorded, otherwise now; epoch ms. */
export const timeOfTrade = (trade: CorrectedTrade, recorded: Reached | null, now: number): number =>
  Date.parse(trade.at ?? recorded?.at ?? new Date(now).toISOString());

/** What counts on the leaderboard: everything, only a result without a gain, or nothing. */
export type Counting = 'all' | 'losses' | 'nothing';

/**
 * In review nothing counts, except a recorded result without a gain. Otherwise a submitter could hide any loss by an
 * implausible claim. For the same reason that result still counts if a reviewed call is rejected.
 * @param reviewReason why it was in review; null if an administrator rejected it directly
 */
export function countingOf(call: { adminStatus: AdminStatus; reviewReason: string | null }): Counting {
  if (call.adminStatus === 'normal') return 'all';
  return call.adminStatus === 'review' || call.reviewReason !== null ? 'losses' : 'nothing';
}

export const countsResult = (counting: Counting, percent: number): boolean =>
  counting === 'all' || (counting === 'losses' && percent <= 0);
