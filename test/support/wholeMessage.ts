import type { outbox } from '../../src/db/alertSchema.ts';
import type { Db } from '../../src/db/open.ts';
import type { ChatMessage } from '../../src/domain/chats/chatMessage.ts';
import { createMessageMaker } from '../../src/features/alerts/messages.ts';
import { alertStore } from '../../src/features/alerts/store.ts';
import { createLog } from '../../src/lib/log.ts';

type Row = Pick<typeof outbox.$inferSelect, 'userId' | 'triggerId' | 'message'>;

/** What will be sent of a row of the outbox. */
export function wholeMessage(db: Db, { userId, triggerId, message }: Row): ChatMessage {
  if (!('note' in message)) return message;
  const messageOf = createMessageMaker({ store: alertStore(db), publicUrl: null, log: createLog(() => {}) });
  const made = messageOf(userId ?? 0, triggerId ?? 0, message.note);
  if (made === null) throw new Error(`Trigger ${triggerId} is gone.`);
  return made;
}
