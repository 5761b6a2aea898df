import { GrammyError } from 'grammy';
import type { ChatMessage } from '#subjects/chats/rules/chatMessage.ts';
import type { ChatQueue } from '../chatClients/chatQueue.ts';
import type { ChatHandler } from '../chatClients/received.ts';
import type { Telegram } from './client.ts';
import type { TelegramEvent } from './readUpdate.ts';
import { telegramText } from './render.ts';

type Api = Telegram['bot']['api'];

/** Makes calls that write into chats, no more of them than leaves room for alerts. */
export type Pace = (call: () => Promise<unknown>) => Promise<unknown>;

type Way = { api: Api; pace: Pace };
type Place = { chatId: string; topicId: number | null };

/** Who has to wait longer than this for an answer has asked again. */
const MAX_WAIT_SECONDS = 30;

/** Makes a call, and once more when Telegram asks to wait a little. */
async function patiently(pace: Pace, call: () => Promise<unknown>): Promise<void> {
  try {
    await pace(call);
  } catch (error) {
    const seconds = error instanceof GrammyError ? (error.parameters.retry_after ?? null) : null;
    if (seconds === null || seconds > MAX_WAIT_SECONDS) throw error;
    await Bun.sleep(seconds * 1000);
    await pace(call);
  }
}

const isRefused = (error: unknown, words: RegExp): boolean =>
  error instanceof GrammyError && error.error_code === 400 && words.test(error.description);

/** @param topicId as in TelegramEvent */
async function send({ api, pace }: Way, { chatId, topicId }: Place, message: ChatMessage): Promise<void> {
  const topic = topicId === null ? {} : { message_thread_id: topicId };
  const { text, other } = telegramText(message, { mayRepeat: false });
  await patiently(pace, () => api.sendMessage(chatId, text, { ...other, ...topic }));
}

/** Puts a message in the place of another; sends it where that can't be changed any more. */
async function edit(way: Way, place: Place, messageId: number, message: ChatMessage): Promise<void> {
  const { api, pace } = way;
  const { text, other } = telegramText(message, { mayRepeat: false });
  try {
    await patiently(pace, () => api.editMessageText(place.chatId, messageId, text, other));
  } catch (error) {
    if (isRefused(error, /not modified/i)) return;
    if (!isRefused(error, /not found|can't be edited/i)) throw error;
    await send(way, place, message);
  }
}

/**
 * Has an event answered, and gives the answer to Telegram. A pressed button stops turning first, whatever comes of it.
 *
 * @param aside runs what the chat's next event does not wait for
 * @throws what Telegram refused
 */
export async function answerEvent(
  way: Way,
  handle: ChatHandler,
  received: TelegramEvent,
  aside: ChatQueue['aside'],
): Promise<void> {
  const { event, callbackId, messageId, topicId } = received;
  const place = { chatId: event.chatId, topicId };
  const reply = await handle(event).finally(() => {
    // An old press can't be acknowledged any more, and is answered all the same.
    if (callbackId !== null) void way.api.answerCallbackQuery(callbackId).catch(() => undefined);
  });
  if (!reply) return;
  const isEdit = reply.edits && messageId !== null;
  const sent = isEdit ? edit(way, place, messageId, reply.message) : send(way, place, reply.message);
  const { answer } = reply;
  if (answer) {
    aside(async () => {
      const message = await answer;
      await sent.catch(() => undefined);
      await send(way, place, message);
    });
  }
  await sent;
}
