import type { Db } from '../db/open.ts';
import type { MessagePlatform } from '../chatClients/rules/chatPlatform.ts';
import { readDeviceAddress } from '../push/rules/pushService.ts';
import { RETRY_BROKEN_MS } from './rules/delivery.ts';
import type { ChatMessage } from '../chatClients/rules/chatMessage.ts';
import {
  type MessageMaker,
  type NewMessage,
  readStoredMessage,
  type StoredMessage,
  type Claimed,
  type Waiting,
} from './message.ts';

// Prepared by hand, because the transaction of one tick may write thousands.
const INSERT = `INSERT INTO outbox
  (platform, target, chat_id, user_id, trigger_id, message, nonce, status, created_at, due_at, scan_trigger_id, broadcast_id)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?11, ?8, ?8, ?9, ?10)`;

/**
 * Obstacles to sending: the chat is broken or unlinked, or the channel was deleted. A message without a trigger
 * may ask for the confirmation of a chat, so it needs only an unconfirmed link. A broken channel is always tried,
 * because nothing else shows that the bot is back. A broken chat or device is tried if it failed before
 * `$retryFrom`, or after now because the clock was set back. A device belongs to its user until it is removed.
 */
const READ = `SELECT o.id, o.platform, o.target, o.chat_id AS chatId, c.topic_id AS topicId, o.message, o.nonce,
    o.uncertain_since AS uncertainSince, o.user_id AS userId, o.trigger_id AS triggerId,
    CASE o.platform WHEN 'push' THEN d.id IS NULL ELSE
      o.user_id IS NOT NULL AND (c.id IS NULL OR (o.trigger_id IS NOT NULL AND c.confirmed_at IS NULL)) END AS isUnlinked,
    o.target = 'channel' AND NOT EXISTS (
      SELECT 1 FROM channels ch WHERE ch.platform = o.platform AND ch.chat_id = o.chat_id) AS isDeleted,
    CASE WHEN d.status = 'gone' OR (d.status = 'refused' AND d.failed_at BETWEEN $retryFrom AND $now)
        THEN coalesce(d.failed_reason, 'This device does not accept messages.')
      WHEN c.broken_at BETWEEN $retryFrom AND $now THEN c.broken_reason END AS brokenReason,
    (c.broken_at IS NOT NULL OR d.status = 'refused') AS wasBroken
  FROM outbox o
  LEFT JOIN linked_chats c ON c.user_id = o.user_id AND c.platform = o.platform AND c.chat_id = o.chat_id
  LEFT JOIN devices d ON o.platform = 'push' AND d.user_id = o.user_id
    AND d.id = CAST(substr(o.chat_id, instr(o.chat_id, ':') + 1) AS INTEGER)
  WHERE o.id = $id AND o.status = 'waiting'`;

const MARK = `UPDATE outbox SET status = 'sending', attempts = attempts + 1, due_at = $now,
  uncertain_since = COALESCE(uncertain_since, $now), message = COALESCE($made, message) WHERE id = $id`;

const SENT = `UPDATE outbox SET status = 'sent', sent_at = $now, message_id = $messageId WHERE id = $id`;
const NOT_SENT = `UPDATE outbox SET status = 'waiting', due_at = $dueAt, uncertain_since = $uncertainSince
  WHERE id = $id`;
const FAILED = `UPDATE outbox SET status = 'failed', failed_reason = $reason WHERE id = $id AND status <> 'sent'`;

const LEFT_OVER = `UPDATE outbox SET status = 'waiting' WHERE status = 'sending'`;
const WAITING_AT_START = `SELECT id, platform, target, chat_id AS chatId, created_at AS createdAt, due_at AS dueAt
  FROM outbox INDEXED BY outbox_status WHERE status = 'waiting' AND id > $after ORDER BY id LIMIT $limit`;
const NEWEST = 'SELECT coalesce(max(id), 0) AS id FROM outbox';
const WAITING_AFTER = `SELECT id, platform, target, chat_id AS chatId, created_at AS createdAt, due_at AS dueAt
  FROM outbox NOT INDEXED WHERE id > $after AND status = 'waiting' ORDER BY id LIMIT $limit`;

/** A message of a user is not sent to an unlinked chat, and an alert not to an unconfirmed one. */
const UNLINKED = 'The chat was unlinked before this message was sent.';
const REMOVED = 'The device was removed before this message was sent.';
const DELETED = 'The channel was deleted before this message was sent.';
const UNREADABLE = 'This message could not be read.';
export const WITHDRAWN = 'What this message was about was removed, muted or unfollowed before it was sent.';

type ReadRow = Omit<Claimed, 'message' | 'wasBroken'> & {
  platform: MessagePlatform;
  message: string;
  userId: number | null;
  triggerId: number | null;
  isUnlinked: number;
  isDeleted: number;
  brokenReason: string | null;
  wasBroken: number;
};

export type PlaceOwner = { userId: number; name: string | null };

type Params = Record<string, string | number | null>;

function waitingQueries({ $client }: Db) {
  const insert = $client.query<null, (string | number | null)[]>(INSERT);
  const atStart = $client.query<Waiting, Params>(WAITING_AT_START);
  const after = $client.query<Waiting, Params>(WAITING_AFTER);
  const leftOver = $client.query<null, Params>(LEFT_OVER);
  const newest = $client.query<{ id: number }, Params>(NEWEST);
  return {
    /** @param isHeld it waits for a digest @returns the id of its row */
    insert: (message: NewMessage, nonce: string, now: number, isHeld = false): number => {
      const { platform, target = 'chat', chatId, userId, triggerId } = message;
      const scanTriggerId = 'note' in message ? null : (message.scanTriggerId ?? null);
      const stored: StoredMessage = 'note' in message ? { note: message.note } : message.message;
      const text = JSON.stringify(stored);
      const broadcastId = 'note' in message ? null : (message.broadcastId ?? null);
      const status = isHeld ? 'held' : 'waiting';
      const row = [
        platform,
        target,
        chatId,
        userId,
        triggerId,
        text,
        nonce,
        now,
        scanTriggerId,
        broadcastId,
        status,
      ];
      return Number(insert.run(...row).lastInsertRowid);
    },
    /** Returns interrupted messages of an earlier run to the queue. @returns how many */
    reclaimLeftOver: (): number => leftOver.run({}).changes,
    /** Like `waitingAfter`, but among the messages of an earlier run, most of which were sent. */
    waitingAtStart: (id: number, limit: number): Waiting[] => atStart.all({ after: id, limit }),
    newestId: (): number => newest.get({})?.id ?? 0,
    waitingAfter: (id: number, limit: number): Waiting[] => after.all({ after: id, limit }),
  };
}

/** Why a message must not be sent; null if it may. */
function obstacleOf({ platform, isUnlinked, isDeleted, brokenReason }: ReadRow): string | null {
  if (isUnlinked === 1) return platform === 'push' ? REMOVED : UNLINKED;
  return isDeleted === 1 ? DELETED : brokenReason;
}

function takingQueries({ $client }: Db, messageOf: MessageMaker) {
  const read = $client.query<ReadRow, Params>(READ);
  const mark = $client.query<null, Params>(MARK);
  const failed = $client.query<null, Params>(FAILED);
  const fail = (id: number, reason: string): void => void failed.run({ id, reason });

  /** The message of a row, made from its note if necessary; null if unreadable. */
  function contentOf(stored: StoredMessage | null, { userId, triggerId }: ReadRow): ChatMessage | null {
    if (stored === null || !('note' in stored)) return stored;
    return userId === null ? null : messageOf(userId, triggerId, stored.note);
  }

  function claim(id: number, now: number): Claimed | null {
    const row = read.get({ id, now, retryFrom: now - RETRY_BROKEN_MS });
    if (row === null) return null;
    const stored = readStoredMessage(row.message);
    const against = obstacleOf(row);
    const message = against === null ? contentOf(stored, row) : null;
    if (message === null) {
      fail(id, against ?? (stored === null ? UNREADABLE : WITHDRAWN));
      return null;
    }
    // Stores the made message, because a repeat must have the same text.
    mark.run({ id, now, made: message === stored ? null : JSON.stringify(message) });
    const { target, chatId, topicId, nonce, uncertainSince, wasBroken } = row;
    return { id, target, chatId, topicId, message, nonce, uncertainSince, wasBroken: wasBroken === 1 };
  }

  return {
    /** Marks waiting messages as being sent, durably. Fails those with a broken or unlinked chat. */
    claim: (ids: readonly number[], now: number): Claimed[] =>
      $client.transaction(() => ids.map((id) => claim(id, now)).filter((claimed) => claimed !== null))(),
  };
}

function outcomeQueries({ $client }: Db) {
  const sent = $client.query<null, Params>(SENT);
  const notSent = $client.query<null, Params>(NOT_SENT);
  const failed = $client.query<null, Params>(FAILED);
  const fail = (id: number, reason: string): void => void failed.run({ id, reason });
  return {
    sent: (id: number, messageId: string, now: number): void => void sent.run({ id, messageId, now }),
    /** Returns a message to the queue. @param uncertainSince null if it certainly did not arrive */
    notSent: (id: number, dueAt: number, uncertainSince: number | null): void =>
      void notSent.run({ id, dueAt, uncertainSince }),
    fail,
    failAll: $client.transaction((ids: readonly number[], reason: string): void => {
      for (const id of ids) fail(id, reason);
    }),
  };
}

const MEND_CHAT = `UPDATE linked_chats SET broken_at = NULL, broken_reason = NULL
  WHERE platform = $platform AND chat_id = $chatId`;
const FORGET_TOPIC = `UPDATE linked_chats SET topic_id = NULL WHERE platform = $platform AND chat_id = $chatId`;
const SOUND_OWNERS = `SELECT user_id AS userId, display_name AS name FROM linked_chats
  WHERE platform = $platform AND chat_id = $chatId AND confirmed_at IS NOT NULL AND broken_at IS NULL`;
const MARK_BROKEN = `UPDATE linked_chats SET broken_at = $now, broken_reason = $reason
  WHERE platform = $platform AND chat_id = $chatId`;
const MARK_CHANNEL_BROKEN =
  'UPDATE channels SET broken_at = $now, broken_reason = $reason WHERE platform = $platform AND chat_id = $chatId';
const FAIL_CHAT = `UPDATE outbox SET status = 'failed', failed_reason = $reason
  WHERE status IN ('waiting', 'sending') AND platform = $platform AND chat_id = $chatId`;
const MEND_CHANNEL = `UPDATE channels SET broken_at = NULL, broken_reason = NULL
  WHERE platform = $platform AND chat_id = $chatId AND broken_at IS NOT NULL`;

function breakingQueries({ $client }: Db) {
  const markBroken = $client.query<null, Params>(MARK_BROKEN);
  const markChannelBroken = $client.query<null, Params>(MARK_CHANNEL_BROKEN);
  const failAll = $client.query<null, Params>(FAIL_CHAT);
  const mendChannel = $client.query<null, Params>(MEND_CHANNEL);
  const mendChat = $client.query<null, Params>(MEND_CHAT);
  const forgetTopic = $client.query<null, Params>(FORGET_TOPIC);
  const soundOwners = $client.query<PlaceOwner, Params>(SOUND_OWNERS);
  return {
    /** Fails all waiting messages of the place. @returns its owner, if it was not broken before */
    breakChat: $client.transaction(
      (platform: MessagePlatform, chatId: string, reason: string, now: number): PlaceOwner | null => {
        const owner = soundOwners.get({ platform, chatId });
        markBroken.run({ platform, chatId, reason, now });
        markChannelBroken.run({ platform, chatId, reason, now });
        failAll.run({ platform, chatId, reason });
        return owner;
      },
    ),
    /** Later messages go to the whole group. */
    forgetTopic: (platform: MessagePlatform, chatId: string): void =>
      void forgetTopic.run({ platform, chatId }),
    mendChat: (platform: MessagePlatform, chatId: string): void => void mendChat.run({ platform, chatId }),
    mendChannel: (platform: MessagePlatform, chatId: string): void =>
      void mendChannel.run({ platform, chatId }),
  };
}

const DEVICE_TOOK = `UPDATE devices
  SET delivered_at = $now, failed_at = NULL, failed_reason = NULL, status = 'registered' WHERE id = $id`;
const SOUND_DEVICE = `SELECT user_id AS userId, name FROM devices WHERE id = $id AND status = 'registered'`;
const DEVICE_REFUSED = 'UPDATE devices SET failed_at = $now, failed_reason = $reason WHERE id = $id';
const END_DEVICE =
  'UPDATE devices SET failed_at = $now, failed_reason = $reason, status = $status WHERE id = $id';

/** @param address as `deviceAddress` makes it */
function deviceQueries({ $client }: Db) {
  const took = $client.query<null, Params>(DEVICE_TOOK);
  const refused = $client.query<null, Params>(DEVICE_REFUSED);
  const end = $client.query<null, Params>(END_DEVICE);
  const sound = $client.query<PlaceOwner, Params>(SOUND_DEVICE);
  const failAll = $client.query<null, Params>(FAIL_CHAT);
  const idOf = (address: string): number => readDeviceAddress(address)?.id ?? 0;
  return {
    deviceTook: (address: string, now: number): void => void took.run({ id: idOf(address), now }),
    deviceRefused: (address: string, reason: string, now: number): void =>
      void refused.run({ id: idOf(address), reason, now }),
    /** Fails all waiting messages of the place. @returns its owner, if it was not broken before */
    endDevice: $client.transaction(
      (
        address: string,
        { status, reason }: { status: 'refused' | 'gone'; reason: string },
        now: number,
      ): PlaceOwner | null => {
        const owner = sound.get({ id: idOf(address) });
        end.run({ id: idOf(address), status, reason, now });
        failAll.run({ platform: 'push', chatId: address, reason });
        return owner;
      },
    ),
  };
}

const MOVE_CHAT = [
  `UPDATE OR IGNORE linked_chats SET chat_id = $to, broken_at = NULL, broken_reason = NULL
    WHERE platform = $platform AND chat_id = $from`,
  'DELETE FROM linked_chats WHERE platform = $platform AND chat_id = $from',
  `UPDATE OR IGNORE channels SET chat_id = $to, broken_at = NULL, broken_reason = NULL
    WHERE platform = $platform AND chat_id = $from`,
  `UPDATE outbox SET chat_id = $to
    WHERE status IN ('held', 'waiting', 'sending') AND platform = $platform AND chat_id = $from`,
];

/** Moves a chat to its new ID. If the user has already linked the new ID, only that link stays. */
function movingQueries({ $client }: Db) {
  const moves = MOVE_CHAT.map((sql) => $client.query<null, Params>(sql));
  return {
    moveChat: $client.transaction((platform: MessagePlatform, from: string, to: string): void => {
      for (const move of moves) move.run({ platform, from, to });
    }),
  };
}

export const createOutboxStore = (db: Db, messageOf: MessageMaker) => ({
  /** Runs `work` in one transaction. It must not await. */
  inTransaction: (work: () => void): void => db.$client.transaction(work).immediate(),
  ...waitingQueries(db),
  ...takingQueries(db, messageOf),
  ...outcomeQueries(db),
  ...breakingQueries(db),
  ...deviceQueries(db),
  ...movingQueries(db),
});

export type OutboxStore = ReturnType<typeof createOutboxStore>;
