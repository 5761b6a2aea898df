import { ok, refuse, type Result } from '#lib/result.ts';
import { hasVisible } from '#lib/text.ts';
import { CHAT_PLATFORMS, type ChatPlatform, isDiscordId } from '#platform/chatClients/rules/chatPlatform.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { plainLine } from '#texts/plainText.ts';

export type ChannelForm = { name: string; platform: ChatPlatform; chatId: string };

export const MAX_CHANNEL_NAME = 80;
export const MAX_CHANNELS = 100;

/** IDs of groups and channels are negative and have at most 52 bits. */
const TELEGRAM_ID = /^-[1-9]\d{0,15}$/;
const TELEGRAM_NAME = /^@[a-z]\w{3,31}$/i;

const NOT_TELEGRAM =
  'Enter a Telegram number that starts with a minus, like -1001234567890, or a public name like @news.';
const NOT_DISCORD =
  'Enter a Discord channel ID of 17 to 20 digits. With developer mode on, right-click the channel and choose Copy ID.';

/** Checks a channel's ID. Users' own chats with the bot are not channels. @returns the ID in its canonical spelling */
function checkChannelId(platform: ChatPlatform, typed: string): Result<string> {
  const id = typed.trim();
  if (id === '') return refuse('Enter the chat ID.', 'chatId');
  if (platform === 'discord') return isDiscordId(id) ? ok(id) : refuse(NOT_DISCORD, 'chatId');
  if (TELEGRAM_NAME.test(id)) return ok(id.toLowerCase());
  return TELEGRAM_ID.test(id) ? ok(id) : refuse(NOT_TELEGRAM, 'chatId');
}

/** Checks the name first, then the platform, then the ID. */
export function checkChannel(sent: {
  name?: unknown;
  platform?: unknown;
  chatId?: unknown;
}): Result<ChannelForm> {
  const { name, chatId } = sent;
  const line = plainLine(typeof name === 'string' ? name : '', MAX_CHANNEL_NAME);
  if (!hasVisible(line)) return refuse('Enter a name.', 'name');
  const platform = CHAT_PLATFORMS.find((known) => known === (sent.platform ?? 'discord'));
  if (platform === undefined) return refuse('Choose Telegram or Discord.', 'platform');
  const typed = typeof chatId === 'number' ? String(chatId) : chatId;
  const checked = checkChannelId(platform, typeof typed === 'string' ? typed : '');
  return checked.ok ? ok({ name: line, platform, chatId: checked.value }) : checked;
}

/** `message` has the line breaks as typed; `channelIds` are unique. */
export type BroadcastForm = { message: string; channelIds: number[]; devices: boolean };

type SentBroadcast = { message?: unknown; channelIds?: unknown; devices?: unknown };

/** The limit of the platform that allows most. Each platform's own limit is checked too. */
export const MAX_BROADCAST = 4096;

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** Checks a broadcast, its text first (specification, section 5). */
export function checkBroadcast(sent: SentBroadcast): Result<BroadcastForm> {
  const message = typeof sent.message === 'string' ? sent.message.replaceAll('\r\n', '\n').trim() : '';
  // Platforms refuse messages without visible characters.
  if (!hasVisible(message)) return refuse(ADMIN_MESSAGES.emptyMessage, 'message');
  if (message.length > MAX_BROADCAST) {
    const length = message.length.toLocaleString('en-AU');
    return refuse(`The message has ${length} characters. The limit is 4,096.`, 'message');
  }
  const list: readonly unknown[] = Array.isArray(sent.channelIds) ? sent.channelIds : [];
  const devices = sent.devices === true;
  if (list.length === 0 && !devices) return refuse(ADMIN_MESSAGES.noChannelSelected, 'channelIds');
  if (!list.every(isId)) return refuse('`channelIds` must contain the ids of channels.', 'channelIds');
  const channelIds = [...new Set(list)];
  if (channelIds.length > MAX_CHANNELS) {
    return refuse(`Choose at most ${MAX_CHANNELS} channels.`, 'channelIds');
  }
  return ok({ message, channelIds, devices });
}

export const broadcastMessage = (text: string): ChatMessage => ({
  title: '',
  lines: text.split('\n'),
  link: null,
  buttons: [],
});

/** A broadcast as a notification, which needs a title. */
export const deviceMessage = (text: string): ChatMessage => ({
  ...broadcastMessage(text),
  title: 'From Bellbird’s administrator',
});
