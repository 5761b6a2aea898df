import type { LinkedChatsDeps } from './deps.ts';
import type { ChatAddress } from './store.ts';

/** What became of a chat's answer to the question whether it belongs to the account that asked. */
export type ConfirmOutcome = 'confirmed' | 'refused' | 'gone' | 'taken' | 'not theirs';

/** `isOwner`: whoever answers is the owner of the account that the chat is linked to, or alone in the chat. */
export type ConfirmAnswer = { isYes: boolean; isOwner: boolean };

/**
 * Takes a chat's answer. Only the chat that was asked can answer; once it is confirmed, only the owner can take it back.
 *
 * @param id the linked chat's id, from the question's button
 * @returns `gone` when the link was taken back meanwhile, `taken` when the chat belongs to another account by now
 */
export function answerQuestion(
  { store, clock, limits }: LinkedChatsDeps,
  chat: ChatAddress,
  id: number,
  { isYes, isOwner }: ConfirmAnswer,
): ConfirmOutcome {
  return store.inTransaction(() => {
    const row = store.byId(id, chat);
    if (!row) return 'gone';
    if (!isYes) {
      if (row.confirmedAt !== null && !isOwner) return 'not theirs';
      store.remove(row.id);
      if (row.confirmedAt === null) limits.silence(chat);
      return 'refused';
    }
    const owner = store.owner(chat);
    if (owner && owner.userId !== row.userId) return 'taken';
    store.confirm(row.userId, chat, null, clock.now());
    return 'confirmed';
  });
}

/**
 * Ends the link of a chat, and what others asked of it.
 *
 * @returns false when it was linked to nobody
 */
export function unlinkChat({ store }: LinkedChatsDeps, chat: ChatAddress): boolean {
  return store.inTransaction(() => {
    const wasLinked = store.owner(chat) !== undefined;
    store.removeChat(chat);
    return wasLinked;
  });
}
