import { ASK_LEVEL } from '#platform/http/rules/accessLevel.ts';
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
  notLinkedReply,
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
import type { App } from '#platform/app.ts';
import { untilOpenText } from '#subjects/alerts/rules/alertState.ts';
import { phaseAt } from '#market/rules/sessionClock.ts';
import { checkQuestionText } from '#subjects/questions/rules/question.ts';

/** When an alert works whose conditions can only hold before the open; null for others. */
export const whenOn = <A>(
  { source }: App,
  { isUntilOpen }: { isUntilOpen(alert: A): boolean },
  alert: A,
): string | null => (isUntilOpen(alert) ? untilOpenText(phaseAt(source.clock.now()).phase) : null);

/** Whether others read this chat: members of a group must not see its account's alerts and watchlist. */
const isShared = ({ isGroup, chatId, personId }: ChatEvent): boolean => isGroup && chatId !== personId;

/** Whether the sender owns the chat's account. In a group the sender's own linked chat proves that. */
export function isOwner({ linkedChats }: App, event: ChatEvent): boolean {
  if (!isShared(event)) return true;
  const { platform, personId } = event;
  if (personId === null) return false;
  const own = linkedChats.accountOf({ platform, chatId: personId });
  return own !== null && own.id === linkedChats.accountOf(event)?.id;
}

const UNLINKED = 'This chat is no longer linked, so the answer was dropped.';

const only = (message: ChatMessage): ChatReply => ({ message, edits: false });

/**
 * Asks the model for a linked chat. The answer is sent only if the chat still belongs to the same account with the same
 * level.
 * @param failed converts an error to a message
 * @throws AppError with a sentence if the question is refused
 */
function answerAsk(
  { linkedChats, questions }: App,
  asked: { event: ChatEvent; rest: string; userId: number },
  failed: (error: unknown) => ChatMessage,
): ChatReply {
  const { event, rest, userId } = asked;
  if ((questions.levelOf(userId) ?? 0) < ASK_LEVEL) return only(premiumOnlyReply());
  if (rest === '') return only(noQuestionReply());
  const answer = questions.ask({
    userId,
    question: accepted(checkQuestionText(rest)),
    level: null,
    minLevel: ASK_LEVEL,
    refusal: () => (linkedChats.accountOf(event)?.id === userId ? null : UNLINKED),
  });
  return {
    message: askingReply(),
    edits: false,
    answer: answer.then(({ response }) => answerReply(response), failed),
  };
}

type Account = { id: number; username: string };

type Asked = { event: ChatEvent; words: string[]; account: Account | null };

/** Answers /start. A chat with an open link request gets that request first. */
function start(app: App, { event, words, account }: Asked): ChatMessage {
  if (words[0] === 'link') return link(app, { event, words, account });
  const question = app.linkedChats.question(event);
  if (question) return confirmRequest(question.username, question.linkId);
  return startReply(account?.username ?? null);
}

function link({ config, linkedChats }: App, { event, account }: Asked): ChatMessage {
  if (account) return linkedAlreadyReply(account.username);
  const { platform, chatId, displayName, topicId = null } = event;
  return linkReply(linkedChats.newToken(platform, chatId, displayName, topicId), config.publicUrl);
}

const notHereReply = ({ personId }: ChatEvent): ChatMessage =>
  personId === null ? anonymousReply() : privateOnlyReply();

/** Answers /unlink. In a group only the account's owner may unlink. */
function unlink(app: App, { event, account }: Asked): ChatMessage {
  if (account && !isOwner(app, event)) return notHereReply(event);
  return unlinkedReply(app.linkedChats.unlinkChat(event));
}

function price({ config: { publicUrl }, market, source }: App, { words }: Asked): ChatMessage {
  const code = readCode(words[0]);
  if (code === '') return noCodeReply('price');
  const stock = market.get(code);
  if (!stock) return unknownCodeReply(code, market.all());
  return priceReply(stock, { label: source.label(), publicUrl, quoteAt: market.statedQuoteTime(code) });
}

type Own = { event: ChatEvent; account: Account; words: string[]; rest: string };

export function alertList(app: App, { account }: { account: Pick<Account, 'id'> }): ChatMessage {
  const { alerts, clock, indicators } = app;
  return alertListReply(alerts.list(account.id), {
    now: clock.now(),
    catalog: indicators.catalog.current(),
    whenOn: (alert) => whenOn(app, alerts, alert),
  });
}

function watch({ market, watchlist }: App, { account, words }: Own): ChatMessage {
  const code = readCode(words[0]);
  if (code === '') return noCodeReply('watch');
  if (!market.get(code)) return unknownCodeReply(code, market.all());
  const isNew = watchlist.itemOf(account.id, code) === undefined;
  if (isNew) watchlist.add(account.id, code);
  return watchedReply(code, isNew);
}

function unwatch({ watchlist }: App, { account, words }: Own): ChatMessage {
  const code = readCode(words[0]);
  if (code === '') return noCodeReply('unwatch');
  const item = watchlist.itemOf(account.id, code);
  if (!item) return notWatchedReply(code);
  const isSure = words[1]?.toLowerCase() === 'all';
  if (item.alertCount > 0 && !isSure) return alertsGoTooReply(code, item.alertCount);
  watchlist.removeEverywhere(account.id, code);
  return unwatchedReply(code);
}

function ask(app: App, { event, account, rest }: Own): ChatReply {
  return answerAsk(app, { event, rest, userId: account.id }, (error) => failureMessage(app, error));
}

/** Commands that need a linked account. */
const OWN = { alerts: alertList, ask, watch, unwatch };
const isOwn = (name: ChatCommandName): name is keyof typeof OWN => Object.hasOwn(OWN, name);

export function failureMessage({ log }: App, error: unknown): ChatMessage {
  if (error instanceof AppError && error.status !== 500) return note(error.message);
  log.child('chatCommands').error('A chat command failed', { error });
  return note('Something went wrong', 'Try again in a moment.');
}

const isReply = (answer: ChatMessage | ChatReply): answer is ChatReply => 'message' in answer;
const toReply = (answer: ChatMessage | ChatReply): ChatReply =>
  isReply(answer) ? answer : { message: answer, edits: false };

const OTHERS: Record<Exclude<ChatCommandName, keyof typeof OWN>, (app: App, asked: Asked) => ChatMessage> = {
  start,
  help: (_, { account }) => helpReply(account?.username ?? null),
  user_id: (_, { event }) => userIdReply(event.platform, event),
  link,
  unlink,
  price,
};

/** @param account null for a chat without a link @throws AppError with a sentence if a service refuses */
export function answerCommand(
  app: App,
  event: ChatEvent,
  { info, words, rest }: ChatCommand,
  account: Account | null,
): ChatReply {
  const { name, isForStrangers } = info;
  if (!isOwn(name)) {
    const asked = { event, words, account };
    const isOpen = account || isForStrangers || name === 'unlink';
    return toReply(isOpen ? OTHERS[name](app, asked) : notLinkedReply());
  }
  if (isShared(event)) return toReply(notHereReply(event));
  if (account) return toReply(OWN[name](app, { event, account, words, rest }));
  return toReply(name === 'ask' ? askLinkReply() : notLinkedReply());
}
