import type { outbox } from '../../src/platform/db/alertSchema.ts';
import type { Db } from '../../src/platform/db/open.ts';
import type { ChatMessage } from '../../src/subjects/chats/rules/chatMessage.ts';
import { createMessageMaker } from '../../src/subjects/alerts/server/messages.ts';
import { AlertStore } from '../../src/subjects/alerts/server/store.ts';
import { createLog } from '../../src/lib/log.ts';

type Row = Pick<typeof outbox.$inferSelect, 'userId' | 'triggerId' | 'message'>;

/** What will be sent of a row of the outbox. */
export function wholeMessage(db: Db, { userId, triggerId, message }: Row): ChatMessage {
  if (!('note' in message)) return message;
  const messageOf = createMessageMaker({
    store: new AlertStore(db),
    publicUrl: null,
    log: createLog(() => {}),
  });
  const made = messageOf(userId ?? 0, triggerId ?? 0, message.note);
  if (made === null) throw new Error(`Trigger ${triggerId} is gone.`);
  return made;
}
