import {
  alertListReply,
  alertsGoTooReply,
  anonymousReply,
  answerReply,
  askingReply,
  askLinkReply,
  helpReply,
  linkedAlreadyReply,
  linkReply,
  noCodeReply,
  noQuestionReply,
  note,
  notWatchedReply,
  premiumOnlyReply,
  priceReply,
  privateOnlyReply,
  startReply,
  strangerReply,
  unknownCodeReply,
  unlinkedReply,
  unwatchedReply,
  userIdReply,
  watchedReply,
} from '#subjects/chats/rules/replies.ts';
import { type ChatCommand, type ChatCommandName, readCode } from '#platform/chatClients/rules/chatCommand.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { confirmRequest } from '#subjects/alerts/rules/buttonMessage.ts';
import { AppError, accepted } from '#platform/http/errors.ts';
import type { ChatEvent, ChatReply } from '#platform/chatClients/received.ts';
import { type ChatCommandsDeps, isOwner, isShared, whenOn } from './access.ts';
import { checkQuestionText } from '#subjects/questions/rules/question.ts';

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
function answerAsk(
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

type Account = { id: number; username: string };

/** Who asked what, and for which account. */
type Asked = { event: ChatEvent; words: string[]; account: Account | null };

/** A chat that is asked whether it belongs to an account hears that before anything else. */
function start(deps: ChatCommandsDeps, { event, words, account }: Asked): ChatMessage {
  if (words[0] === 'link') return link(deps, { event, words, account });
  const question = deps.linkedChats.question(event);
  if (question) return confirmRequest(question.username, question.linkId);
  return startReply(account?.username ?? null);
}

function link({ linkedChats, publicUrl }: ChatCommandsDeps, { event, account }: Asked): ChatMessage {
  if (account) return linkedAlreadyReply(account.username);
  const { platform, chatId, displayName, topicId = null } = event;
  return linkReply(linkedChats.newToken(platform, chatId, displayName, topicId), publicUrl);
}

const notHereReply = ({ personId }: ChatEvent): ChatMessage =>
  personId === null ? anonymousReply() : privateOnlyReply();

/** In a group only the account's owner, known by their own chat, may end its link. */
function unlink(deps: ChatCommandsDeps, { event, account }: Asked): ChatMessage {
  if (account && !isOwner(deps, event)) return notHereReply(event);
  return unlinkedReply(deps.linkedChats.unlinkChat(event));
}

function price({ market, label, publicUrl }: ChatCommandsDeps, { words }: Asked): ChatMessage {
  const code = readCode(words[0]);
  if (code === '') return noCodeReply('price');
  const stock = market.get(code);
  if (!stock) return unknownCodeReply(code, market.all());
  return priceReply(stock, { label: label(), publicUrl, quoteAt: market.statedQuoteTime(code) });
}

type Own = { event: ChatEvent; account: Account; words: string[]; rest: string };

export function alertList(
  deps: ChatCommandsDeps,
  { account }: { account: Pick<Account, 'id'> },
): ChatMessage {
  const { alerts, catalog, clock } = deps;
  return alertListReply(alerts.list(account.id), {
    now: clock.now(),
    catalog: catalog.current(),
    whenOn: (alert) => whenOn(deps, alerts, alert),
  });
}

function watch({ market, watchlist }: ChatCommandsDeps, { account, words }: Own): ChatMessage {
  const code = readCode(words[0]);
  if (code === '') return noCodeReply('watch');
  if (!market.get(code)) return unknownCodeReply(code, market.all());
  const isNew = watchlist.itemOf(account.id, code) === undefined;
  if (isNew) watchlist.add(account.id, code);
  return watchedReply(code, isNew);
}

function unwatch({ watchlist }: ChatCommandsDeps, { account, words }: Own): ChatMessage {
  const code = readCode(words[0]);
  if (code === '') return noCodeReply('unwatch');
  const item = watchlist.itemOf(account.id, code);
  if (!item) return notWatchedReply(code);
  const isSure = words[1]?.toLowerCase() === 'all';
  if (item.alertCount > 0 && !isSure) return alertsGoTooReply(code, item.alertCount);
  watchlist.removeEverywhere(account.id, code);
  return unwatchedReply(code);
}

function ask(deps: ChatCommandsDeps, { event, account, rest }: Own): ChatReply {
  return answerAsk(deps, { event, rest, userId: account.id }, (error) => failureMessage(deps, error));
}

/** Commands about what belongs to an account, or at its expense. */
const OWN = { alerts: alertList, ask, watch, unwatch };
const isOwn = (name: ChatCommandName): name is keyof typeof OWN => Object.hasOwn(OWN, name);

/** What a service refused, as a message; anything else is a fault of ours. */
export function failureMessage({ log }: Pick<ChatCommandsDeps, 'log'>, error: unknown): ChatMessage {
  if (error instanceof AppError && error.status !== 500) return note(error.message);
  log.error('A chat command failed', { error });
  return note('Something went wrong', 'Try again in a moment.');
}

const isReply = (answer: ChatMessage | ChatReply): answer is ChatReply => 'message' in answer;
const toReply = (answer: ChatMessage | ChatReply): ChatReply =>
  isReply(answer) ? answer : { message: answer, edits: false };

const OTHERS: Record<
  Exclude<ChatCommandName, keyof typeof OWN>,
  (deps: ChatCommandsDeps, asked: Asked) => ChatMessage
> = {
  start,
  help: (_, { account }) => helpReply(account?.username ?? null),
  user_id: (_, { event }) => userIdReply(event.platform, event),
  link,
  unlink,
  price,
};

/**
 * Answers a command.
 *
 * @param account whom the chat is linked to; null for a stranger
 * @throws AppError with a sentence when a service refuses
 */
export function answerCommand(
  deps: ChatCommandsDeps,
  event: ChatEvent,
  { info, words, rest }: ChatCommand,
  account: Account | null,
): ChatReply {
  const { name, isForStrangers } = info;
  if (!isOwn(name)) {
    const asked = { event, words, account };
    const isOpen = account || isForStrangers || name === 'unlink';
    return toReply(isOpen ? OTHERS[name](deps, asked) : strangerReply());
  }
  if (isShared(event)) return toReply(notHereReply(event));
  if (account) return toReply(OWN[name](deps, { event, account, words, rest }));
  return toReply(name === 'ask' ? askLinkReply() : strangerReply());
}
