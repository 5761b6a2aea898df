import type { Wire } from '../../../../lib/contract/fields.ts';
import type { linkedChatsAnswer } from '../../answers/linkedChats.ts';
import type { ChatPlatform } from '../../rules/chatPlatform.ts';
import type { LinkedChatsDeps } from './deps.ts';
import { answerQuestion, type ConfirmAnswer, type ConfirmOutcome, unlinkChat } from './inChat.ts';
import { link, unlink } from './link.ts';
import { type ChatChange, mainChat, replaceChat } from './replace.ts';
import type { ChatAddress } from './store.ts';
import { claim, newToken, type OfferedChat, offered } from './oneTimeLink.ts';

/** An account, as far as a chat may be told of it. */
type Account = { id: number; username: string };

/** Which chats belong to whom. */
export type LinkedChats = {
  /** A user's chats as Settings shows them, oldest first. */
  list(userId: number): Wire<typeof linkedChatsAnswer>;
  /** Links a chat by its typed ID; silent until it is confirmed there. @throws AppError 400, 429 */
  link(user: Account, platform: ChatPlatform, typed: string): void;
  /** @throws AppError 404 when the user has no such chat; 429 */
  unlink(userId: number, typed: string, platform?: ChatPlatform): void;
  /** The ID of a user's main chat on a platform; null without one. */
  mainChatId(userId: number, platform: ChatPlatform): string | null;
  /** What an administrator changes, in the caller's transaction; call `wakeOutbox` after it. @throws AppError 400, 429 */
  replaceChat(change: ChatChange): void;
  wakeOutbox(): void;
  /** Which chat a one-time token would link; it stays good. @throws AppError 400, 429 */
  offered(userId: number, token: string): OfferedChat;
  /** Links the chat that a one-time token was made for, confirmed at once. @throws AppError 400, 429 */
  claim(user: Account, token: string): void;
  /** Where a user's messages go: confirmed chats to which messages can be delivered. */
  confirmed(userId: number): ChatAddress[];
  /** Whom a chat is confirmed for. */
  accountOf(chat: ChatAddress): Account | null;
  /** A one-time token for a chat; an earlier one of that chat is void. */
  newToken(platform: ChatPlatform, chatId: string, displayName: string | null): string;
  /** The newest account that asked for this chat by its typed ID and waits for an answer. */
  question(chat: ChatAddress): { linkId: number; username: string } | null;
  /** A chat's answer to that question. */
  answer(chat: ChatAddress, linkId: number, answer: ConfirmAnswer): ConfirmOutcome;
  /** Something came from a chat, so messages reach it again. */
  heardFrom(chat: ChatAddress): void;
  /** Ends a chat's link from within the chat. @returns false when there was none */
  unlinkChat(chat: ChatAddress): boolean;
};

function viewOf(deps: LinkedChatsDeps, userId: number): Wire<typeof linkedChatsAnswer> {
  return deps.store.ofUser(userId).map((row) => ({
    platform: row.platform,
    id: row.chatId,
    display_name: row.displayName,
    label: row.displayName ?? row.chatId,
    confirmed: row.confirmedAt !== null,
    broken: row.brokenAt === null ? null : (row.brokenReason ?? 'Messages could not be delivered.'),
  }));
}

export function createLinkedChatsService(deps: LinkedChatsDeps): LinkedChats {
  const { store } = deps;
  const accountOf = (chat: ChatAddress): Account | null => {
    const owner = store.owner(chat);
    return owner ? { id: owner.userId, username: owner.username } : null;
  };
  return {
    list: (userId) => viewOf(deps, userId),
    link: (user, platform, typed) => link(deps, user, platform, typed),
    unlink: (userId, typed, platform) => unlink(deps, userId, typed, platform),
    mainChatId: (userId, platform) => mainChat(deps, userId, platform)?.chatId ?? null,
    replaceChat: (change) => replaceChat(deps, change),
    wakeOutbox: () => deps.outbox.wake(),
    offered: (userId, token) => offered(deps, userId, token),
    claim: (user, token) => claim(deps, user, token),
    confirmed: (userId) => store.confirmedOf(userId),
    accountOf,
    newToken: (platform, chatId, displayName) => newToken(deps, { platform, chatId }, displayName),
    question: (chat) => {
      const row = store.newestPending(chat);
      return row ? { linkId: row.id, username: row.username } : null;
    },
    answer: (chat, linkId, answer) => answerQuestion(deps, chat, linkId, answer),
    heardFrom: (chat) => store.mend(chat),
    unlinkChat: (chat) => unlinkChat(deps, chat),
  };
}
