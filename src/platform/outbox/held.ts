import { randomToken } from '#lib/secrets.ts';
import type { ChatMessage } from '../chatClients/rules/chatMessage.ts';
import type { MessagePlatform } from '../chatClients/rules/chatPlatform.ts';
import type { Db } from '../db/open.ts';
import { type MessageMaker, readStoredMessage } from './message.ts';
import { type OutboxStore, WITHDRAWN } from './store.ts';

export type HeldMessage = { createdAt: number; message: ChatMessage };

/** A chat or device with waiting messages. @property count number of them @property newest id of the last */
type HeldPlace = { platform: MessagePlatform; chatId: string; count: number; newest: number };

export const MAX_DIGEST = 30;

const USERS = `SELECT user_id AS userId, min(created_at) AS oldest FROM outbox
  WHERE status = 'held' AND user_id IS NOT NULL GROUP BY user_id`;
const PLACES = `SELECT platform, chat_id AS chatId, count(*) AS count, max(id) AS newest FROM outbox
  WHERE status = 'held' AND user_id = $userId GROUP BY platform, chat_id`;
const FIRST = `SELECT id, created_at AS createdAt, message, trigger_id AS triggerId FROM outbox
  WHERE status = 'held' AND user_id = $userId AND platform = $platform AND chat_id = $chatId ORDER BY id LIMIT ${MAX_DIGEST}`;
const SETTLE = `UPDATE outbox SET status = $status, digest_id = $digestId, failed_reason = $reason
  WHERE status = 'held' AND user_id = $userId AND platform = $platform AND chat_id = $chatId AND id <= $newest`;

const UNREACHABLE = 'The chat or device accepted no messages when this one was due.';

type Params = Record<string, string | number | null>;
type FirstRow = { id: number; createdAt: number; message: string; triggerId: number | null };

/** An unreadable message is listed only by its time. Null if the user no longer gets it. */
function messageIn(
  messageOf: MessageMaker,
  userId: number,
  { message, triggerId }: Pick<FirstRow, 'message' | 'triggerId'>,
): ChatMessage | null {
  const stored = readStoredMessage(message) ?? { title: 'A message', lines: [], link: null, buttons: [] };
  return 'note' in stored ? messageOf(userId, triggerId, stored.note) : stored;
}

export function createHeldMessages(
  { $client }: Db,
  store: Pick<OutboxStore, 'insert' | 'inTransaction' | 'fail'>,
  messageOf: MessageMaker,
) {
  const usersOf = $client.query<{ userId: number; oldest: number }, Params>(USERS);
  const placesOf = $client.query<HeldPlace, Params>(PLACES);
  const firstOf = $client.query<FirstRow, Params>(FIRST);
  const settle = $client.query<null, Params>(SETTLE);

  return {
    /** The users with waiting messages, and the time of the oldest, epoch ms. */
    users: () => usersOf.all({}),
    /**
     * Replaces the waiting messages of each chat and device by one digest, in one transaction.
     * @param make the digest of the first messages and the number of others; without any there is no digest
     * @param isReachable false fails the messages of that place
     */
    release(
      userId: number,
      now: number,
      make: (first: readonly HeldMessage[], more: number) => ChatMessage,
      isReachable: (place: { platform: MessagePlatform; chatId: string }) => boolean,
    ): void {
      store.inTransaction(() => {
        for (const { platform, chatId, count, newest } of placesOf.all({ userId })) {
          const place = { userId, platform, chatId };
          const isGone = !isReachable(place);
          const first = isGone ? [] : firstOf.all(place);
          const digest = { ...place, triggerId: null };
          const messages = first.flatMap(({ id, createdAt, ...row }) => {
            const message = messageIn(messageOf, userId, row);
            if (message === null) store.fail(id, WITHDRAWN);
            return message === null ? [] : { createdAt, message };
          });
          const more = count - first.length;
          const nonce = randomToken().slice(0, 24);
          const digestId =
            isGone || messages.length + more === 0
              ? null
              : store.insert({ ...digest, message: make(messages, more) }, nonce, now);
          const status = isGone ? 'failed' : 'digested';
          settle.run({ ...place, newest, digestId, status, reason: isGone ? UNREACHABLE : null });
        }
      });
    },
  };
}

export type HeldMessages = ReturnType<typeof createHeldMessages>;
