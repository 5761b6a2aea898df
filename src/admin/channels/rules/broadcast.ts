import { ok, refuse, type Result } from '#lib/result.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { hasVisible } from '#lib/text.ts';
import { MAX_CHANNELS } from './channel.ts';

/** A message to channels, and to everybody's devices. Its text has the line breaks that were typed; the ids are each there once. */
export type BroadcastForm = { message: string; channelIds: number[]; devices: boolean };

type SentBroadcast = { message?: unknown; channelIds?: unknown; devices?: unknown };

/** What the largest platform takes; each platform's own limit is checked besides. */
export const MAX_BROADCAST = 4096;

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** A message as it was sent, the text first (specification, section 5). */
export function checkBroadcast(sent: SentBroadcast): Result<BroadcastForm> {
  const message = typeof sent.message === 'string' ? sent.message.replaceAll('\r\n', '\n').trim() : '';
  // Platforms refuse a message of which nothing can be seen.
  if (!hasVisible(message)) return refuse(ADMIN_MESSAGES.emptyMessage, 'message');
  if (message.length > MAX_BROADCAST) {
    const length = message.length.toLocaleString('en-AU');
    return refuse(`The message has ${length} characters; at most 4,096 can be sent.`, 'message');
  }
  const list: readonly unknown[] = Array.isArray(sent.channelIds) ? sent.channelIds : [];
  const devices = sent.devices === true;
  if (list.length === 0 && !devices) return refuse(ADMIN_MESSAGES.noChannelSelected, 'channelIds');
  if (!list.every(isId)) return refuse('A channel is chosen by its number.', 'channelIds');
  const channelIds = [...new Set(list)];
  if (channelIds.length > MAX_CHANNELS) {
    return refuse(`A message goes to at most ${MAX_CHANNELS} channels.`, 'channelIds');
  }
  return ok({ message, channelIds, devices });
}

/** An administrator's text as a message: line by line, as it was typed. */
export const broadcastMessage = (text: string): ChatMessage => ({
  title: '',
  lines: text.split('\n'),
  link: null,
  buttons: [],
});

/** The same as a notification, which wants a title. */
export const deviceMessage = (text: string): ChatMessage => ({
  ...broadcastMessage(text),
  title: 'From Bellbird’s administrator',
});
