import type { About } from './about.ts';
import { createApp } from './app.ts';
import { createAccounts } from './features/accounts/index.ts';
import type { Passwords } from './features/accounts/passwords.ts';
import { createAlerts } from './features/alerts/index.ts';
import { createAppInfo } from './features/appInfo/index.ts';
import { createCalls } from './features/calls/index.ts';
import { createCallsSeeder } from './features/calls/seed.ts';
import { createChatCommands } from './features/chatCommands/index.ts';
import { createHealth } from './features/health/index.ts';
import { createIndicators, type IndicatorsNeeds } from './features/indicators/index.ts';
import { createIngest } from './features/ingest/index.ts';
import { createLinkedChats } from './features/linkedChats/index.ts';
import { createSettings } from './features/settings/index.ts';
import { createTestMode } from './features/testMode/index.ts';
import { createWatchlist } from './features/watchlist/index.ts';
import { createAuth } from './http/auth.ts';
import type { Connections } from './http/connections.ts';
import { createRequestLog } from './http/requestLog.ts';
import { createValues, type ValuesNeeds } from './market/indicators/values.ts';
import { createMeta } from './market/meta.ts';
import { createMarketPart } from './market/observed.ts';
import { createPreOpenMemory } from './market/preOpenMemory.ts';
import { createSessionMemory } from './market/sessionMemory.ts';
import { createTick } from './market/tick.ts';
import { createDiscord } from './outbound/discord/client.ts';
import { createDiscordSender } from './outbound/discord/sender.ts';
import { createOutbox } from './outbound/outbox/index.ts';
import { createTelegramBot } from './outbound/telegram/bot.ts';
import { createTelegram } from './outbound/telegram/client.ts';
import { createTelegramSender } from './outbound/telegram/sender.ts';
import type { Core, Part } from './part.ts';
import { createFeed } from './sources/quotes/feed.ts';
import { createMarketStream } from './stream/market/index.ts';

/** What only the running process knows or does. */
export type Runtime = Connections & {
  about: About;
  /** Signs the tokens of sessions. */
  jwtSecret: string;
  /** URL-safe random text of 128 bits or more. */
  randomToken(): string;
  passwords: Passwords;
  /** How often the alert stream pings; for tests. */
  alertPingMs?: number;
} & Pick<IndicatorsNeeds, 'metainfo'> &
  Pick<ValuesNeeds, 'later' | 'schedule'>;

/** The chat platforms that have a token, and the queue of messages to them. */
function createOutgoing(core: Core) {
  const platforms = { telegram: createTelegram(core), discord: createDiscord(core) };
  const { telegram, discord } = platforms;
  const senders = [telegram && createTelegramSender(telegram), discord && createDiscordSender(discord)];
  return { platforms, outbox: createOutbox(core, { senders: senders.filter((sender) => sender !== null) }) };
}

/** Every part, each after those that it needs. */
function createParts(core: Core, runtime: Runtime) {
  const { about, jwtSecret, randomToken, passwords, clientAddress, keepOpen, cutOff } = runtime;
  const auth = createAuth(core, { jwtSecret });
  const requestLog = createRequestLog(core);
  const marketPart = createMarketPart(core);
  const market = marketPart.service;
  const meta = createMeta(core, { market });

  const indicators = createIndicators(core, { auth, metainfo: runtime.metainfo });
  const { demand, catalog } = indicators.service;
  const families = () => catalog.current().indicators;
  const values = createValues(core, {
    market,
    demand,
    families,
    later: runtime.later,
    schedule: runtime.schedule,
  });
  const memory = createPreOpenMemory(core, { market });
  const lastSession = createSessionMemory(core, { market });
  const feed = createFeed(core, { sink: market });
  const ingest = createIngest(core, { auth, sink: market });
  const tick = createTick(core, { market });
  const stream = createMarketStream(core, { auth, market, meta, keepOpen, cutOff, clientAddress });

  const accounts = createAccounts(core, { auth, passwords, randomToken, jwtSecret, clientAddress });
  const settings = createSettings(core, { auth, indicators: indicators.service });
  const calls = createCalls(core, { auth, market, randomToken });
  const watchlist = createWatchlist(core, { auth, market });
  const { platforms, outbox } = createOutgoing(core);
  const linkedChats = createLinkedChats(core, {
    auth,
    randomToken,
    outbox: outbox.service,
    botNames: () => ({ telegram: telegramBot.service.username() }),
  });
  const alerts = createAlerts(core, {
    ...{ auth, market, keepOpen, cutOff, clientAddress },
    indicators: indicators.service,
    watchlist: watchlist.service,
    outbox: outbox.service,
    past: values.service,
    chatsOf: linkedChats.service.confirmed,
    streamPingMs: runtime.alertPingMs,
  });
  const chatCommands = createChatCommands(core, {
    market,
    catalog,
    linkedChats: linkedChats.service,
    alerts: alerts.service,
    watchlist: watchlist.service,
  });
  const { handle } = chatCommands.service;
  const telegramBot = createTelegramBot(core, { telegram: platforms.telegram, handle });
  const demoNeeds = { accounts: accounts.service, calls: calls.service, market, randomToken };
  const seeders = [createCallsSeeder(core, demoNeeds)];
  const testMode = createTestMode(core, { auth, accounts: accounts.service, seeders });
  const appInfo = createAppInfo(core, { auth, about });
  const health = createHealth(core, { auth, about });
  return {
    accounts,
    alerts,
    appInfo,
    calls,
    chatCommands,
    feed,
    health,
    indicators,
    ingest,
    lastSession,
    linkedChats,
    market: marketPart,
    memory,
    outbox,
    requestLog,
    settings,
    stream,
    telegramBot,
    testMode,
    tick,
    values,
    watchlist,
  } satisfies Record<string, Part>;
}

/**
 * Makes the whole server out of its parts; nothing runs yet. The server, the tests and the benches all use this.
 *
 * @returns the routes as one application, the parts by name, and those that run in the order of their start; they stop
 *   in the reverse order
 */
export function compose(core: Core, runtime: Runtime) {
  const parts = createParts(core, runtime);
  const { accounts, alerts, calls, feed, indicators, lastSession, memory } = parts;
  const { outbox, requestLog, stream, telegramBot, tick, values } = parts;
  // Without a token a bot has nothing to start.
  const bots = [telegramBot].filter((bot: Part) => bot.start);
  // People first: a change is on its way to them before anything else is done with it.
  for (const { onChanges } of [stream, memory, lastSession, calls, alerts]) tick.service.listen(onChanges);
  // What an earlier run left is there before the first price.
  const restored = [accounts, memory, calls, indicators, values, lastSession, alerts];
  const startOrder: readonly Part[] = [requestLog, ...restored, feed, tick, stream, outbox, ...bots];
  return { app: createApp(core, parts), parts, startOrder };
}

export type Composition = ReturnType<typeof compose>;
