import { DiscordAPIError, type REST } from '@discordjs/rest';
import { Routes } from 'discord-api-types/v10';
import { isRecord } from '#lib/json.ts';
import { CallError, callOutcome, checkOf, platformWords } from '../chatClients/platformCall.ts';
import type { ChatTarget, Outgoing, Sender, SendOutcome } from '../chatClients/sender.ts';
import type { Discord } from './client.ts';
import { discordText } from './render.ts';

type DmChannels = {
  /** The channel's ID; null if it is not open yet. */
  known(userId: string): string | null;
  /** @returns the channel's ID @throws an error of the library, or CallError for an unknown answer */
  open(userId: string): Promise<string>;
  forget(userId: string): void;
};

/** A full cache is emptied. Channels are then requested again, and Discord returns the existing ones. */
const MAX_REMEMBERED = 10_000;
const MAX_TURN_MS = 25_000;

/** The library queues calls of one route. None may wait long. */
const patience = (): AbortSignal => AbortSignal.timeout(MAX_TURN_MS);

function createDmChannels(rest: REST): DmChannels {
  const byUser = new Map<string, string>();
  return {
    known: (userId) => byUser.get(userId) ?? null,
    async open(userId) {
      const channel = await rest.post(Routes.userChannels(), {
        body: { recipient_id: userId },
        signal: patience(),
      });
      const id = isRecord(channel) ? channel['id'] : null;
      // The ID becomes part of an address.
      if (typeof id !== 'string' || !/^\d{1,20}$/.test(id)) {
        throw new CallError('sent an answer in an unknown format', false);
      }
      if (byUser.size >= MAX_REMEMBERED) byUser.clear();
      byUser.set(userId, id);
      return id;
    },
    forget: (userId) => void byUser.delete(userId),
  };
}

/** Discord allows 50 a second. The rest is for answers to commands. */
const PER_SECOND = 40;
/** Discord's documentation says "a few minutes". */
const REMEMBERS_NONCE_MS = 120_000;

const NOT_ALLOWED =
  'On Discord, the bot can write only to people who share a server with it and allow messages from there.';
const UNKNOWN = 'This Discord chat no longer exists.';

/** Discord's codes for chats that accept no messages. */
const BROKEN_CHATS: Readonly<Record<number, string>> = {
  10003: UNKNOWN,
  10004: UNKNOWN,
  10013: 'This Discord user does not exist.',
  50001: NOT_ALLOWED,
  50007: NOT_ALLOWED,
  50009: NOT_ALLOWED,
  50013: 'The bot may not write in this Discord channel.',
  50033: 'This is not the ID of a Discord user.',
  50278: NOT_ALLOWED,
};
const NOT_A_USER_ID = 'This is not the ID of a Discord user.';
const NOT_A_CHANNEL_ID = 'This is not the ID of a Discord channel.';

const NO_ACCESS =
  'The bot cannot see this Discord channel. Add it to the server and let it view the channel.';
const BROKEN_CHANNELS: Readonly<Record<number, string>> = {
  ...BROKEN_CHATS,
  10003: 'This Discord channel does not exist, or was deleted.',
  10004: 'The Discord server of this channel does not exist.',
  50001: NO_ACCESS,
  50008: 'This Discord channel does not accept messages. Choose a text channel.',
};

/** Codes of rate limits with other statuses than 429. */
const WAIT_CODES: ReadonlySet<number | string> = new Set([20016, 20028, 40003, 40062]);
const WAIT_MS = 60_000;

function bucketOutcome({ buckets }: Discord, path: string): SendOutcome | null {
  const afterMs = buckets.waitMs(path);
  return afterMs === 0 ? null : { kind: 'later', afterMs, scope: 'chat', reason: 'asked to wait' };
}

function refusalOutcome({ status, code, message }: DiscordAPIError, target: ChatTarget): SendOutcome {
  if (status === 401) return { kind: 'botBroken', reason: 'rejects the bot’s token' };
  if (WAIT_CODES.has(code))
    return { kind: 'later', afterMs: WAIT_MS, scope: 'chat', reason: 'asked to wait' };
  const broken = (target === 'channel' ? BROKEN_CHANNELS : BROKEN_CHATS)[Number(code)];
  if (broken !== undefined) return { kind: 'chatBroken', reason: broken };
  if (Number(code) === 0) {
    // Only a proxy on the way to Discord answers without a code.
    return { kind: 'later', afterMs: null, scope: 'platform', reason: `answered with status ${status}` };
  }
  if (status === 403) {
    return { kind: 'chatBroken', reason: target === 'channel' ? NO_ACCESS : NOT_ALLOWED };
  }
  return { kind: 'refused', reason: `Discord refused this message: ${platformWords(message)}` };
}

export function failureOutcome(error: unknown, target: ChatTarget = 'chat'): SendOutcome {
  if (error instanceof DiscordAPIError) return refusalOutcome(error, target);
  return callOutcome(error);
}

/** Opens the channel between the bot and a user. That sends nothing, so no message arrives if it fails. */
async function openChannel(
  discord: Discord,
  channels: DmChannels,
  userId: string,
): Promise<string | SendOutcome> {
  const known = channels.known(userId);
  if (known !== null) return known;
  const limited = bucketOutcome(discord, Routes.userChannels());
  if (limited !== null) return limited;
  try {
    return await channels.open(userId);
  } catch (error) {
    const outcome = failureOutcome(error);
    if (outcome.kind === 'unknown') {
      return { kind: 'later', afterMs: null, scope: 'platform', reason: outcome.reason };
    }
    // Discord checks only the recipient here.
    return outcome.kind === 'refused' ? { kind: 'chatBroken', reason: NOT_A_USER_ID } : outcome;
  }
}

async function send(
  discord: Discord,
  channels: DmChannels,
  { target, chatId, message, nonce, mayRepeat }: Outgoing,
): Promise<SendOutcome> {
  const isChannel = target === 'channel';
  // The ID becomes part of an address.
  if (!/^\d{15,20}$/.test(chatId)) {
    return { kind: 'chatBroken', reason: isChannel ? NOT_A_CHANNEL_ID : NOT_A_USER_ID };
  }
  const channel = isChannel ? chatId : await openChannel(discord, channels, chatId);
  if (typeof channel !== 'string') return channel;
  const path = Routes.channelMessages(channel);
  const limited = bucketOutcome(discord, path);
  if (limited !== null) return limited;
  try {
    const body = { ...discordText(message, { mayRepeat }), nonce, enforce_nonce: true };
    const sent = await discord.rest.post(path, { body, signal: patience() });
    if (isRecord(sent) && typeof sent['id'] === 'string') return { kind: 'sent', messageId: sent['id'] };
    return { kind: 'unknown', reason: 'sent an answer in an unknown format' };
  } catch (error) {
    const outcome = failureOutcome(error, target);
    if (outcome.kind === 'chatBroken') channels.forget(chatId);
    return outcome;
  }
}

export function createDiscordSender(discord: Discord): Sender {
  const channels = createDmChannels(discord.rest);
  return {
    platform: 'discord',
    limits: { perSecond: PER_SECOND, chatGapMs: 0, chatPerMinute: () => null, namesScope: true },
    remembersNonceMs: REMEMBERS_NONCE_MS,
    send: (outgoing) => send(discord, channels, outgoing),
    check: () =>
      checkOf(
        () => discord.rest.get(Routes.user()),
        ({ id }) => typeof id === 'string',
        failureOutcome,
      ),
  };
}
