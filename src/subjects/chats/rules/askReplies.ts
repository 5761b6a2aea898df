import type { ChatMessage } from './chatMessage.ts';
import { LINK_HINT, note } from './linkReplies.ts';

/* What a bot answers to /ask. */

export const noQuestionReply = (): ChatMessage =>
  note('What do you want to know?', 'Send your question too, like /ask What moves today?');

/** To a chat that is linked to no account. */
export const askLinkReply = (): ChatMessage =>
  note('Link this chat first', 'Questions are for accounts with the Premium plan.', LINK_HINT);

export const premiumOnlyReply = (): ChatMessage =>
  note('Questions need the Premium plan', 'You can ask for it in Bellbird under Settings.');

/** That an answer comes, as it takes its time. */
export const askingReply = (): ChatMessage => note('Looking into it', 'The answer comes within a minute.');

/** Its title says what it is, as the end of a long answer may be cut. @param text plain text */
export const answerReply = (text: string): ChatMessage =>
  note('A model’s answer: may be wrong, not advice', ...text.split('\n'));
