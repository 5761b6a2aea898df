import { plainLine } from '../../subjects/alerts/rules/plainText.ts';
import { isRecord, type JsonRecord } from '../../lib/json.ts';
import { readRecord, readText } from '../../lib/read.ts';
import {
  type ChannelMessage,
  type HeardInChannel,
  MAX_CONTENT,
  MAX_NAME,
} from '../chatClients/channelMessage.ts';

const CHAT_TYPES: ReadonlySet<unknown> = new Set(['group', 'supergroup', 'channel']);
/** Members of a message that hold one file each, and what it is called when it has no name. */
const FILES = [
  ['document', 'Document'],
  ['video', 'Video'],
  ['audio', 'Audio'],
  ['voice', 'Voice message'],
  ['animation', 'Animation'],
  ['sticker', 'Sticker'],
] as const;
/** Who is still there, by Telegram's word for it. */
const MEMBERS: ReadonlySet<unknown> = new Set(['creator', 'administrator', 'member']);

const idText = (value: unknown): string | null => (Number.isSafeInteger(value) ? String(value) : null);
const line = (value: unknown): string | null => plainLine(readText(value) ?? '', MAX_NAME) || null;

/** Who wrote: a person, a group in its own name, or a channel with the signature of its writer. */
function authorOf(message: JsonRecord, chat: JsonRecord): ChannelMessage['author'] {
  const from = readRecord(message['from'] ?? message['sender_chat'] ?? chat);
  const name = `${readText(from['first_name']) ?? ''} ${readText(from['last_name']) ?? ''}`;
  return {
    id: idText(from['id']) ?? '',
    displayName: line(message['author_signature']) ?? line(name) ?? line(from['title']),
    username: line(from['username']),
  };
}

function attachmentsOf(message: JsonRecord): ChannelMessage['attachments'] {
  const files = FILES.flatMap(([member, name]) => {
    const file = message[member];
    if (!isRecord(file)) return [];
    const contentType = line(file['mime_type']);
    const id = line(file['file_unique_id']) ?? '';
    return [{ id, name: line(file['file_name']) ?? name, contentType, url: null }];
  });
  const { photo } = message;
  if (!Array.isArray(photo)) return files;
  const id = line(readRecord(photo.at(-1))['file_unique_id']) ?? '';
  return [...files, { id, name: 'Photo', contentType: null, url: null }];
}

/** Reads what an update tells of a channel or a group; null when it tells of something else. */
export function readHeard(update: JsonRecord): HeardInChannel | null {
  const change = update['my_chat_member'];
  const message = readRecord(change ?? update['channel_post'] ?? update['message']);
  const chat = readRecord(message['chat']);
  const chatId = idText(chat['id']);
  if (chatId === null || !CHAT_TYPES.has(chat['type'])) return null;
  const username = line(chat['username']);
  const where = { chatId, chatName: username === null ? null : `@${username}` };
  if (isRecord(change)) {
    const status = readRecord(change['new_chat_member'])['status'];
    return { ...where, kind: 'membership', isIn: MEMBERS.has(status) };
  }
  const messageId = idText(message['message_id']);
  const seconds = message['date'];
  if (messageId === null || typeof seconds !== 'number') return null;
  const content = (readText(message['text']) ?? readText(message['caption']) ?? '').slice(0, MAX_CONTENT);
  const attachments = attachmentsOf(message);
  // Somebody came, a title changed: nothing that was said.
  if (content === '' && attachments.length === 0) return null;
  const said = {
    messageId,
    timestamp: seconds * 1000,
    author: authorOf(message, chat),
    content,
    attachments,
  };
  return { ...where, kind: 'message', message: said };
}
