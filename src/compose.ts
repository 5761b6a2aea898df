import { sourceEdges } from './compose/sourceEdges.ts';
import { createApiDocs } from './apiDocs/index.ts';
import { type AnyElysia, Elysia } from 'elysia';
import { errors } from './platform/http/errors.ts';
import { routesPlugin } from './platform/http/routes.ts';
import { createAlertParts, type AlertParts } from './compose/alerts.ts';
import {
  createAdministration,
  createNightWork,
  createRecordingParts,
  createTestModePart,
} from './compose/administration.ts';
import { createMarketParts, type CalendarPart, type MarketParts, type CallsPart } from './compose/market.ts';
import { createMessaging, type Messaging } from './compose/messages.ts';
import { createMetricsPart } from './compose/metrics.ts';
import { createModelParts, type ModelParts } from './compose/model.ts';
import { createNoticesPart } from './compose/notices.ts';
import { createPeople, createRequestParts, type RequestParts, type People } from './compose/people.ts';
import { createRelayPart } from './compose/relays.ts';
import { redactorOf, type Runtime } from './compose/runtime.ts';
import { createWatchers } from './compose/watchers.ts';
import { createInternalState } from './admin/inspector/server/index.ts';
import { lazy } from './lib/lazy.ts';
import type { App, Part } from '#platform/app.ts';
import type { Auth } from './platform/http/auth.ts';
import { createCheckpoints } from './platform/db/checkpoints.ts';
import { chooseCalendar } from './sources/calendar/choose.ts';
import { createCalendar } from './subjects/calendar/server/index.ts';
import { createCalls } from './subjects/calls/server/index.ts';
import { createRelayRoutes } from './subjects/relays/server/index.ts';
import { createCalendarMemory } from './subjects/calendar/server/memory/index.ts';
import type { Trial } from './platform/install/shared/processControl.ts';
import type { Log } from './lib/log.ts';
import { callInFile } from './subjects/calls/rules/callSummary.ts';
import { createTransfer } from './subjects/transfer/server/index.ts';
import { preferencesKind } from './subjects/transfer/server/preferences.ts';
import { createChannels } from './admin/channels/server/index.ts';
import { createChatCommands } from './subjects/chats/server/chatCommands/index.ts';
import { createNoticeActions } from './subjects/alerts/server/noticeActions.ts';
import { idleBot } from './platform/chatClients/bot.ts';

/** The bots that are talked to in chats, and the channels that they write to. */
function createBotParts(
  app: App,
  { telegram, discord, botNames, noticeTokens }: Messaging['platforms'],
  made: People & Messaging & MarketParts & AlertParts & CallsPart & ModelParts,
) {
  const market = made.market.service;
  const alerts = made.alerts.service;
  const { scanAlerts } = alerts;
  const devices = made.devices.service;
  const chatCommands = createChatCommands(app, {
    market,
    alerts,
    scanAlerts,
    catalog: made.indicators.service.catalog,
    linkedChats: made.linkedChats.service,
    watchlist: made.watchlist.service,
    questions: made.questions.service,
  });
  const channels = createChannels(app, {
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
  return {
    channels,
    chatCommands,
    noticeActions: createNoticeActions(app, { tokens: noticeTokens, alerts, scanAlerts, devices }),
    telegramBot:
      telegram?.createBot({ handle, heard, membership, moved }) ?? idleBot('telegramBot', 'Telegram bot'),
    discordBot: discord?.createBot({ handle }) ?? idleBot('discordBot', 'Discord bot'),
  } satisfies Record<string, Part>;
}

type Made = RequestParts &
  Messaging &
  MarketParts &
  People &
  AlertParts & { calls: ReturnType<typeof createCalls> };

/** A person's set-up as one file: what each subject gives and takes of it. */
function createTransferPart(app: App, made: Made) {
  const { access, alerts, alertAttention, calls, devices, indicators, quietHours } = made;
  const { settings, watchlist } = made;
  return createTransfer(app, {
    ...access,
    kinds: {
      columns: settings.service.transfer,
      ...indicators.service.transfer,
      watchlists: watchlist.service.transfer,
      alerts: alerts.service.transfer,
      scanAlerts: alerts.service.scanAlerts.transfer,
      preferences: preferencesKind({
        quoteSite: settings.service.quotePreference,
        weeklyReview: alertAttention.service.transferPreference,
        adminMessages: devices.service.transferPreference,
      }),
      quietHours: quietHours.service.transfer,
    },
    callsOf: (id) => calls.service.mine({ id }).map(callInFile),
    told: alerts.service.notifier.setUpChanged,
  });
}

/**
 * A part that tells the outside world of what it has written, as bots and the outbox do: while a new version is on
 * trial whose database may be replaced by the old one, it starts when that is over. What waits for it waits where it is.
 *
 * @returns the part as it is where nothing is held
 */
export function startAfterTrial(trial: Trial | undefined, log: Log, part: Part): Part {
  if (!trial?.holdsChanges()) return part;
  let isStopped = false;
  const start = async (): Promise<void> => {
    try {
      if (!isStopped) await part.start?.();
    } catch (error) {
      log.error('A part did not start after the trial of an update', { part: part.name, error });
    }
  };
  return {
    name: part.name,
    start: () => trial.whenChangesOpen(() => void start()),
    stop: () => {
      isStopped = true;
      return part.stop?.();
    },
  };
}

/** What the calendar remembers: it looks at the market, which itself tells of the calendar. */
const createMemoryParts = (
  app: App,
  { access: { reads }, calendar, market, values }: RequestParts & CalendarPart & MarketParts,
) =>
  ({
    calendarMemory: createCalendarMemory(app, {
      reads,
      calendar: calendar.service,
      market: market.service,
      past: values.service,
    }),
  }) satisfies Record<string, Part>;

/** What the subjects are made of, each after those that it needs. */
function createSubjects(app: App, runtime: Runtime) {
  const requests = createRequestParts(app, runtime);
  const { audit } = requests;
  const messaging = createMessaging(app, runtime);
  const calendar = createCalendar(app, {
    source: runtime.calendar ?? chooseCalendar(app, sourceEdges(app)),
    outbox: messaging.outbox.service,
    chatsOf: messaging.platforms.placesOf,
  });
  const marketParts = createMarketParts(app, runtime, { ...requests, calendar });
  const { market, values, indicators } = marketParts;
  const people = createPeople(app, runtime, { ...requests, indicators });
  const { accounts } = people;
  const before = { ...requests, ...messaging, ...marketParts, ...people, calendar };
  const alertParts = createAlertParts(app, runtime, before);
  const { notifier } = alertParts.alerts.service;
  const calls = createCalls(app, {
    market: market.service,
    notifier: () => notifier,
    audit: audit.service,
    past: values.service,
    adjustments: values.service.adjustments,
    reads: requests.longReads.service,
  });
  accounts.service.listen({ accountChanged: indicators.service.planChanged });
  accounts.service.listen(notifier);
  accounts.service.listen(messaging.devices.service);
  const { service: alerts } = alertParts.alerts;
  for (const service of [alerts, alerts.scanAlerts, indicators.service, calls.service]) {
    accounts.service.onDeletion(service.leaving);
  }
  const relayRoutes = createRelayRoutes(app, {
    jwtSecret: runtime.jwtSecret,
    alertOpening: alertParts.alerts.service.openingElsewhere,
  });
  const modelParts = createModelParts(app, { ...before, calls });
  return { ...marketParts, ...modelParts, ...messaging, ...alertParts, ...before, calls, relayRoutes };
}

/** Every part; the state inspector shows what they hold in this order. */
function createParts(app: App, runtime: Runtime, subjects: ReturnType<typeof createSubjects>) {
  const {
    access: _access,
    platforms,
    accounts,
    audit,
    calendar,
    calls,
    changeGate,
    longReads,
    loopTime,
    requestLog,
    ...rest
  } = subjects;
  const administration = createAdministration(app, runtime, subjects);
  const parts = {
    ...rest,
    ...createBotParts(app, platforms, subjects),
    ...administration,
    ...createRecordingParts(app, { ...subjects, ...administration }),
    ...createMemoryParts(app, subjects),
    ...createWatchers(app, runtime),
    transfer: createTransferPart(app, subjects),
    relayRun: createRelayPart(runtime.primary, subjects),
    apiDocs: createApiDocs(runtime.about),
    accounts,
    audit,
    calendar,
    calls,
    changeGate,
    testMode: createTestModePart(app, subjects),
    checkpoints: createCheckpoints(app),
    longReads,
    loopTime,
    requestLog,
  } satisfies Record<string, Part>;
  const redactor = redactorOf(app, runtime);
  const nightWork = createNightWork(app, runtime, subjects, Object.values<Part>(parts));
  const known = { ...subjects, ...parts, ...nightWork };
  const notices = createNoticesPart(app, runtime, known);
  return {
    ...parts,
    internalState: createInternalState(app, { redactor, parts: () => ({ ...parts, ...nightWork }) }),
    ...nightWork,
    notices,
    metrics: createMetricsPart(app, runtime, { ...known, notices }),
  } satisfies Record<string, Part>;
}

type Parts = ReturnType<typeof createParts>;

/**
 * The parts that run, in the order of their start. What an earlier run left is there before the first price, and what is
 * written for the outside world is said last.
 */
const START_ORDER = [
  'requestLog',
  'checkpoints',
  'closures',
  'endpointCalls',
  'process',
  'accounts',
  'memory',
  'auctions',
  'calls',
  'indicators',
  'values',
  'lastSession',
  'announcements',
  'alerts',
  'blindSpots',
  'shortage',
  'lostReferences',
  'alertAttention',
  'quietHours',
  'calendar',
  'tape',
  'glance',
  'recordings',
  'calendarMemory',
  'longReads',
  'feed',
  'tick',
  'stream',
  'relayRun',
  'outbox',
  'channels',
  'summaries',
  'telegramBot',
  'discordBot',
  'modelWatch',
  'questions',
  'phrases',
  'firstRestore',
  'support',
  'backups',
  'nightly',
  'updates',
  'notices',
] as const satisfies readonly (keyof Parts)[];

/** These tell people outside what the parts have written; so they wait until it is certain to stay. */
const OUTWARD: ReadonlySet<string> = new Set(['outbox', 'channels', 'telegramBot', 'discordBot', 'notices']);

const runs = ({ start, stop }: Part): boolean => start !== undefined || stop !== undefined;

/** An observer of the Market that has nothing to do with its batches. */
const HEARS_NOTHING = { applied: () => {}, removed: () => {}, beforeFlush: () => {} };

/** Has every part hear of ticks and of jumps of the market's clock. */
function connect(parts: Parts): void {
  // People first: a change is on its way to them before anything else is done with it.
  for (const name of new Set(['stream', ...START_ORDER] as const)) {
    const { onChanges }: Part = parts[name];
    if (onChanges) parts.tick.service.listen(onChanges);
  }
  for (const { name, onJump } of Object.values<Part>(parts)) {
    if (onJump) parts.market.service.observe({ ...HEARS_NOTHING, name, jumped: onJump });
  }
}

/** Puts the routes of all parts into one application. It serves no HTML and opens no port, so a test can call `handle`. */
function createApi(app: App, auth: Auth, parts: Parts): AnyElysia {
  // Elysia assumes host names longer than one or two letters ("http://pi/").
  const api: AnyElysia = new Elysia({ name: 'bellbird', handler: { standardHostname: false } })
    .use(errors(app))
    .use(parts.requestLog.hooks())
    .use(parts.changeGate.hooks())
    .headers({ 'cache-control': 'no-store' });
  const routes = Object.values<Part>(parts).flatMap((part) => part.routes?.(api) ?? []);
  return api.use(routesPlugin(auth, routes));
}

/**
 * Makes the whole server out of its parts; nothing runs yet. The server, the tests and the benches all use this.
 *
 * @returns the routes as one application, made when it is asked for; the parts by name; and those that run, in the order
 *   of their start; they stop in the reverse order
 */
export function compose(base: Omit<App, keyof Runtime>, runtime: Runtime) {
  const { clientAddress, keepOpen, cutOff, randomToken } = runtime;
  const app: App = { ...base, clientAddress, keepOpen, cutOff, randomToken };
  const subjects = createSubjects(app, runtime);
  const parts = createParts(app, runtime, subjects);
  // Without a token a bot has nothing to start.
  const startOrder = START_ORDER.filter((name) => runs(parts[name])).map(
    (name): Part =>
      OUTWARD.has(name) ? startAfterTrial(runtime.control.trial, app.log, parts[name]) : parts[name],
  );
  connect(parts);
  const api = lazy(() => createApi(app, subjects.access.auth, parts));
  return {
    get api() {
      return api();
    },
    parts,
    startOrder,
  };
}

export type Composition = ReturnType<typeof compose>;
