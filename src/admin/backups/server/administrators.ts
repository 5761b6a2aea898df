import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../../../platform/db/open.ts';
import { users } from '../../../platform/db/schema.ts';
import type { ChatMessage } from '../../../subjects/chats/rules/chatMessage.ts';
import type { ChatPlatform } from '../../../subjects/chats/rules/chatPlatform.ts';
import type { OutboxService } from '../../../platform/outbox/index.ts';

export type AdministratorNeeds = {
  outbox: Pick<OutboxService, 'add' | 'wake'>;
  /** The chats of a user that messages can be delivered to. */
  chatsOf(userId: number): readonly { platform: ChatPlatform; chatId: string }[];
};

export type Administrators = {
  /**
   * Writes a message to the chats of all administrators, in one transaction with something else.
   * @param also must not await; when it throws, nobody is told
   */
  tell(message: ChatMessage, also: () => void): void;
};

/** The people who host this, as far as their chats are known. */
export const createAdministrators = (db: Db, { outbox, chatsOf }: AdministratorNeeds): Administrators => ({
  tell(message, also) {
    db.transaction(
      (tx) => {
        also();
        const ids = tx
          .select({ id: users.id })
          .from(users)
          .where(and(eq(users.isAdmin, true), isNull(users.deletedAt)))
          .all();
        for (const { id } of ids)
          outbox.add(chatsOf(id).map((chat) => ({ ...chat, userId: id, triggerId: null, message })));
      },
      { behavior: 'immediate' },
    );
    outbox.wake();
  },
});
