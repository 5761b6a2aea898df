import type { App } from '#platform/app.ts';
import type { Bot } from '../chatClients/bot.ts';
import type { Sender, ChatTarget, Outgoing, SendOutcome } from '../chatClients/sender.ts';
import { createTelegramBot, type TelegramListeners } from './bot.ts';
import { createTelegram, type Telegram } from './client.ts';
import { GrammyError, HttpError } from 'grammy';
import { isRecord } from '#lib/json.ts';
import { callOutcome, checkOf, platformWords } from '../chatClients/platformCall.ts';
import { telegramText } from './render.ts';
import { BLOCKED, NO_RIGHTS, NOT_IN_GROUP } from './readUpdate.ts';

/** Telegram allows 30 a second. The rest is for answers to commands. */
const PER_SECOND = 25;
const CHAT_GAP_MS = 1000;
const GROUP_PER_MINUTE = 20;

/** Groups and channels have negative IDs; public ones may have a name. */
const isGroup = (chatId: string): boolean => chatId.startsWith('-') || chatId.startsWith('@');

/** Telegram's reasons for refusing a chat, and what a person can do about it. */
const BROKEN_CHATS: readonly (readonly [RegExp, string])[] = [
  [/blocked by the user/i, BLOCKED],
  [/bot was kicked|not a member/i, NOT_IN_GROUP],
  [/deactivated/i, 'This Telegram account or group was deleted.'],
  [
    /chat not found|can't initiate|user not found|peer_id_invalid/i,
    'On Telegram, a bot can write only to people who wrote to it first. Send it a message.',
  ],
  [/upgraded to a supergroup/i, 'This Telegram group has another ID now. Link it again.'],
  [/rights|write_forbidden|restricted|topic_closed/i, NO_RIGHTS],
];
const BROKEN_CHANNELS: typeof BROKEN_CHATS = [
  [/chat not found/i, 'This Telegram chat does not exist, or the bot was never in it. Add the bot to it.'],
  [/bot was kicked|not a member/i, 'The bot is no longer in this Telegram chat. Add it again.'],
  [
    /rights|administrator|write_forbidden|restricted/i,
    'The bot may not write in this Telegram chat. Make it an administrator with the right to post messages.',
  ],
  ...BROKEN_CHATS,
];
const BROKEN_CHAT = 'Telegram does not accept messages for this chat.';

const brokenChat = (description: string, target: ChatTarget): string | undefined =>
  (target === 'channel' ? BROKEN_CHANNELS : BROKEN_CHATS).find(([pattern]) => pattern.test(description))?.[1];

/** The delay of a 429, ms; null if unknown. */
function retryAfter(error: GrammyError): number | null {
  const seconds: unknown = error.parameters.retry_after;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}

/** The chat's new ID after a group became a supergroup. */
function newChatId(error: GrammyError): string | null {
  const id: unknown = error.parameters.migrate_to_chat_id;
  const text = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
  return /^-?\d{1,20}$/.test(text) ? text : null;
}

function refusalOutcome(error: GrammyError, target: ChatTarget): SendOutcome {
  const { error_code: code, description } = error;
  const moved = newChatId(error);
  if (moved !== null) return { kind: 'moved', chatId: moved };
  // 404: with a malformed token the address is unknown.
  if (code === 401 || code === 404) {
    return { kind: 'botBroken', reason: 'rejects the bot’s token' };
  }
  if (code === 429) {
    return { kind: 'later', afterMs: retryAfter(error), scope: 'chat', reason: 'asked to wait' };
  }
  if (code === 403) return { kind: 'chatBroken', reason: brokenChat(description, target) ?? BROKEN_CHAT };
  if (code === 400) {
    const reason = brokenChat(description, target);
    if (reason !== undefined) return { kind: 'chatBroken', reason };
  }
  if (code >= 500) return { kind: 'unknown', reason: `answered with code ${code}` };
  return { kind: 'refused', reason: `Telegram refused this message: ${platformWords(description)}` };
}

function failureOutcome(error: unknown, target: ChatTarget = 'chat'): SendOutcome {
  if (error instanceof GrammyError) return refusalOutcome(error, target);
  return callOutcome(error instanceof HttpError ? error.error : error);
}

const TOPIC_GONE = 'The topic in which this group was linked is closed or deleted. Alerts are now sent here.';

const isTopicGone = (error: unknown): boolean =>
  error instanceof GrammyError &&
  error.error_code === 400 &&
  /thread not found|topic_(closed|deleted)/i.test(error.description);

async function sendOnce(
  { api }: Telegram['bot'],
  { chatId, topicId = null, message, mayRepeat }: Outgoing,
): Promise<SendOutcome> {
  const { text, other } = telegramText(message, { mayRepeat });
  const topic = topicId === null ? {} : { message_thread_id: topicId };
  const sent: unknown = await api.sendMessage(chatId, text, { ...other, ...topic });
  return isRecord(sent) && typeof sent['message_id'] === 'number'
    ? { kind: 'sent', messageId: String(sent['message_id']) }
    : { kind: 'unknown', reason: 'sent an answer in an unknown format' };
}

export function createTelegramSender({ bot }: Telegram): Sender {
  return {
    platform: 'telegram',
    limits: {
      perSecond: PER_SECOND,
      chatGapMs: CHAT_GAP_MS,
      chatPerMinute: (chatId) => (isGroup(chatId) ? GROUP_PER_MINUTE : null),
      namesScope: false,
    },
    remembersNonceMs: 0,
    async send(outgoing) {
      const { target, topicId = null, message } = outgoing;
      try {
        return await sendOnce(bot, outgoing);
      } catch (error) {
        if (topicId === null || !isTopicGone(error)) return failureOutcome(error, target);
      }
      const lines = [...message.lines, TOPIC_GONE];
      try {
        const sent = await sendOnce(bot, { ...outgoing, topicId: null, message: { ...message, lines } });
        return sent.kind === 'sent' ? { ...sent, topicIsGone: true } : sent;
      } catch (error) {
        return failureOutcome(error, target);
      }
    },
    check: () =>
      checkOf(
        () => bot.api.getMe(),
        ({ id }) => typeof id === 'number',
        failureOutcome,
      ),
  };
}

export type TelegramConnection = {
  sender: Sender;
  createBot(listeners: TelegramListeners): Bot;
  botName(): string | null;
};

/** Makes no request yet. @returns null without a token */
export function connectTelegram(app: App): TelegramConnection | null {
  const telegram = createTelegram(app);
  if (telegram === null) return null;
  return {
    sender: createTelegramSender(telegram),
    createBot: (listeners) => createTelegramBot(app, telegram, listeners),
    botName: () => telegram.self?.username ?? null,
  };
}
