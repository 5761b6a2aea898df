import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { type PaidPlan, PLAN_NAMES } from './upgrade.ts';

const message = (title: string, line: string): ChatMessage => ({
  title,
  lines: [line],
  link: null,
  buttons: [],
});

/** Tells a person's chats that an administrator gave them a plan. */
export const approvedMessage = (plan: PaidPlan): ChatMessage =>
  message(
    `You are on the ${PLAN_NAMES[plan]} plan`,
    'Your upgrade request was approved. Open windows have it already.',
  );

/** Tells a person's chats why an administrator declined. */
export const declinedMessage = (plan: PaidPlan, reason: string): ChatMessage =>
  message(`Your request for the ${PLAN_NAMES[plan]} plan was declined`, reason);
