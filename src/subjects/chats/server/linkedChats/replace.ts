import { confirmRequest } from '../../../alerts/rules/linkMessage.ts';
import type { ChatPlatform } from '../../rules/chatPlatform.ts';
import { AppError } from '../../../../platform/http/errors.ts';
import type { LinkedChatsDeps } from './deps.ts';
import { LINKED_TO_ANOTHER, MAX_CHATS_A_USER } from './link.ts';
import type { LinkedChatRow } from './store.ts';

type Account = { id: number; username: string };

/** What an administrator makes of a user's chats on one platform. */
export type ChatChange = {
  user: Account;
  platform: ChatPlatform;
  /** A checked ID; null unlinks all chats of the platform. */
  chatId: string | null;
  /** Who asks the chat to confirm, as far as the limits are concerned. */
  administratorId: number;
};

/** Of a user's chats on a platform the one that stands for them: the first that was confirmed, else the first. */
export const mainChat = (
  { store }: Pick<LinkedChatsDeps, 'store'>,
  userId: number,
  platform: ChatPlatform,
): LinkedChatRow | null => {
  const rows = store.ofUser(userId).filter((row) => row.platform === platform);
  return rows.find(({ confirmedAt }) => confirmedAt !== null) ?? rows[0] ?? null;
};

/**
 * Puts another chat in the place of a user's main one on a platform, or unlinks all of them. An ID that an administrator
 * typed is no more proof than one that the person typed: the chat is silent until it is confirmed there, which it is asked
 * to. To be called in the caller's transaction; the outbox is to be woken after its commit.
 *
 * @throws AppError 400 for a chat of another account, or one chat too many; 429
 */
export function replaceChat(deps: LinkedChatsDeps, change: ChatChange): void {
  const { store, limits, outbox, clock } = deps;
  const { user, platform, chatId, administratorId } = change;
  const all = store.ofUser(user.id);
  const own = all.filter((row) => row.platform === platform);
  if (chatId === null) return own.forEach(({ id }) => store.remove(id));
  if (own.some((row) => row.chatId === chatId)) return;
  const field = `${platform}Id`;
  const chat = { platform, chatId };
  if (store.owner(chat)) throw new AppError(400, { field, message: LINKED_TO_ANOTHER });
  const main = mainChat(deps, user.id, platform);
  if (main) store.remove(main.id);
  else if (all.length >= MAX_CHATS_A_USER) {
    const message = `${user.username} has ${MAX_CHATS_A_USER} linked chats already.`;
    throw new AppError(400, { field, message });
  }
  const { id } = store.insertPending(user.id, chat, clock.now());
  if (!deps.hasBot(platform)) return;
  limits.countQuestion(administratorId, chat);
  outbox.add([{ ...chat, userId: user.id, triggerId: null, message: confirmRequest(user.username, id) }]);
}
