import { loadConfig } from '#src/config/config.ts';
import type { Db } from '#platform/db/open.ts';
import { openMemoryDb } from './memoryDb.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { ChatPlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import { createHttpClient, type Fetch, type HttpCall } from '#lib/httpClient/client.ts';
import { createLog, type LogLine } from '#lib/log.ts';
import { createRandom } from '#lib/random.ts';
import { createDiscord } from '#platform/discord/client.ts';
import { createDiscordSender } from '#platform/discord/sender.ts';
import { createOutbox, type OutboxOptions } from '#platform/outbox/index.ts';
import type { MessageMaker, NewMessage } from '#platform/outbox/message.ts';
import type { Sender } from '#platform/chatClients/sender.ts';
import { createTelegram } from '#platform/telegram/client.ts';
import { createTelegramSender } from '#platform/telegram/index.ts';
import {
  createFailingDiscord,
  DISCORD_TOKEN,
  asFetch,
  createFailingTelegram,
  TELEGRAM_TOKEN,
} from './failingPlatform.ts';
import { createHandScheduler, type HandScheduler } from './handScheduler.ts';
import { appOf } from './appOf.ts';

const START = Date.UTC(2026, 10, 18, 0, 0, 0);
const TELEGRAM_URL = 'http://telegram.test';
const DISCORD_URL = 'http://discord.test/api';

export const textMessage = (text: string): ChatMessage => ({
  title: text,
  lines: [],
  link: null,
  buttons: [],
});

/** A message to a chat without a user. */
export const to = (platform: ChatPlatform, chatId: string, text: string): NewMessage => ({
  platform,
  chatId,
  userId: null,
  triggerId: null,
  message: textMessage(text),
});

/** Runs everything that needs no time. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Advances the clock timer by timer, until this much time has passed or `isOver`. */
export async function turn(
  hand: HandScheduler,
  ms: number,
  isOver: () => boolean = () => false,
): Promise<void> {
  const end = hand.monotonic() + ms;
  await settle();
  while (hand.monotonic() < end && !isOver()) {
    const next = hand.planned()[0] ?? Number.POSITIVE_INFINITY;
    hand.advance(Math.min(Math.max(next, 0), end - hand.monotonic()));
    await settle();
  }
}

/** Advances the clock in steps of ten seconds, which hides the order within a step. */
export async function skip(hand: HandScheduler, ms: number): Promise<void> {
  const end = hand.monotonic() + ms;
  await settle();
  while (hand.monotonic() < end) {
    hand.advance(Math.min(10_000, end - hand.monotonic()));
    await settle();
  }
}

export type OutboxFixtureOptions = {
  db?: Db;
  hand?: HandScheduler;
  seed?: number;
  senders?: readonly Sender[];
  messageOf?: MessageMaker;
  brokenMessages?: OutboxOptions['brokenMessages'];
};

/** The outbox with both platforms’ real senders, on fake platforms and a manual clock. */
export function createOutboxFixture(options: OutboxFixtureOptions = {}) {
  const hand = options.hand ?? createHandScheduler(START);
  const db = options.db ?? openMemoryDb();
  const lines: LogLine[] = [];
  const calls: HttpCall[] = [];
  const telegram = createFailingTelegram(hand);
  const discord = createFailingDiscord(hand);
  const ofTelegram = asFetch(telegram.answer);
  const ofDiscord = asFetch(discord.answer);
  const fetch: Fetch = (url, init) =>
    url.startsWith(TELEGRAM_URL) ? ofTelegram(url, init) : ofDiscord(url, init);
  const http = createHttpClient({
    clock: hand,
    schedule: hand.schedule,
    fetch,
    onCall: (call) => calls.push(call),
  });
  const { config } = loadConfig({
    BELLBIRD_TELEGRAM_TOKEN: TELEGRAM_TOKEN,
    BELLBIRD_TELEGRAM_URL: TELEGRAM_URL,
    BELLBIRD_DISCORD_TOKEN: DISCORD_TOKEN,
    BELLBIRD_DISCORD_URL: DISCORD_URL,
  });
  const core = { config, db, clock: hand, http, log: createLog((line) => lines.push(line)) };
  const telegramClient = createTelegram(appOf(core));
  const discordClient = createDiscord(appOf(core));
  if (!telegramClient || !discordClient) throw new Error('Both platforms have a token.');
  const senders = options.senders ?? [
    createTelegramSender(telegramClient),
    createDiscordSender(discordClient),
  ];
  const random = createRandom(options.seed ?? 1);
  const { messageOf = () => null, brokenMessages = () => [] } = options;
  const outbox = createOutbox(appOf({ ...core, schedule: hand.schedule }), {
    senders,
    messageOf,
    brokenMessages,
    random,
  });
  return { hand, db, lines, calls, telegram, discord, outbox, core };
}

export type OutboxFixture = ReturnType<typeof createOutboxFixture>;
