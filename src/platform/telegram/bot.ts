import PQueue from 'p-queue';
import type { Inspection } from '#lib/inspection.ts';
import { PollLoop } from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import type { App } from '#platform/app.ts';
import {
  type ChannelMessage,
  type ChatHandler,
  type ReceivedInChannel,
  MAX_CONTENT,
  MAX_NAME,
} from '../chatClients/received.ts';
import { ChatQueue } from '../chatClients/chatQueue.ts';
import { patiently } from '../chatClients/platformCall.ts';
import type { Bot } from '../chatClients/bot.ts';
import type { BotInfo, Telegram } from './client.ts';
import { Poll } from './poll.ts';
import { MEMBERS, readMembership, readMigration, readUpdate, type TelegramEvent } from './readUpdate.ts';
import { plainLine } from '#texts/plainText.ts';
import { isRecord, type JsonRecord } from '#lib/json.ts';
import { readRecord, readText } from '#lib/read.ts';
import { GrammyError } from 'grammy';
import type { ChatMessage } from '../chatClients/rules/chatMessage.ts';
import { telegramText } from './render.ts';

type Api = Telegram['bot']['api'];

type Pace = (call: () => Promise<unknown>) => Promise<unknown>;

type Way = { api: Api; pace: Pace };
type Place = { chatId: string; topicId: number | null };

function waitMsOf(error: unknown): number | null {
  const seconds = error instanceof GrammyError ? error.parameters.retry_after : undefined;
  return seconds === undefined ? null : seconds * 1000;
}

const isRefused = (error: unknown, words: RegExp): boolean =>
  error instanceof GrammyError && error.error_code === 400 && words.test(error.description);

async function send({ api, pace }: Way, { chatId, topicId }: Place, message: ChatMessage): Promise<void> {
  const topic = topicId === null ? {} : { message_thread_id: topicId };
  const { text, other } = telegramText(message, { mayRepeat: false });
  await patiently(() => pace(() => api.sendMessage(chatId, text, { ...other, ...topic })), waitMsOf);
}

/** Edits a message, or sends a new one if it can no longer be edited. */
async function edit(way: Way, place: Place, messageId: number, message: ChatMessage): Promise<void> {
  const { api, pace } = way;
  const { text, other } = telegramText(message, { mayRepeat: false });
  try {
    await patiently(() => pace(() => api.editMessageText(place.chatId, messageId, text, other)), waitMsOf);
  } catch (error) {
    if (isRefused(error, /not modified/i)) return;
    if (!isRefused(error, /not found|can't be edited/i)) throw error;
    await send(way, place, message);
  }
}

/**
 * Gets the answer to an event and sends it to Telegram. A pressed button is acknowledged first.
 * @param aside runs work that the chat's next event does not wait for
 * @throws the error if Telegram refuses the answer
 */
async function answerEvent(
  way: Way,
  handle: ChatHandler,
  received: TelegramEvent,
  aside: ChatQueue['aside'],
): Promise<void> {
  const { event, callbackId, messageId, topicId } = received;
  const place = { chatId: event.chatId, topicId };
  const reply = await handle(event).finally(() => {
    // An old press can no longer be acknowledged, but is answered anyway.
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

const CHAT_TYPES: ReadonlySet<unknown> = new Set(['group', 'supergroup', 'channel']);
/** Members of a message with one file each, and the name of a file without one. */
const FILES = [
  ['document', 'Document'],
  ['video', 'Video'],
  ['audio', 'Audio'],
  ['voice', 'Voice message'],
  ['animation', 'Animation'],
  ['sticker', 'Sticker'],
] as const;

const idText = (value: unknown): string | null => (Number.isSafeInteger(value) ? String(value) : null);
const line = (value: unknown): string | null => plainLine(readText(value) ?? '', MAX_NAME) || null;

/** The author: a person, a group in its own name, or a channel with the signature of its writer. */
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

/** Reads a message or membership change in a channel or a group; null for other updates. */
function readReceived(update: JsonRecord): ReceivedInChannel | null {
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
  // Service messages, such as a new member or title.
  if (content === '' && attachments.length === 0) return null;
  const received = {
    messageId,
    timestamp: seconds * 1000,
    author: authorOf(message, chat),
    content,
    attachments,
  };
  return { ...where, kind: 'message', message: received };
}

const RULES = { intervalMs: 1000, maxWaitMs: 5 * 60_000, openAfter: 5 };
/** Telegram accepts 30 messages a second. The rest is for alerts. */
const ANSWERS_A_SECOND = 5;
/** How long calls in flight may delay a stop. */
const LAST_CALLS_MS = 500;

export type TelegramListeners = {
  handle: ChatHandler;
  /** Reports whether the bot may write into a chat. `trouble`: why not, a sentence; null if it may. */
  membership?(chat: { platform: 'telegram'; chatId: string }, trouble: string | null): void;
  moved?(from: string, to: string): void;
  /** A message in a channel or group, or a change of the bot's membership. */
  onReceived?(onReceived: ReceivedInChannel): void;
};

class UpdateHandler {
  readonly counts = { received: 0, answered: 0 };
  readonly queue: ChatQueue;
  readonly #paced = new PQueue({ intervalCap: ANSWERS_A_SECOND, interval: 1000 });

  constructor(
    private readonly telegram: Telegram,
    private readonly listeners: TelegramListeners,
    log: Log,
  ) {
    this.queue = new ChatQueue(log);
  }

  receive(update: JsonRecord, { username }: BotInfo): void {
    this.counts.received += 1;
    const onReceived = readReceived(update);
    if (onReceived) this.listeners.onReceived?.(onReceived);
    const migration = readMigration(update);
    if (migration) this.listeners.moved?.(migration.from, migration.to);
    const membership = readMembership(update);
    if (membership) {
      this.listeners.membership?.({ platform: 'telegram', chatId: membership.chatId }, membership.trouble);
    }
    const received = readUpdate(update, username);
    if (!received) return;
    this.counts.answered += 1;
    const { chatId, kind } = received.event;
    const isButtonPress = kind === 'button';
    const answer = () =>
      answerEvent(this.#wayOf(isButtonPress), this.listeners.handle, received, this.queue.aside);
    this.queue.run(chatId, answer, isButtonPress);
  }

  async stop(): Promise<void> {
    await this.queue.lastAnswers();
    this.#paced.clear();
    await Promise.race([this.#paced.onIdle(), Bun.sleep(LAST_CALLS_MS)]);
  }

  // Answers to buttons go first, because the person is looking at the message.
  #wayOf(isButtonPress: boolean) {
    return {
      api: this.telegram.bot.api,
      pace: (call: () => Promise<unknown>) => this.#paced.add(call, { priority: isButtonPress ? 1 : 0 }),
    };
  }
}

/**
 * Polls the messages to the Telegram bot and answers them. It never gives up: failures are logged when they
 * change, with growing delays between attempts.
 */
export function createTelegramBot(app: App, telegram: Telegram, listeners: TelegramListeners): Bot {
  const { clock, schedule } = app;
  const log = app.log.child('telegram');
  const hearing = new UpdateHandler(telegram, listeners, log);
  const asking = new Poll(app, telegram, (update, self) => hearing.receive(update, self));
  const loop = new PollLoop({
    name: 'Telegram',
    rules: RULES,
    clock,
    log,
    schedule,
    random: Math.random,
    poll: (stop) => asking.poll(stop),
  });
  return {
    name: 'telegramBot',
    service: {
      username: (): string | null => telegram.self?.username ?? null,
      checkResult: () => asking.checkResult(loop.state().failure),
    },
    start: () => loop.start(),
    stop: async () => {
      await loop.stop();
      await hearing.stop();
    },
    inspect: (): Inspection => {
      const { failure, circuit, polls } = loop.state();
      const { self } = telegram;
      const state = failure === null ? (self ? 'up' : 'starting') : 'down';
      return {
        label: 'Telegram bot',
        description: 'Its token, its name on Telegram and the state of its polling.',
        summary: { state, username: self?.username ?? null, problem: failure, polls, ...hearing.counts },
        data: () => ({ ...loop.state(), circuit, waiting: hearing.queue.size() }),
      };
    },
  };
}
