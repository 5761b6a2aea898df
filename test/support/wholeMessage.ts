import type { outbox } from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { createMessageMaker } from '#subjects/alerts/server/messages.ts';
import { appOf } from './appOf.ts';
import { createLog } from '#lib/log.ts';

type Row = Pick<typeof outbox.$inferSelect, 'userId' | 'triggerId' | 'message'>;

/** The content to send for a row of the outbox. */
export function wholeMessage(db: Db, { userId, triggerId, message }: Row): ChatMessage {
  if (!('note' in message)) return message;
  const messageOf = createMessageMaker(appOf({ db, config: { publicUrl: null }, log: createLog(() => {}) }));
  const made = messageOf(userId ?? 0, triggerId ?? 0, message.note);
  if (made === null) throw new Error(`Trigger ${triggerId} is gone.`);
  return made;
}
