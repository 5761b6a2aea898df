import type { Db } from '../db/open.ts';
import type { ChatMessage } from '../../subjects/chats/rules/chatMessage.ts';
import type { ChatPlatform } from '../../subjects/chats/rules/chatPlatform.ts';
import { readStoredMessage } from './message.ts';

/** How one message stands. Times are epoch ms. */
export type Standing = {
  platform: ChatPlatform;
  /** `sending`: handed to the platform, its answer is not known yet. */
  status: 'waiting' | 'sending' | 'sent' | 'failed';
  /** An earlier attempt had no answer and may have arrived too. */
  mayRepeat: boolean;
  sentAt: number | null;
  /** A sentence. */
  failedReason: string | null;
};

/** A message as it was sent to a channel. */
export type SentMessage = {
  /** The platform's own. */
  messageId: string | null;
  /** Epoch ms. */
  sentAt: number;
  message: ChatMessage;
};

// Each attempt is marked with its time, and the first that may have arrived stays noted: where they differ there were two.
const STANDINGS = `SELECT nonce, platform, status, sent_at AS sentAt, failed_reason AS failedReason,
    CASE status WHEN 'waiting' THEN uncertain_since IS NOT NULL
      ELSE uncertain_since IS NOT NULL AND uncertain_since <> due_at END AS mayRepeat
  FROM outbox WHERE trigger_id IS NULL AND nonce IN (SELECT value FROM json_each($nonces))`;
const SENT_TO = `SELECT message_id AS messageId, sent_at AS sentAt, message FROM outbox INDEXED BY outbox_channel
  WHERE status = 'sent' AND platform = $platform AND chat_id = $chatId AND target = 'channel'
  ORDER BY id DESC LIMIT $limit`;

type StandingRow = Omit<Standing, 'mayRepeat'> & { nonce: string; mayRepeat: number };
type SentRow = Omit<SentMessage, 'message'> & { message: string };

/** What is asked about messages to channels. */
export function createChannelReport({ $client }: Db) {
  const standings = $client.query<StandingRow, { nonces: string }>(STANDINGS);
  const sentTo = $client.query<SentRow, { platform: string; chatId: string; limit: number }>(SENT_TO);
  return {
    standings: (nonces: readonly string[]): Map<string, Standing> =>
      new Map(
        standings
          .all({ nonces: JSON.stringify(nonces) })
          .map(({ nonce, mayRepeat, ...row }) => [nonce, { ...row, mayRepeat: mayRepeat === 1 }]),
      ),
    sentTo: (platform: ChatPlatform, chatId: string, limit: number): SentMessage[] =>
      sentTo.all({ platform, chatId, limit }).flatMap(({ message, ...row }) => {
        const read = readStoredMessage(message);
        return read === null || 'note' in read ? [] : [{ ...row, message: read }];
      }),
  };
}
