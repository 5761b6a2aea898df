import type { ChatPlatform } from '../../../subjects/chats/rules/chatPlatform.ts';
import {
  readBoolean,
  readChoice,
  readCount,
  readIsoTime,
  readList,
  readRecord,
  readText,
} from '../../../lib/read.ts';
import { isRecord, type JsonRecord } from '../../../lib/json.ts';

/** How something sent to a channel stands. */
export type Outcome = {
  status: 'waiting' | 'sending' | 'sent' | 'failed' | 'forgotten' | 'skipped';
  /** A sentence; null when there is nothing to say. */
  reason: string | null;
  /** An earlier attempt had no answer and may have arrived too. */
  mayRepeat: boolean;
  /** ISO 8601. */
  sentAt: string | null;
};

export type Channel = {
  id: number;
  name: string;
  platform: ChatPlatform;
  /** '' when it is not known. */
  chatId: string;
  subscribed: 0 | 1;
  sendDaily: 0 | 1;
  /** Why the last message could not be delivered; null when it could. */
  broken: string | null;
  /** Whether the server has a bot on the platform. */
  hasBot: boolean;
  /** The newest daily summary: of which day, YYYY-MM-DD, and how it stands. */
  summary: ({ date: string } & Outcome) | null;
};

export type BroadcastResult = { channelId: number | null; name: string } & Outcome;
export type Broadcast = {
  id: number;
  message: string;
  sentAt: string | null;
  by: string | null;
  results: BroadcastResult[];
};

export type ChannelMessage = {
  message_id: string;
  timestamp: string | null;
  author: { id: string; display_name: string | null; username: string | null };
  content: string;
  attachments: { id: string; name: string; url: string | null }[];
};

const readPlatform = readChoice<ChatPlatform>(['telegram', 'discord']);
const readStatus = readChoice<Outcome['status']>([
  'waiting',
  'sending',
  'sent',
  'failed',
  'forgotten',
  'skipped',
]);

const readFlag = (value: unknown): 0 | 1 => (readBoolean(value) ? 1 : 0);
const sentence = (value: unknown): string | null => readText(value)?.trim() || null;

const readOutcome = (body: JsonRecord): Outcome => ({
  status: readStatus(body['status']) ?? 'forgotten',
  reason: sentence(body['reason']),
  mayRepeat: readBoolean(body['mayRepeat']) ?? false,
  sentAt: readIsoTime(body['sentAt']),
});

function readSummary(value: unknown): Channel['summary'] {
  if (!isRecord(value)) return null;
  const date = readText(value['date']);
  return date === null ? null : { date, ...readOutcome(value) };
}

/** A channel; null for what has no id. */
export function readChannel(value: unknown): Channel | null {
  const body = readRecord(value);
  const id = readCount(body['id']);
  if (id === null) return null;
  const chatId = readText(body['chatId'])?.trim() ?? '';
  return {
    id,
    name: sentence(body['name']) ?? (chatId || `Channel ${id}`),
    platform: readPlatform(body['platform']) ?? 'discord',
    chatId,
    subscribed: readFlag(body['subscribed']),
    sendDaily: readFlag(body['sendDaily']),
    broken: sentence(body['broken']),
    hasBot: readBoolean(body['hasBot']) ?? true,
    summary: readSummary(body['summary']),
  };
}

/** GET /admin/channels: a list, or an object that holds it. */
export const readChannels = (body: unknown): { channels: Channel[] } => ({
  channels: readList(Array.isArray(body) ? body : readRecord(body)['channels'], readChannel),
});

/** POST and PUT of a channel: the channel as it is now; null when the server does not say. */
export const readChanged = (body: unknown): { channel: Channel | null } => ({
  channel: readChannel(readRecord(body)['channel'] ?? body),
});

function readResult(value: unknown): BroadcastResult | null {
  const body = readRecord(value);
  const name = sentence(body['name']);
  return name === null ? null : { channelId: readCount(body['channelId']), name, ...readOutcome(body) };
}

function readBroadcast(value: unknown): Broadcast | null {
  const body = readRecord(value);
  const id = readCount(body['id']);
  if (id === null) return null;
  return {
    id,
    message: readText(body['message']) ?? '',
    sentAt: readIsoTime(body['sentAt']),
    by: sentence(body['by']),
    results: readList(body['results'], readResult),
  };
}

/** The newest broadcasts, newest first. */
export const readBroadcasts = (body: unknown): { broadcasts: Broadcast[] } => ({
  broadcasts: readList(readRecord(body)['broadcasts'], readBroadcast),
});

function readAttachment(value: unknown): ChannelMessage['attachments'][number] | null {
  const body = readRecord(value);
  const name = sentence(body['name']);
  return name === null ? null : { id: readText(body['id']) ?? '', name, url: sentence(body['url']) };
}

function readMessage(value: unknown): ChannelMessage | null {
  if (!isRecord(value)) return null;
  const author = readRecord(value['author']);
  return {
    message_id: readText(value['message_id']) ?? '',
    timestamp: readIsoTime(value['timestamp']),
    author: {
      id: readText(author['id']) ?? '',
      display_name: sentence(author['display_name']),
      username: sentence(author['username']),
    },
    content: readText(value['content']) ?? '',
    attachments: readList(value['attachments'], readAttachment),
  };
}

/** GET /admin/channels/{id}/messages. `note`: what can't be among them. */
export function readMessages(body: unknown): { messages: ChannelMessage[]; note: string | null } {
  const answer = readRecord(body);
  return { messages: readList(answer['messages'], readMessage), note: sentence(answer['note']) };
}
