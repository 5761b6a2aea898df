import { type Result, failed, ok } from '#lib/result.ts';
import type { App } from '#platform/app.ts';
import type { Bot } from '../chatClients/bot.ts';
import {
  type ChannelMessage,
  type ChatHandler,
  MAX_ATTACHMENTS,
  MAX_CONTENT,
  MAX_NAME,
} from '../chatClients/received.ts';
import type { Sender } from '../chatClients/sender.ts';
import { createDiscordBot } from './bot.ts';
import { createDiscord, type Discord } from './client.ts';
import { createDiscordSender, failureOutcome } from './sender.ts';
import { Routes } from 'discord-api-types/v10';
import { plainLine } from '#texts/plainText.ts';
import { isRecord, type JsonRecord } from '#lib/json.ts';
import { readList, readRecord, readText, readTime } from '#lib/read.ts';

const PATIENCE_MS = 15_000;

const line = (value: unknown): string | null => plainLine(readText(value) ?? '', MAX_NAME) || null;

function readAttachment(value: unknown): ChannelMessage['attachments'][number] | null {
  if (!isRecord(value)) return null;
  const url = readText(value['url']);
  return {
    id: line(value['id']) ?? '',
    name: line(value['filename']) ?? 'File',
    contentType: line(value['content_type']),
    url: url?.startsWith('https://') ? url : null,
  };
}

function readMessage(value: unknown): ChannelMessage | null {
  const message: JsonRecord = readRecord(value);
  const messageId = line(message['id']);
  const timestamp = readTime(message['timestamp']);
  if (messageId === null || timestamp === null) return null;
  const author = readRecord(message['author']);
  return {
    messageId,
    timestamp,
    author: {
      id: line(author['id']) ?? '',
      displayName: line(author['global_name']) ?? line(author['username']),
      username: line(author['username']),
    },
    content: (readText(message['content']) ?? '').slice(0, MAX_CONTENT),
    attachments: readList(message['attachments'], readAttachment).slice(0, MAX_ATTACHMENTS),
  };
}

async function readChannel(
  discord: Discord,
  channelId: string,
  limit: number,
): Promise<Result<ChannelMessage[], string>> {
  // The ID becomes part of an address.
  if (!/^\d{1,20}$/.test(channelId)) return failed('This is not the ID of a Discord channel.');
  try {
    const query = new URLSearchParams({ limit: String(limit) });
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await discord.rest.get(Routes.channelMessages(channelId), { query, signal });
    if (!Array.isArray(answer)) return failed('Discord sent an answer in an unknown format.');
    return ok(readList(answer, readMessage).slice(0, limit));
  } catch (error) {
    const outcome = failureOutcome(error, 'channel');
    if (outcome.kind === 'chatBroken' || outcome.kind === 'refused') return failed(outcome.reason);
    return failed('reason' in outcome ? `Discord ${outcome.reason}.` : 'Discord did not answer.');
  }
}

export type DiscordConnection = {
  sender: Sender;
  createBot(handle: ChatHandler): Bot;
  botName(): string | null;
  /** The newest messages of a channel, newest first, 1 to 100 of them, or a sentence saying why there are none. */
  readChannel(channelId: string, limit: number): Promise<Result<ChannelMessage[], string>>;
};

/** Makes no request yet. @returns null without a token */
export function connectDiscord(app: App): DiscordConnection | null {
  const discord = createDiscord(app);
  if (discord === null) return null;
  return {
    sender: createDiscordSender(discord),
    createBot: (handle) => createDiscordBot(app, discord, handle),
    botName: () => discord.botName,
    readChannel: (channelId, limit) => readChannel(discord, channelId, limit),
  };
}
