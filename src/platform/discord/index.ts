import type { Result } from '#lib/result.ts';
import type { Core } from '#src/part.ts';
import type { Bot } from '../chatClients/bot.ts';
import type { ChannelMessage } from '../chatClients/channelMessage.ts';
import type { Sender } from '../chatClients/sender.ts';
import { createDiscordBot, type DiscordBotNeeds } from './bot.ts';
import { readChannel } from './channelHistory.ts';
import { createDiscord } from './client.ts';
import { createDiscordSender } from './sender.ts';

/** Discord, where there is a token: what sends messages, what makes the bot that answers them, and a channel's past. */
export type DiscordConnection = {
  sender: Sender;
  createBot(needs: Omit<DiscordBotNeeds, 'discord'>): Bot;
  /** The bot's name; null until Discord has told it. */
  botName(): string | null;
  /** The newest messages of a channel, newest first, 1 to 100 of them; or a sentence saying why there are none. */
  readChannel(channelId: string, limit: number): Promise<Result<ChannelMessage[], string>>;
};

/** Calls nobody by itself. @returns null without a token */
export function connectDiscord(core: Core): DiscordConnection | null {
  const discord = createDiscord(core);
  if (discord === null) return null;
  return {
    sender: createDiscordSender(discord),
    createBot: (needs) => createDiscordBot(core, { discord, ...needs }),
    botName: () => discord.botName,
    readChannel: (channelId, limit) => readChannel(discord, channelId, limit),
  };
}
