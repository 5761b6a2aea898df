import type { Core } from '#src/part.ts';
import type { Bot } from '../chatClients/bot.ts';
import type { Sender } from '../chatClients/sender.ts';
import { createTelegramBot, type TelegramBotNeeds } from './bot.ts';
import { createTelegram } from './client.ts';
import { createTelegramSender } from './sender.ts';

/** Telegram, where there is a token: what sends messages, and what makes the bot that answers them. */
export type TelegramConnection = {
  sender: Sender;
  createBot(needs: Omit<TelegramBotNeeds, 'telegram'>): Bot;
  /** The bot's name; null until Telegram has told it. */
  botName(): string | null;
};

/** Calls nobody by itself. @returns null without a token */
export function connectTelegram(core: Core): TelegramConnection | null {
  const telegram = createTelegram(core);
  if (telegram === null) return null;
  return {
    sender: createTelegramSender(telegram),
    createBot: (needs) => createTelegramBot(core, { telegram, ...needs }),
    botName: () => telegram.self?.username ?? null,
  };
}
