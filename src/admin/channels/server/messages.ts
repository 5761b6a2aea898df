import type { ChatPlatform } from '../../../subjects/chats/rules/chatPlatform.ts';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { AppError } from '../../../platform/http/errors.ts';
import type { ChannelMessage } from '../../../platform/chatClients/channelMessage.ts';
import type { SentMessage } from '../../../platform/outbox/channelReport.ts';
import { channelOf } from './administer.ts';
import type { ChannelsDeps } from './deps.ts';
import { KEPT } from './heard.ts';
import type { MessageView } from './model.ts';
import type { ChannelRow } from './store.ts';
import { iso } from './views.ts';

const TELEGRAM_NOTE =
  'Telegram shows bots no earlier messages. These are what the bot heard since the server started and what it sent in the last 30 days.';
const DISCORD_NOTE =
  'Discord shows the bot other people’s texts only with the Message Content intent, which you switch on in the developer portal.';

const toView = (platform: ChatPlatform, message: ChannelMessage): MessageView => ({
  message_id: message.messageId,
  timestamp: iso(message.timestamp),
  author: {
    id: message.author.id,
    display_name: message.author.displayName,
    username: message.author.username,
  },
  platform,
  content: message.content,
  attachments: message.attachments.map(({ id, name, contentType, url }) => ({
    ...{ id, name, url },
    content_type: contentType,
  })),
});

/** What the bot itself sent, as it would be heard. */
function ownMessage({ messageId, sentAt, message }: SentMessage, botName: string | null): ChannelMessage {
  const { title, lines, link } = message;
  const texts = [title, ...lines, ...(link === null ? [] : [link.text])];
  return {
    messageId: messageId ?? '',
    timestamp: sentAt,
    author: { id: '', displayName: 'Bellbird', username: botName },
    content: texts.filter((text, index) => index > 0 || text !== '').join('\n'),
    attachments: [],
  };
}

/** Newest first. In a channel the bot hears its own posts too: those stand there once. */
function telegramMessages(
  { outbox, heard, botName }: ChannelsDeps,
  { id, platform, chatId }: ChannelRow,
  limit: number,
): ChannelMessage[] {
  const others = heard.of(id);
  const known = new Set(others.map(({ messageId }) => messageId));
  const own = outbox
    .sentTo(platform, chatId, limit)
    .filter(({ messageId }) => messageId === null || !known.has(messageId))
    .map((sent) => ownMessage(sent, botName(platform)));
  return [...others, ...own].sort((a, b) => b.timestamp - a.timestamp).slice(0, limit);
}

/**
 * The newest messages of a channel, newest first, as far as its platform shows them to a bot.
 * @throws AppError 400 for a channel without a chat, 404, 429, 502 with the platform's reason
 */
export async function recentMessages(
  deps: ChannelsDeps,
  userId: number,
  channelId: number,
  wanted: number,
): Promise<{ messages: MessageView[]; row: ChannelRow; note: string | null }> {
  deps.countRead(userId);
  const row = channelOf(deps, channelId);
  const { platform, chatId } = row;
  if (chatId === '') throw new AppError(400, ADMIN_MESSAGES.channelWithoutChat);
  const limit = Math.min(Math.trunc(wanted), KEPT);
  const answer = (messages: readonly ChannelMessage[], note: string | null) => ({
    messages: messages.map((message) => toView(platform, message)),
    row,
    note,
  });
  if (platform === 'telegram') return answer(telegramMessages(deps, row, limit), TELEGRAM_NOTE);
  if (deps.readDiscord === null) {
    throw new AppError(400, 'This server has no Discord bot. Set BELLBIRD_DISCORD_TOKEN.');
  }
  const read = await deps.readDiscord(chatId, limit);
  if (!read.ok) throw new AppError(502, read.error);
  const isTextHidden = read.value.some(
    ({ content, attachments }) => content === '' && attachments.length === 0,
  );
  return answer(read.value, isTextHidden ? DISCORD_NOTE : null);
}
