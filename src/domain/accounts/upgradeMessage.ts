import type { ChatMessage } from '../chats/chatMessage.ts';
import { type PaidTier, TIER_NAMES } from './upgrade.ts';

const message = (title: string, line: string): ChatMessage => ({
  title,
  lines: [line],
  link: null,
  buttons: [],
});

/** Tells a person's chats that an administrator gave them a plan. */
export const approvedMessage = (tier: PaidTier): ChatMessage =>
  message(
    `You are on the ${TIER_NAMES[tier]} plan`,
    'Your upgrade request was approved. Open windows have it already.',
  );

/** Tells a person's chats why an administrator declined. */
export const declinedMessage = (tier: PaidTier, reason: string): ChatMessage =>
  message(`Your request for the ${TIER_NAMES[tier]} plan was declined`, reason);
