import { answerReply, askingReply, noQuestionReply, premiumOnlyReply } from '../../rules/askReplies.ts';
import type { ChatMessage } from '../../rules/chatMessage.ts';
import { checkQuestionText } from '../../../questions/rules/question.ts';
import { accepted } from '../../../../platform/http/errors.ts';
import type { ChatEvent, ChatReply } from '../../../../platform/chatClients/received.ts';
import type { ChatCommandsDeps } from './deps.ts';

/** Whose questions are answered in chats: premium users' and administrators'. */
const MIN_LEVEL = 3;
const UNLINKED = 'This chat is not linked any more, so the answer was dropped.';

const only = (message: ChatMessage): ChatReply => ({ message, edits: false });

/**
 * Takes up a question of a linked chat. The answer goes there only while the chat belongs to the same account and that has
 * the level.
 *
 * @param failed makes a message of what went wrong
 * @throws AppError with a sentence when the question is not taken up
 */
export function answerAsk(
  { linkedChats, questions }: Pick<ChatCommandsDeps, 'linkedChats' | 'questions'>,
  asked: { event: ChatEvent; rest: string; userId: number },
  failed: (error: unknown) => ChatMessage,
): ChatReply {
  const { event, rest, userId } = asked;
  if ((questions.levelOf(userId) ?? 0) < MIN_LEVEL) return only(premiumOnlyReply());
  if (rest === '') return only(noQuestionReply());
  const answer = questions.ask({
    userId,
    question: accepted(checkQuestionText(rest)),
    level: null,
    minLevel: MIN_LEVEL,
    refusal: () => (linkedChats.accountOf(event)?.id === userId ? null : UNLINKED),
  });
  return {
    message: askingReply(),
    edits: false,
    answer: answer.then(({ response }) => answerReply(response), failed),
  };
}
