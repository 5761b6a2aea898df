import { isRecord } from '#lib/json.ts';
import { readIsoTime, readNumber } from '#lib/read.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import {
  type AdminStatus,
  type Mark,
  type MarkChange,
  MARKS,
  type MarkValue,
  type Reached,
} from './types.ts';

/** What an administrator sends: why, and the marks as they should be; both may be anything. */
export type CorrectionInput = { reason: unknown; marks: unknown };

/** A trade that is put right; without a time it keeps the one that was recorded. */
export type CorrectedTrade = { price: number; at: string | null };

/** The marks that are put right; null strikes one out, and the tracker awaits it again. */
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
/** AUD a share. */
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

/** One mark as it was sent; undefined for what it can't be. */
function checkMark(mark: Mark, sent: unknown): CorrectedTrade | number | boolean | null | undefined {
  if (mark === 'isFollowed') return typeof sent === 'boolean' ? sent : undefined;
  if (sent === null) return null;
  if (mark === 'highestSinceFill' || mark === 'best' || mark === 'worst' || mark === 'priceAtClose') {
    const price = readNumber(sent);
    return isPrice(price) ? price : undefined;
  }
  return checkTrade(sent) ?? undefined;
}

/** Checks a correction. @returns it with its marks, or the first refusal; its field is `reason` or the mark's name */
export function checkCorrection({ reason, marks }: CorrectionInput): Result<CheckedCorrection> {
  const why = typeof reason === 'string' ? reason.trim() : '';
  if (why === '') return refuse('Say why the record is corrected.', 'reason');
  if (why.length > MAX_REASON) return refuse(`The reason may have ${MAX_REASON} characters.`, 'reason');
  if (!isRecord(marks) || Object.keys(marks).length === 0) {
    return refuse('Name at least one mark to correct.', 'marks');
  }
  const checked: Record<string, unknown> = {};
  for (const [mark, sent] of Object.entries(marks)) {
    if (!isMark(mark)) return refuse(`The marks are ${MARKS.join(', ')}.`, 'marks');
    const value = checkMark(mark, sent);
    if (value === undefined) {
      return refuse(`${mark} must be a price above $0, or null to strike it out.`, mark);
    }
    checked[mark] = value;
  }
  return ok({ reason: why, marks: checked as CorrectedMarks });
}

const isSame = (a: MarkValue, b: MarkValue): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The marks that differ, in the order of their names' list. */
export const changesBetween = (
  before: Readonly<Record<Mark, MarkValue>>,
  after: Readonly<Record<Mark, MarkValue>>,
): MarkChange[] =>
  MARKS.filter((mark) => !isSame(before[mark], after[mark])).map((mark) => ({
    mark,
    before: before[mark],
    after: after[mark],
  }));

/** A corrected trade with its time: epoch ms. */
export const timeOfTrade = (trade: CorrectedTrade, recorded: Reached | null, now: number): number =>
  Date.parse(trade.at ?? recorded?.at ?? new Date(now).toISOString());

/** What of a call counts on the leaderboard: all of it, only a result that is no gain, or nothing. */
export type Counting = 'all' | 'losses' | 'nothing';

/**
 * What of a call counts. In review nothing does until it is decided, except a recorded result that is no gain: a
 * submitter sends a call to review by what he claims, and would claim nonsense of every loss. For the same reason
 * such a result goes on counting where a call that had waited for review is rejected.
 *
 * @param reviewReason why it waited for review; null when an administrator rejected it without that
 */
export function countingOf(call: { adminStatus: AdminStatus; reviewReason: string | null }): Counting {
  if (call.adminStatus === 'normal') return 'all';
  return call.adminStatus === 'review' || call.reviewReason !== null ? 'losses' : 'nothing';
}

/** Whether a recorded result counts. @param percent of the result */
export const countsResult = (counting: Counting, percent: number): boolean =>
  counting === 'all' || (counting === 'losses' && percent <= 0);
