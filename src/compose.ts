import type { About } from './about.ts';
import { createApp } from './app.ts';
import { createCheckpoints } from './db/checkpoints.ts';
import { createAccounts } from './features/accounts/index.ts';
import type { Passwords } from './features/accounts/passwords.ts';
import { createAlerts } from './features/alerts/index.ts';
import { createAnnouncements } from './features/announcements/index.ts';
import { createAudit } from './features/audit/index.ts';
import { createBlindSpots } from './features/alerts/blindSpots/index.ts';
import { createAlertsSeeder } from './features/alerts/seed.ts';
import { createApiDocs } from './features/apiDocs/index.ts';
import { createAppInfo } from './features/appInfo/index.ts';
import { createCalendar } from './features/calendar/index.ts';
import { createCalls } from './features/calls/index.ts';
import { createCallsSeeder } from './features/calls/seed.ts';
import { createChatCommands } from './features/chatCommands/index.ts';
import { createHealth } from './features/health/index.ts';
import { createIndicators, type IndicatorsNeeds } from './features/indicators/index.ts';
import { createIngest } from './features/ingest/index.ts';
import { createLinkedChats } from './features/linkedChats/index.ts';
import { createModelUse } from './features/modelUse/index.ts';
import { createQuestions } from './features/questions/index.ts';
import { createSettings } from './features/settings/index.ts';
import { createSummaries } from './features/summaries/index.ts';
import { createTestMode } from './features/testMode/index.ts';
import { createWatchlist } from './features/watchlist/index.ts';
import { createAuth } from './http/auth.ts';
import type { Connections } from './http/connections.ts';
import type { ProcessControl } from './install/processControl.ts';
import { createRequestLog } from './http/requestLog.ts';
import { createValues, type ValuesNeeds } from './market/indicators/values.ts';
import { createMeta } from './market/meta.ts';
import { createMarketPart } from './market/observed.ts';
import { createPreOpenMemory } from './market/preOpenMemory.ts';
import { createSessionMemory } from './market/sessionMemory.ts';
import { createTick } from './market/tick.ts';
import { createModel } from './outbound/ai/index.ts';
import { createDiscordBot } from './outbound/discord/bot.ts';
import { createDiscord } from './outbound/discord/client.ts';
import { createDiscordSender } from './outbound/discord/sender.ts';
import { createOutbox } from './outbound/outbox/index.ts';
import { createTelegramBot } from './outbound/telegram/bot.ts';
import { createTelegram } from './outbound/telegram/client.ts';
import { createTelegramSender } from './outbound/telegram/sender.ts';
import type { Core, Part } from './part.ts';
import { chooseAnnouncements } from './sources/announcements/choose.ts';
import { chooseCalendar } from './sources/calendar/choose.ts';
import type { CalendarSource } from './sources/calendar/source.ts';
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
  control: ProcessControl;
  /** How often the alert stream pings; for tests. */
  alertPingMs?: number;
  /** Instead of the calendar that the configuration names; for tests. */
  calendar?: CalendarSource;
} & Pick<IndicatorsNeeds, 'metainfo'> &
  Pick<ValuesNeeds, 'later' | 'schedule'>;

type Routed = { auth: ReturnType<typeof createAuth> };
type CallsPart = { calls: ReturnType<typeof createCalls> };
type WithCalendar = { calendar: ReturnType<typeof createCalendar> };

/** The Market with what brings prices into it, works them out, remembers them and sends them to browsers. */
function createMarketParts(core: Core, runtime: Runtime, { auth, calendar }: Routed & WithCalendar) {
  const { clientAddress, keepOpen, cutOff } = runtime;
  const marketPart = createMarketPart(core);
  const market = marketPart.service;
  const announcements = createAnnouncements(core, { auth, market, source: chooseAnnouncements(core) });
  const meta = createMeta(core, {
    market,
    announcements: announcements.service.info,
    calendar: calendar.service.info,
  });
  const indicators = createIndicators(core, { auth, metainfo: runtime.metainfo });
  const { demand, catalog } = indicators.service;
  const families = () => catalog.current().indicators;
  return {
    market: marketPart,
    announcements,
    indicators,
    values: createValues(core, {
      market,
      demand,
      families,
      later: runtime.later,
      schedule: runtime.schedule,
    }),
    memory: createPreOpenMemory(core, { market }),
    lastSession: createSessionMemory(core, { market }),
    feed: createFeed(core, { sink: market }),
    ingest: createIngest(core, { auth, sink: market }),
    tick: createTick(core, { market }),
    stream: createMarketStream(core, {
      ...{ auth, market, meta, keepOpen, cutOff, clientAddress },
      calendar: calendar.service,
    }),
  } satisfies Record<string, Part>;
}

/** The chat platforms that have a token, and the queue of messages to them. */
function createOutgoing(core: Core) {
  const platforms = { telegram: createTelegram(core), discord: createDiscord(core) };
  const { telegram, discord } = platforms;
  const senders = [telegram && createTelegramSender(telegram), discord && createDiscordSender(discord)];
  return { platforms, outbox: createOutbox(core, { senders: senders.filter((sender) => sender !== null) }) };
}

/** What a model is asked for, where one is configured. */
function createModelParts(
  core: Core,
  { keepOpen, randomToken }: Runtime,
  needs: Routed & WithCalendar & CallsPart & ReturnType<typeof createMarketParts>,
) {
  const { auth, calls, calendar, announcements } = needs;
  const market = needs.market.service;
  const model = createModel(core);
  const modelUse = createModelUse(core);
  const summaries = createSummaries(core, {
    ...{ auth, market, model, randomToken },
    announcements: announcements.service,
    modelUse: modelUse.service,
  });
  const questions = createQuestions(core, {
    ...{ auth, market, keepOpen, model },
    calls: calls.service,
    announcements: announcements.service,
    calendar: calendar.service,
    modelUse: modelUse.service,
  });
  return { modelUse, questions, summaries } satisfies Record<string, Part>;
}

/** Watchlists and alerts, the chats that they are sent to, and the bots that are talked to there. */
function createAlertParts(
  core: Core,
  runtime: Runtime,
  {
    auth,
    market,
    indicators,
    values,
    questions,
  }: Routed & ReturnType<typeof createMarketParts> & Pick<ReturnType<typeof createModelParts>, 'questions'>,
) {
  const { randomToken, clientAddress, keepOpen, cutOff } = runtime;
  const { platforms, outbox } = createOutgoing(core);
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
    chatsOf: linkedChats.service.confirmed,
    streamPingMs: runtime.alertPingMs,
  });
  const blindSpots = createBlindSpots(core, { outbox: outbox.service });
  const chatCommands = createChatCommands(core, {
    market: market.service,
    catalog: indicators.service.catalog,
    linkedChats: linkedChats.service,
    alerts: alerts.service,
    watchlist: watchlist.service,
    questions: questions.service,
  });
  const { handle } = chatCommands.service;
  const telegramBot = createTelegramBot(core, { telegram: platforms.telegram, handle });
  const discordBot = createDiscordBot(core, { discord: platforms.discord, handle });
  return {
    watchlist,
    outbox,
    linkedChats,
    alerts,
    blindSpots,
    chatCommands,
    telegramBot,
    discordBot,
  } satisfies Record<string, Part>;
}

/** Every part, each after those that it needs. */
function createParts(core: Core, runtime: Runtime) {
  const { about, jwtSecret, randomToken, passwords, clientAddress } = runtime;
  const auth = createAuth(core, { jwtSecret });
  const requestLog = createRequestLog(core);
  const audit = createAudit(core);
  const calendar = createCalendar(core, {
    auth,
    source: runtime.calendar ?? chooseCalendar(core),
    // Made below: what the calendar needs of them is asked for once all parts run.
    outbox: {
      add: (messages) => alertParts.outbox.service.add(messages),
      wake: () => alertParts.outbox.service.wake(),
    },
    chatsOf: (userId) => alertParts.linkedChats.service.confirmed(userId),
  });
  const marketParts = createMarketParts(core, runtime, { auth, calendar });
  const market = marketParts.market.service;
  const accounts = createAccounts(core, { auth, passwords, randomToken, jwtSecret, clientAddress });
  const settings = createSettings(core, { auth, indicators: marketParts.indicators.service });
  const calls = createCalls(core, { auth, market, randomToken });
  const modelParts = createModelParts(core, runtime, { auth, calls, calendar, ...marketParts });
  const alertParts = createAlertParts(core, runtime, { auth, ...marketParts, ...modelParts });

  const demoNeeds = { accounts: accounts.service, calls: calls.service, market, randomToken };
  const { alerts, watchlist } = alertParts;
  const seeders = [
    createCallsSeeder(core, demoNeeds),
    createAlertsSeeder({ market, alerts: alerts.service, watchlist: watchlist.service }),
  ];
  const testMode = createTestMode(core, { auth, accounts: accounts.service, seeders });
  const appInfo = createAppInfo(core, { auth, about });
  const apiDocs = createApiDocs({ auth, about });
  const health = createHealth(core, { auth, about });
  const checkpoints = createCheckpoints(core);
  return {
    ...marketParts,
    ...modelParts,
    ...alertParts,
    ...{
      accounts,
      apiDocs,
      appInfo,
      audit,
      calendar,
      calls,
      checkpoints,
      health,
      requestLog,
      settings,
      testMode,
    },
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
  const { accounts, alerts, announcements, blindSpots, calendar, calls, indicators, lastSession } = parts;
  const { memory, values } = parts;
  // People first: a change is on its way to them before anything else is done with it.
  for (const { onChanges } of [parts.stream, memory, lastSession, calls, alerts, calendar]) {
    parts.tick.service.listen(onChanges);
  }
  // What an earlier run left is there before the first price.
  const restored = [
    ...[accounts, memory, calls, indicators, values, lastSession],
    ...[announcements, alerts, blindSpots, calendar],
  ];
  // Without a token a bot has nothing to start.
  const bots = [parts.telegramBot, parts.discordBot].filter((bot: Part) => bot.start);
  const startOrder: readonly Part[] = [
    ...[parts.requestLog, parts.checkpoints],
    ...restored,
    ...[parts.feed, parts.tick, parts.stream, parts.outbox, parts.summaries],
    ...[...bots, parts.questions],
  ];
  return { app: createApp(core, parts), parts, startOrder };
}

export type Composition = ReturnType<typeof compose>;
