import { checkChatId, NO_CHAT_ID } from '../../rules/chatId.ts';
import type { ChatPlatform } from '../../rules/chatPlatform.ts';
import { confirmRequest } from '../../../alerts/rules/linkMessage.ts';
import { accepted, AppError } from '../../../../platform/http/errors.ts';
import type { LinkedChatsDeps } from './deps.ts';
import type { ChatAddress, LinkedChatRow } from './store.ts';

/** Linked chats that one user may have, those included that were not confirmed. */
export const MAX_CHATS_A_USER = 10;
export const LINKED_TO_ANOTHER = 'That chat is linked to another account. Send /unlink there first.';

export const tooManyChats = (): AppError =>
  new AppError(400, `You already have ${MAX_CHATS_A_USER} linked chats. Unlink one first.`);

/** The user's link of a chat that waits for its answer, made when there is none. @throws AppError 400 */
function pendingLink({ store, clock }: LinkedChatsDeps, userId: number, chat: ChatAddress): LinkedChatRow {
  const own = store.find(userId, chat);
  if (own) return own;
  if (store.ofUser(userId).length >= MAX_CHATS_A_USER) throw tooManyChats();
  return store.insertPending(userId, chat, clock.now());
}

/**
 * Links a chat whose ID a person typed. It is silent until somebody confirms in that chat, which is asked to. Linking
 * a broken chat anew mends it; a chat that was asked already is asked again.
 *
 * @throws AppError 400 for an ID that can't be one, a chat that is linked already, or one link too many; 429
 */
export function link(
  deps: LinkedChatsDeps,
  user: { id: number; username: string },
  platform: ChatPlatform,
  typed: string,
): void {
  const { store, limits, outbox } = deps;
  const chat = { platform, chatId: accepted(checkChatId(platform, typed)) };
  limits.countChange(user.id);
  store.inTransaction(() => {
    const owner = store.owner(chat);
    if (owner && owner.userId !== user.id) throw new AppError(400, LINKED_TO_ANOTHER);
    const row = pendingLink(deps, user.id, chat);
    const wasBroken = row.brokenAt !== null;
    if (row.confirmedAt !== null && !wasBroken) throw new AppError(400, 'This chat is already linked.');
    if (wasBroken) store.mend(chat);
    if (row.confirmedAt !== null || !deps.hasBot(platform)) return;
    limits.countQuestion(user.id, chat);
    outbox.add([
      { ...chat, userId: user.id, triggerId: null, message: confirmRequest(user.username, row.id) },
    ]);
  });
  outbox.wake();
}

/**
 * Takes a chat from a user.
 *
 * @param platform when absent, the ID is looked for on every platform
 * @throws AppError 404 when the user has no such chat; 429
 */
export function unlink(
  { store, limits }: LinkedChatsDeps,
  userId: number,
  typed: string,
  platform?: ChatPlatform,
): void {
  limits.countChange(userId);
  const id = typed.trim();
  if (id === '') throw new AppError(400, { field: 'chatUserId', message: NO_CHAT_ID });
  store.inTransaction(() => {
    const rows = store
      .ofUser(userId)
      .filter((row) => row.chatId === id && (platform === undefined || row.platform === platform));
    if (rows.length === 0) throw new AppError(404, 'That chat is not linked to your account.');
    for (const row of rows) store.remove(row.id);
  });
}
