import { ok, refuse, type Result } from '#lib/result.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { SubscriptionType } from '#platform/http/rules/accessLevel.ts';
import { plainLine } from '#texts/plainText.ts';

export type PaidPlan = Exclude<SubscriptionType, 'free'>;

export const PLAN_NAMES: Record<SubscriptionType, string> = {
  free: 'Free',
  basic: 'Basic',
  premium: 'Premium',
};

const RANKS: Record<SubscriptionType, number> = { free: 0, basic: 1, premium: 2 };
/** Limit in code points. */
export const MAX_REASON_LENGTH = 500;
export const MAX_SENT_LENGTH = 5000;

export const isAbove = (plan: SubscriptionType, other: SubscriptionType): boolean =>
  RANKS[plan] > RANKS[other];

/** Reads a paid plan; other values are ignored (specification, section 5). */
export const readPaidPlan = (level: unknown): PaidPlan | null =>
  level === 'basic' || level === 'premium' ? level : null;

/** Refuses the user's current plan and lower ones. */
export function checkUpgrade(current: SubscriptionType, wanted: PaidPlan): Result<PaidPlan> {
  if (isAbove(wanted, current)) return ok(wanted);
  const has = `You already have the ${PLAN_NAMES[current]} plan`;
  return refuse(current === wanted ? `${has}.` : `${has}, which is above ${PLAN_NAMES[wanted]}.`, 'level');
}

/** Checks the reason of a declined request, which the user reads. @returns the reason as one line */
export function checkDeclineReason(typed: string): Result<string> {
  const tooLong = refuse(`The reason must be at most ${MAX_REASON_LENGTH} characters`, 'reason');
  // Checked first, because a long text takes time to process.
  if (typed.length > MAX_SENT_LENGTH) return tooLong;
  const reason = plainLine(typed.trim(), MAX_SENT_LENGTH);
  if (reason === '') return refuse('Enter a reason. The user will see it', 'reason');
  return [...reason].length > MAX_REASON_LENGTH ? tooLong : ok(reason);
}

const message = (title: string, line: string): ChatMessage => ({
  title,
  lines: [line],
  link: null,
  buttons: [],
});

export const approvedMessage = (plan: PaidPlan): ChatMessage =>
  message(
    `You are on the ${PLAN_NAMES[plan]} plan`,
    'Your upgrade request was approved. Open windows already use it.',
  );

export const declinedMessage = (plan: PaidPlan, reason: string): ChatMessage =>
  message(`Your request for the ${PLAN_NAMES[plan]} plan was declined`, reason);
