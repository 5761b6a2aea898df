import { createChannels } from '../admin/channels/server/index.ts';
import { createChatCommands } from '../subjects/chats/server/chatCommands/index.ts';
import { createNoticeActions } from '../subjects/alerts/server/noticeActions.ts';
import { idleBot } from '../platform/chatClients/bot.ts';
import type { Core, Part } from '../part.ts';
import type { AlertParts } from './alerts.ts';
import type { CallsPart, MarketParts } from './market.ts';
import type { Messaging } from './messages.ts';
import type { ModelParts } from './model.ts';
import type { People } from './people.ts';
import type { Runtime } from './runtime.ts';

/** The bots that are talked to in chats, and the channels that they write to. */
export function createBotParts(
  core: Core,
  { telegram, discord, botNames, noticeTokens }: Messaging['platforms'],
  { clientAddress }: Pick<Runtime, 'clientAddress'>,
  made: People & Messaging & MarketParts & AlertParts & CallsPart & ModelParts,
) {
  const market = made.market.service;
  const chatCommands = createChatCommands(core, {
    market,
    catalog: made.indicators.service.catalog,
    linkedChats: made.linkedChats.service,
    alerts: made.alerts.service,
    scanAlerts: made.scanAlerts.service,
    watchlist: made.watchlist.service,
    questions: made.questions.service,
  });
  const channels = createChannels(core, {
    auth: made.access.auth,
    market,
    audit: made.audit.service,
    calls: made.calls.service,
    outbox: made.outbox.service,
    readDiscord: discord && discord.readChannel,
    botName: (platform) => botNames()[platform],
  });
  const { handle } = chatCommands.service;
  const { heard } = channels.service;
  return {
    channels,
    chatCommands,
    noticeActions: createNoticeActions(core, {
      ...{ auth: made.access.auth, clientAddress, tokens: noticeTokens },
      devices: made.devices.service,
      alerts: made.alerts.service,
      scanAlerts: made.scanAlerts.service,
    }),
    telegramBot: telegram?.createBot({ handle, heard }) ?? idleBot('telegramBot', 'Telegram bot'),
    discordBot: discord?.createBot({ handle }) ?? idleBot('discordBot', 'Discord bot'),
  } satisfies Record<string, Part>;
}
