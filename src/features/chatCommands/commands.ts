import { alertListReply } from '../../domain/chats/alertListReply.ts';
import { type ChatCommand, type ChatCommandName, readCode } from '../../domain/chats/chatCommand.ts';
import type { ChatMessage } from '../../domain/chats/chatMessage.ts';
import { confirmRequest } from '../../domain/alerts/linkMessage.ts';
import {
  helpReply,
  linkedAlreadyReply,
  linkReply,
  privateOnlyReply,
  startReply,
  strangerReply,
  unlinkedReply,
  userIdReply,
} from '../../domain/chats/linkReplies.ts';
import {
  alertsGoTooReply,
  noCodeReply,
  notWatchedReply,
  priceReply,
  unknownCodeReply,
  unwatchedReply,
  watchedReply,
} from '../../domain/chats/stockReplies.ts';
import type { ChatEvent } from '../../outbound/received.ts';
import type { ChatCommandsDeps } from './deps.ts';

type Account = { id: number; username: string };

/** Who asked what, and for which account. */
type Asked = { event: ChatEvent; words: string[]; account: Account | null };

/** A group has people to whom its account's alerts and watchlist are nobody's business. */
const isShared = ({ isGroup, chatId, personId }: ChatEvent): boolean => isGroup && chatId !== personId;

/** A chat that is asked whether it belongs to an account hears that before anything else. */
function start(deps: ChatCommandsDeps, { event, words, account }: Asked): ChatMessage {
  if (words[0] === 'link') return link(deps, { event, words, account });
  const question = deps.linkedChats.question(event);
  if (question) return confirmRequest(question.username, question.linkId);
  return startReply(account?.username ?? null);
}

function link({ linkedChats, publicUrl }: ChatCommandsDeps, { event, account }: Asked): ChatMessage {
  if (account) return linkedAlreadyReply(account.username);
  const { platform, chatId, displayName } = event;
  return linkReply(linkedChats.newToken(platform, chatId, displayName), publicUrl);
}

/** In a group only the account's owner, known by their own chat, may end its link. */
function unlink({ linkedChats }: ChatCommandsDeps, { event, account }: Asked): ChatMessage {
  const { platform, personId } = event;
  const isOwners =
    !isShared(event) || linkedChats.accountOf({ platform, chatId: personId })?.id === account?.id;
  if (account && !isOwners) return privateOnlyReply();
  return unlinkedReply(linkedChats.unlinkChat(event));
}

function price({ market, label, publicUrl }: ChatCommandsDeps, { words }: Asked): ChatMessage {
  const code = readCode(words[0]);
  if (code === '') return noCodeReply('price');
  const stock = market.get(code);
  if (!stock) return unknownCodeReply(code, market.all());
  return priceReply(stock, { label: label(), publicUrl, quoteAt: market.statedQuoteTime(code) });
}

type Own = { account: Account; words: string[] };

function alertList({ alerts, catalog, clock }: ChatCommandsDeps, { account }: Own): ChatMessage {
  return alertListReply(alerts.list(account.id), { now: clock.now(), catalog: catalog.current() });
}

function watch({ market, watchlist }: ChatCommandsDeps, { account, words }: Own): ChatMessage {
  const code = readCode(words[0]);
  if (code === '') return noCodeReply('watch');
  if (!market.get(code)) return unknownCodeReply(code, market.all());
  const isNew = watchlist.items(account.id).every(({ symbol }) => symbol !== code);
  return watchedReply(watchlist.add(account.id, code).symbol, isNew);
}

function unwatch({ watchlist }: ChatCommandsDeps, { account, words }: Own): ChatMessage {
  const code = readCode(words[0]);
  if (code === '') return noCodeReply('unwatch');
  const item = watchlist.items(account.id).find(({ symbol }) => symbol === code);
  if (!item) return notWatchedReply(code);
  const isSure = words[1]?.toLowerCase() === 'all';
  if (item.alertCount > 0 && !isSure) return alertsGoTooReply(code, item.alertCount);
  watchlist.remove(account.id, item.id);
  return unwatchedReply(code);
}

/** Commands about what belongs to an account. */
const OWN = { alerts: alertList, watch, unwatch };
const isOwn = (name: ChatCommandName): name is keyof typeof OWN => Object.hasOwn(OWN, name);

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
  { info, words }: ChatCommand,
  account: Account | null,
): ChatMessage {
  const { name, isForStrangers } = info;
  if (!isOwn(name)) {
    const asked = { event, words, account };
    return account || isForStrangers || name === 'unlink' ? OTHERS[name](deps, asked) : strangerReply();
  }
  if (isShared(event)) return privateOnlyReply();
  return account ? OWN[name](deps, { account, words }) : strangerReply();
}
