import type { Db } from '../db/open.ts';
import type { MessagePlatform } from '../chatClients/rules/chatPlatform.ts';
import { DELIVERIES, type Delivery, type SentTo, worstOf, type TriggerKind } from './rules/delivery.ts';
import type { ChatMessage } from '../chatClients/rules/chatMessage.ts';
import { readStoredMessage } from './message.ts';

export type Status = {
  platform: MessagePlatform;
  /** `sending`: in flight without an answer. */
  status: 'waiting' | 'sending' | 'sent' | 'failed';
  mayRepeat: boolean;
  sentAt: number | null;
  failedReason: string | null;
};

export type SentMessage = {
  messageId: string | null;
  sentAt: number;
  message: ChatMessage;
};

// Each attempt has its time, and the first that may have arrived stays noted. If they differ, there were two.
const STATUSES = `SELECT nonce, platform, status, sent_at AS sentAt, failed_reason AS failedReason,
    CASE status WHEN 'waiting' THEN uncertain_since IS NOT NULL
      ELSE uncertain_since IS NOT NULL AND uncertain_since <> due_at END AS mayRepeat
  FROM outbox WHERE trigger_id IS NULL AND nonce IN (SELECT value FROM json_each($nonces))`;
const SENT_TO = `SELECT message_id AS messageId, sent_at AS sentAt, message FROM outbox INDEXED BY outbox_channel
  WHERE status = 'sent' AND platform = $platform AND chat_id = $chatId AND target = 'channel'
  ORDER BY id DESC LIMIT $limit`;

type StatusRow = Omit<Status, 'mayRepeat'> & { nonce: string; mayRepeat: number };
type SentRow = Omit<SentMessage, 'message'> & { message: string };

export function createChannelReport({ $client }: Db) {
  const statuses = $client.query<StatusRow, { nonces: string }>(STATUSES);
  const sentTo = $client.query<SentRow, { platform: string; chatId: string; limit: number }>(SENT_TO);
  return {
    statusesOf: (nonces: readonly string[]): Map<string, Status> =>
      new Map(
        statuses
          .all({ nonces: JSON.stringify(nonces) })
          .map(({ nonce, mayRepeat, ...row }) => [nonce, { ...row, mayRepeat: mayRepeat === 1 }]),
      ),
    sentTo: (platform: MessagePlatform, chatId: string, limit: number): SentMessage[] =>
      sentTo.all({ platform, chatId, limit }).flatMap(({ message, ...row }) => {
        const read = readStoredMessage(message);
        return read === null || 'note' in read ? [] : [{ ...row, message: read }];
      }),
  };
}

export type OutboxCounts = { waiting: number; sending: number; failed: number; sentToday: number };

/** A message without its text, which only its reader may see. */
export type ShownMessage = {
  id: number;
  platform: MessagePlatform;
  userId: number | null;
  triggerId: number | null;
  status: string;
  attempts: number;
  createdAt: number;
  dueAt: number;
  sentAt: number | null;
  mayRepeat: number;
  failedReason: string | null;
};

const NEWEST = 200;
const MAX_PRUNED = 1000;

const COUNT = `SELECT
  (SELECT count(*) FROM outbox WHERE status = 'waiting') AS waiting,
  (SELECT count(*) FROM outbox WHERE status = 'sending') AS sending,
  (SELECT count(*) FROM outbox WHERE status = 'failed') AS failed,
  (SELECT count(*) FROM outbox WHERE sent_at >= $since) AS sentToday`;
const OLDEST = `SELECT created_at AS oldest FROM outbox
  WHERE id = (SELECT min(id) FROM outbox WHERE status IN ('waiting', 'sending'))`;
const SHOWN = `SELECT id, platform, user_id AS userId, trigger_id AS triggerId, status, attempts,
  created_at AS createdAt, due_at AS dueAt, sent_at AS sentAt, uncertain_since IS NOT NULL AS mayRepeat,
  failed_reason AS failedReason FROM outbox ORDER BY id DESC LIMIT ${NEWEST}`;
/**
 * A message in a digest has the digest's status; without the digest it counts as sent. By platform, for alerts on
 * stocks or on scans. `worst` counts in `DELIVERIES`.
 */
const deliveriesBy = (
  column: 'trigger_id' | 'scan_trigger_id',
) => `SELECT o.${column} AS triggerId, o.platform,
    max(CASE coalesce(d.status, o.status) WHEN 'failed' THEN 2 WHEN 'sent' THEN 0 WHEN 'digested' THEN 0 ELSE 1 END) AS worst
  FROM outbox o LEFT JOIN outbox d ON d.id = o.digest_id
  WHERE o.${column} IN (SELECT value FROM json_each($ids)) GROUP BY o.${column}, o.platform`;
const PRUNE = `DELETE FROM outbox WHERE id IN (
  SELECT id FROM outbox WHERE sent_at < $before
  UNION ALL SELECT id FROM outbox WHERE status IN ('failed', 'digested') AND created_at < $before LIMIT ${MAX_PRUNED})`;

type ByPlatform = { triggerId: number; platform: MessagePlatform; worst: number };

/** The worst outcome of each trigger's messages by platform. Triggers without messages are left out. */
function sentQuery({ $client }: Db) {
  const sent = {
    alert: $client.query<ByPlatform, { ids: string }>(deliveriesBy('trigger_id')),
    scan: $client.query<ByPlatform, { ids: string }>(deliveriesBy('scan_trigger_id')),
  };
  return (kind: TriggerKind, triggerIds: readonly number[]): Map<number, SentTo[]> => {
    const found = new Map<number, SentTo[]>();
    for (const { triggerId, platform, worst } of sent[kind].all({ ids: JSON.stringify(triggerIds) })) {
      const own = found.get(triggerId) ?? [];
      own.push({ platform, delivery: DELIVERIES[worst] ?? 'waiting' });
      found.set(triggerId, own);
    }
    return found;
  };
}

export function createOutboxReport(db: Db) {
  const { $client } = db;
  const count = $client.query<OutboxCounts, { since: number }>(COUNT);
  const oldest = $client.query<{ oldest: number | null }, []>(OLDEST);
  const shown = $client.query<ShownMessage, []>(SHOWN);
  const prune = $client.query<null, { before: number }>(PRUNE);
  const none: OutboxCounts = { waiting: 0, sending: 0, failed: 0, sentToday: 0 };
  const sentOf = sentQuery(db);
  return {
    counts: (since: number): OutboxCounts => count.get({ since }) ?? none,
    /** When the oldest undelivered message was written, epoch ms; null if there is none. */
    oldestOpen: (): number | null => oldest.get()?.oldest ?? null,
    newest: (): ShownMessage[] => shown.all(),
    sentOf,
    deliveryOf: (triggerIds: readonly number[]): Map<number, Delivery> =>
      new Map(
        [...sentOf('alert', triggerIds)].map(([triggerId, own]) => [triggerId, worstOf(own) ?? 'waiting']),
      ),
    /** Removes some of the messages that were finished before then. */
    prune(before: number): { removed: number; hasMore: boolean } {
      const { changes } = prune.run({ before });
      return { removed: changes, hasMore: changes >= MAX_PRUNED };
    },
  };
}

export type OutboxReport = ReturnType<typeof createOutboxReport>;
