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
  const { auth } = made.access;
  const market = made.market.service;
  const alerts = made.alerts.service;
  const scanAlerts = made.scanAlerts.service;
  const devices = made.devices.service;
  const chatCommands = createChatCommands(core, {
    market,
    alerts,
    scanAlerts,
    catalog: made.indicators.service.catalog,
    linkedChats: made.linkedChats.service,
    watchlist: made.watchlist.service,
    questions: made.questions.service,
  });
  const channels = createChannels(core, {
    auth,
    market,
    devices,
    audit: made.audit.service,
    calls: made.calls.service,
    outbox: made.outbox.service,
    readDiscord: discord && discord.readChannel,
    botName: (platform) => botNames()[platform],
  });
  const { handle } = chatCommands.service;
  const { heard } = channels.service;
  const { membership } = made.linkedChats.service;
  const moved = (from: string, to: string): void => made.outbox.service.moveChat('telegram', from, to);
  const pressed = { auth, clientAddress, tokens: noticeTokens };
  return {
    channels,
    chatCommands,
    noticeActions: createNoticeActions(core, { ...pressed, alerts, scanAlerts, devices }),
    telegramBot:
      telegram?.createBot({ handle, heard, membership, moved }) ?? idleBot('telegramBot', 'Telegram bot'),
    discordBot: discord?.createBot({ handle }) ?? idleBot('discordBot', 'Discord bot'),
  } satisfies Record<string, Part>;
}
