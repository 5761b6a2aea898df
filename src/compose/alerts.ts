import { createAlertTriggers } from '../subjects/alerts/server/triggers/index.ts';
import { createAlerts } from '../subjects/alerts/server/index.ts';
import { createBlindSpots } from '../subjects/alerts/server/blindSpots/index.ts';
import { createShortage } from '../subjects/alerts/server/shortage/index.ts';
import { createChannels } from '../admin/channels/server/index.ts';
import { createChatCommands } from '../subjects/chats/server/chatCommands/index.ts';
import { createLinkedChats } from '../subjects/chats/server/linkedChats/index.ts';
import { createScanAlerts } from '../subjects/alerts/server/scanAlerts/index.ts';
import { createWatchlist } from '../subjects/alerts/server/watchlist/index.ts';
import { idleBot } from '../platform/chatClients/bot.ts';
import { createOutbox } from '../platform/outbox/index.ts';
import type { MessageMaker } from '../platform/outbox/message.ts';
import type { PlatformConnectors } from '../platform/chatClients/platforms.ts';
import type { Core, Part } from '../part.ts';
import type { MarketParts } from './market.ts';
import type { ModelParts } from './model.ts';
import type { AccountsPart, CallsPart, Routed, Runtime, WithAudit, WithReads } from './runtime.ts';

/** The chat platforms that have a token, and the queue of messages to them. */
function createOutgoing(core: Core, connectors: PlatformConnectors, messageOf: MessageMaker) {
  const telegram = connectors.telegram?.(core) ?? null;
  const discord = connectors.discord?.(core) ?? null;
  const senders = [telegram, discord].flatMap((platform) => platform?.sender ?? []);
  return { telegram, discord, outbox: createOutbox(core, { senders, messageOf }) };
}

/** Watchlists and alerts, the chats that they are sent to, and the bots that are talked to there. */
export function createAlertParts(
  core: Core,
  runtime: Runtime,
  {
    auth,
    market,
    indicators,
    values,
    questions,
    accounts,
    audit,
    calls,
    reads,
  }: Routed & WithAudit & WithReads & CallsPart & MarketParts & Pick<ModelParts, 'questions'> & AccountsPart,
) {
  const { randomToken, clientAddress, keepOpen, cutOff } = runtime;
  const { telegram, discord, outbox } = createOutgoing(core, runtime.platforms, (userId, triggerId, note) =>
    alerts.service.messageOf(userId, triggerId, note),
  );
  const watchlist = createWatchlist(core, { auth, market: market.service });
  const linkedChats = createLinkedChats(core, {
    auth,
    randomToken,
    outbox: outbox.service,
    botNames: () => ({ telegram: telegramBot.service.username(), discord: discordBot.service.username() }),
  });
  const alerts = createAlerts(core, {
    ...{ auth, keepOpen, cutOff, clientAddress },
    market: market.service,
    indicators: indicators.service,
    watchlist: watchlist.service,
    outbox: outbox.service,
    past: values.service,
    reads,
    chatsOf: linkedChats.service.confirmed,
    scanTriggers: {
      newest: () => scanAlerts.service.scanTriggerHistory.newest(),
      missed: (userId, options) => scanAlerts.service.scanTriggerHistory.missed(userId, options),
    },
    accountOf: accounts.service.stateOf,
    streamPingMs: runtime.alertPingMs,
  });
  const scanAlerts = createScanAlerts(core, {
    auth,
    market: market.service,
    indicators: indicators.service,
    watchlist: watchlist.service,
    outbox: outbox.service,
    chatsOf: linkedChats.service.confirmed,
    levelOf: (userId) => accounts.service.stateOf(userId)?.accessLevel ?? 1,
    notifier: alerts.service.notifier,
    rehearseScan: alerts.service.rehearseScan,
  });
  const alertTriggers = createAlertTriggers({
    auth,
    alerts: alerts.service,
    scanAlerts: scanAlerts.service,
  });
  const blindSpots = createBlindSpots(core, { outbox: outbox.service });
  const shortage = createShortage(core, {
    indicators: indicators.service,
    chatsOf: linkedChats.service.confirmed,
    outbox: outbox.service,
  });
  const chatCommands = createChatCommands(core, {
    market: market.service,
    catalog: indicators.service.catalog,
    linkedChats: linkedChats.service,
    alerts: alerts.service,
    scanAlerts: scanAlerts.service,
    watchlist: watchlist.service,
    questions: questions.service,
  });
  const channels = createChannels(core, {
    auth,
    market: market.service,
    audit: audit.service,
    calls: calls.service,
    outbox: outbox.service,
    readDiscord: discord && discord.readChannel,
    botName: (platform) =>
      platform === 'telegram' ? telegramBot.service.username() : discordBot.service.username(),
  });
  const { handle } = chatCommands.service;
  const { heard } = channels.service;
  const telegramBot = telegram?.createBot({ handle, heard }) ?? idleBot('telegramBot', 'Telegram bot');
  const discordBot = discord?.createBot({ handle }) ?? idleBot('discordBot', 'Discord bot');
  return {
    watchlist,
    outbox,
    linkedChats,
    alerts,
    scanAlerts,
    alertTriggers,
    blindSpots,
    shortage,
    channels,
    chatCommands,
    telegramBot,
    discordBot,
  } satisfies Record<string, Part>;
}

export type AlertParts = ReturnType<typeof createAlertParts>;
