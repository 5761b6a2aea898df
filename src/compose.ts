import { type AnyElysia, Elysia } from 'elysia';
import { createAppInfo } from './admin/appInfo/server/index.ts';
import { createAudit } from './admin/audit/server/index.ts';
import { createBackups } from './admin/backups/server/index.ts';
import { createChannels } from './admin/channels/server/index.ts';
import { createClosures } from './admin/closures/server/index.ts';
import { createEndpointCalls } from './admin/endpoints/server/index.ts';
import { createFirstRestore } from './admin/firstRestore/server/index.ts';
import { createHealth } from './admin/health/server/index.ts';
import { createIngest } from './admin/ingest/server/index.ts';
import { createInternalState } from './admin/inspector/server/index.ts';
import { createLogs } from './admin/logs/server/index.ts';
import { createMetrics } from './admin/metrics/server/index.ts';
import { createNightly } from './admin/nightlyJobs/server/index.ts';
import { createServerAlerts } from './admin/serverAlerts/server/index.ts';
import { createProcessWatch } from './admin/processWatch/server/index.ts';
import { createReachability } from './admin/reachability/server/index.ts';
import { createRecordings } from './admin/recordings/server/index.ts';
import { createRelays } from './admin/relays/server/index.ts';
import { createModelWatch } from './admin/selfCheck/server/modelWatch.ts';
import { createServerControls } from './admin/server/server/index.ts';
import { createServerSettings } from './admin/settings/server/index.ts';
import { createSupport } from './admin/support/server/index.ts';
import { createTestMode } from './admin/testMode/server/index.ts';
import { createUpdates } from './admin/updates/server/index.ts';
import { createUsers } from './admin/users/server/index.ts';
import { createApiDocs } from './apiDocs/index.ts';
import { createMessaging } from './compose/messages.ts';
import { createRelayPart } from './compose/relays.ts';
import type { Runtime } from './compose/runtime.ts';
import { sourceEdges } from './compose/sourceEdges.ts';
import { settingsFile } from './config/backup.ts';
import { dataPaths } from './config/dataPaths.ts';
import { diskRoom } from './lib/files.ts';
import { lazy } from './lib/lazy.ts';
import type { Log } from './lib/log.ts';
import { createRedactor } from './lib/redact.ts';
import { timerScheduler } from './lib/scheduler.ts';
import { AuctionMemory } from './market/auctions/memory.ts';
import { createMeta } from './market/meta.ts';
import { Overnight } from './market/overnight.ts';
import { createValues } from './market/indicators/values.ts';
import { createMarketPart } from './market/observed.ts';
import { createPreOpenMemory, createSessionMemory } from './market/sessionMemory.ts';
import { createSessions } from './market/sessions/index.ts';
import { createMarketStream } from './market/stream/index.ts';
import { createTick } from './market/tick.ts';
import { type App, type Part, provide } from './platform/app.ts';
import { idleBot } from './platform/chatClients/bot.ts';
import { createCheckpoints } from './platform/db/checkpoints.ts';
import { createAuth, createLastSeen } from './platform/http/auth.ts';
import { createChangeGate } from './platform/http/changeGate.ts';
import { errors } from './platform/http/errors.ts';
import { createLoopBudget } from './platform/http/loopBudget.ts';
import { createLongReads } from './platform/http/readQueue.ts';
import { createRequestLog } from './platform/http/requestLog.ts';
import { routesPlugin } from './platform/http/routes.ts';
import type { Trial } from './platform/install/shared/processControl.ts';
import { keptVapidKeys } from './platform/push/vapid.ts';
import { chooseAnnouncements } from './sources/announcements/choose.ts';
import { chooseCalendar } from './sources/calendar/choose.ts';
import { createFeed } from './sources/quotes/choose.ts';
import { createAccounts } from './subjects/accounts/server/index.ts';
import { createUpgrades } from './subjects/accounts/server/upgrades.ts';
import { createAlertAttention } from './subjects/alerts/server/attention/index.ts';
import { createPriceOutages } from './subjects/alerts/server/priceOutages/index.ts';
import {
  createAlerts,
  createNotificationActions,
  createAlertsSeeder,
} from './subjects/alerts/server/index.ts';
import { createAlertProblems } from './subjects/alerts/server/alertProblems.ts';
import { createWatchlist } from './subjects/alerts/server/watchlist/index.ts';
import { createAnnouncements } from './subjects/announcements/server/index.ts';
import { createSummaries } from './subjects/announcements/server/summaries/index.ts';
import { createBrief } from './subjects/brief/server/index.ts';
import { createCalendar } from './subjects/calendar/server/index.ts';
import { createCalendarMemory } from './subjects/calendar/server/memory/index.ts';
import { createCalls } from './subjects/calls/server/index.ts';
import { createCallsSeeder } from './subjects/calls/server/seed.ts';
import { createChatCommands } from './subjects/chats/server/chatCommands/index.ts';
import { createPhrases } from './subjects/conditions/server/index.ts';
import { createOverview } from './subjects/marketOverview/server/index.ts';
import { createIndicators } from './subjects/indicators/server/index.ts';
import { createModelUse } from './subjects/model/server/index.ts';
import { createOdds } from './subjects/odds/server/index.ts';
import { createQuestions } from './subjects/questions/server/index.ts';
import { createRelayRoutes } from './subjects/relays/server/index.ts';
import { replayInfo, createReplayControls } from './subjects/replay/server/index.ts';
import { createHistory } from './subjects/scanners/server/history/index.ts';
import { createSettings } from './subjects/settings/server/index.ts';
import { createAuction } from './subjects/stock/server/auction.ts';
import { createBars } from './subjects/stock/server/bars.ts';
import { createChartLevels } from './subjects/stock/server/levels.ts';
import { createTransfer } from './subjects/transfer/server/index.ts';

/**
 * Delays the start of a part that contacts the outside world, such as a bot or the outbox, until the trial of
 * a new version ends. A roll-back may replace the database, and then nothing may have been sent from it.
 * @returns the part itself if there is no trial
 */
export function startAfterTrial(trial: Trial | undefined, log: Log, part: Part): Part {
  if (!trial?.holdsChanges()) return part;
  let isStopped = false;
  const start = async (): Promise<void> => {
    try {
      if (!isStopped) await part.start?.();
    } catch (error) {
      log.error('Could not start a part after the trial of an update', { part: part.name, error });
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

/** Creates every part, after the parts that it needs. The state inspector shows them in this order. */
function createParts(app: App, runtime: Runtime) {
  const { platforms, primary } = runtime;

  // Requests.
  const loopBudget = provide(app, 'loopBudget', createLoopBudget(app));
  const reads = provide(app, 'reads', createLongReads(app, runtime.later));
  app.lastSeen = createLastSeen();
  app.auth = createAuth(app);
  const requestLog = provide(app, 'requestLog', createRequestLog(app));
  const audit = provide(app, 'audit', createAudit(app));

  // Messages to people.
  const { telegram, discord, ...messaging } = createMessaging(app, platforms);

  // The market and its history.
  const calendar = provide(
    app,
    'calendar',
    createCalendar(app, runtime.calendar ?? chooseCalendar(app, sourceEdges(app))),
  );
  const market = provide(app, 'market', createMarketPart(app));
  const announcements = provide(
    app,
    'announcements',
    createAnnouncements(app, chooseAnnouncements(app, sourceEdges(app))),
  );
  const auctions = provide(app, 'auctions', new AuctionMemory(app));
  const sessions = provide(app, 'sessions', createSessions(app, runtime.sessionFiles));
  app.overnight = new Overnight(app.source, app.clock);
  const meta = createMeta(app, {
    calendar: calendar.service.info,
    announcements: () => announcements.service.info(),
    replay: () => replayInfo(app),
  });
  const indicators = provide(app, 'indicators', createIndicators(app, runtime.metainfo));
  const { catalog, demand } = indicators.service;
  const families = () => catalog.current().indicators;
  const { later, schedule } = runtime;
  const values = provide(app, 'values', createValues(app, { demand, families, later, schedule }));
  const tick = provide(app, 'tick', createTick(app));
  const stream = provide(
    app,
    'stream',
    createMarketStream(app, {
      meta,
      calendar: calendar.service,
      ...(primary && { tap: primary.marketTap, elsewhere: primary.streamsElsewhere }),
    }),
  );

  // Accounts and what users follow.
  const accounts = provide(app, 'accounts', createAccounts(app));
  const settings = provide(app, 'settings', createSettings(app));
  const watchlist = provide(app, 'watchlist', createWatchlist(app));
  const chartLevels = provide(app, 'chartLevels', createChartLevels(app));
  const alerts = provide(app, 'alerts', createAlerts(app));
  const brief = provide(app, 'brief', createBrief(app));
  const alertAttention = provide(app, 'alertAttention', createAlertAttention(app));
  const calls = provide(app, 'calls', createCalls(app));
  const odds = provide(app, 'odds', createOdds(app));

  // The language model.
  const modelWatch = provide(app, 'model', createModelWatch(app));
  const modelUse = provide(app, 'modelUse', createModelUse(app));
  const questions = provide(app, 'questions', createQuestions(app));

  // Administration.
  const updates = provide(app, 'updates', createUpdates(app));
  const serverControls = provide(app, 'serverControls', createServerControls(app));
  const health = provide(app, 'health', createHealth(app));
  const backups = provide(
    app,
    'backups',
    createBackups(app, () => settingsFile(app.program.env), runtime.writeBackup),
  );
  const endpointCalls = provide(app, 'endpointCalls', createEndpointCalls(app));
  const processWatch = provide(app, 'process', createProcessWatch(app));
  const channels = provide(app, 'channels', createChannels(app, discord?.readChannel ?? null));

  // Bots.
  const chatCommands = createChatCommands(app);
  const { handle } = chatCommands.service;
  const telegramBot = provide(
    app,
    'telegramBot',
    telegram?.createBot({
      handle,
      onReceived: channels.service.onReceived,
      membership: app.linkedChats.membership,
      moved: (from, to) => app.outbox.moveChat('telegram', from, to),
    }) ?? idleBot('telegramBot', 'Telegram bot'),
  );
  const discordBot = provide(
    app,
    'discordBot',
    discord?.createBot(handle) ?? idleBot('discordBot', 'Discord bot'),
  );

  for (const listener of [
    { accountChanged: app.indicators.planChanged },
    alerts.service.notifier,
    app.devices,
  ]) {
    accounts.service.listen(listener);
  }
  for (const service of [
    alerts.service,
    alerts.service.scanAlerts,
    indicators.service,
    calls.service,
    odds.service,
  ]) {
    accounts.service.onDeletion(service.leaving);
  }

  const parts = {
    market,
    announcements,
    auctions,
    sessions,
    auction: createAuction(app),
    bars: createBars(app),
    chartLevels,
    indicators,
    values,
    memory: createPreOpenMemory(app),
    lastSession: createSessionMemory(app),
    feed: createFeed(app),
    ingest: createIngest(app),
    tick,
    replay: createReplayControls(app),
    tape: createHistory(app),
    overview: createOverview(app),
    odds,
    stream,
    modelWatch,
    modelUse,
    questions,
    summaries: createSummaries(app),
    phrases: createPhrases(app),
    ...messaging,
    watchlist,
    alerts,
    priceOutages: createPriceOutages(app),
    alertAttention,
    brief,
    alertProblems: createAlertProblems(app),
    settings,
    relayRoutes: createRelayRoutes(app),
    channels,
    chatCommands,
    noticeActions: createNotificationActions(app),
    telegramBot,
    discordBot,
    upgrades: createUpgrades(app),
    users: createUsers(app),
    logs: createLogs(app, runtime.logFile),
    updates,
    serverControls,
    appInfo: createAppInfo(app),
    closures: createClosures(app),
    support: createSupport(app, runtime.writeSupport),
    serverSettings: createServerSettings(app),
    reachability: createReachability(app),
    firstRestore: createFirstRestore(app),
    health,
    recordings: createRecordings(app),
    calendarMemory: createCalendarMemory(app),
    endpointCalls,
    process: processWatch,
    relays: createRelays(app),
    transfer: createTransfer(app),
    relayRun: createRelayPart(app),
    apiDocs: createApiDocs(app.about),
    accounts,
    audit,
    calendar,
    calls,
    changeGate: createChangeGate(app),
    testMode: createTestMode(app, [createCallsSeeder(app), createAlertsSeeder(app)]),
    checkpoints: createCheckpoints(app),
    reads,
    loopBudget,
    requestLog,
  } satisfies Record<string, Part>;
  const withNight = { ...parts, backups, nightly: createNightly(app, Object.values<Part>(parts)) };
  const serverAlerts = provide(app, 'serverAlerts', createServerAlerts(app));
  return {
    ...parts,
    internalState: createInternalState(app, () => withNight),
    backups,
    nightly: withNight.nightly,
    serverAlerts,
    metrics: createMetrics(app),
  } satisfies Record<string, Part>;
}

type Parts = ReturnType<typeof createParts>;

/** The parts to start, in order: saved state is loaded before the first price, and messages are sent last. */
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
  'priceOutages',
  'alertProblems',
  'alertAttention',
  'quietHours',
  'calendar',
  'sessions',
  'overview',
  'recordings',
  'calendarMemory',
  'reads',
  'feed',
  'tick',
  'stream',
  'relayRun',
  'brief',
  'outbox',
  'channels',
  'summaries',
  'telegramBot',
  'discordBot',
  'modelWatch',
  'questions',
  'phrases',
  'odds',
  'firstRestore',
  'support',
  'backups',
  'nightly',
  'updates',
  'serverAlerts',
] as const satisfies readonly (keyof Parts)[];

/** Parts that send messages to the outside world. They wait until the changes of a trial are final. */
const OUTWARD: ReadonlySet<string> = new Set([
  'outbox',
  'channels',
  'telegramBot',
  'discordBot',
  'serverAlerts',
]);

const runs = ({ start, stop }: Part): boolean => start !== undefined || stop !== undefined;

/** A market observer that ignores batches. */
const HEARS_NOTHING = { applied: () => {}, removed: () => {}, beforeFlush: () => {} };

/** Subscribes all parts to ticks and to jumps of the market's clock. */
function connect(parts: Parts): void {
  // The stream is first, so that changes reach users before other work.
  for (const name of new Set(['stream', ...START_ORDER] as const)) {
    const { onChanges }: Part = parts[name];
    if (onChanges) parts.tick.service.listen(onChanges);
  }
  for (const { name, onJump } of Object.values<Part>(parts)) {
    if (onJump) parts.market.service.observe({ ...HEARS_NOTHING, name, jumped: onJump });
  }
}

/** Combines the routes of all parts into one application, without HTML and without opening a port. */
function createApi(app: App, parts: Parts): AnyElysia {
  // Elysia assumes host names longer than one or two letters ("http://pi/").
  const api: AnyElysia = new Elysia({ name: 'bellbird', handler: { standardHostname: false } })
    .use(errors(app))
    .use(parts.requestLog.hooks())
    .use(parts.changeGate.hooks())
    .headers({ 'cache-control': 'no-store' });
  const routes = Object.values<Part>(parts).flatMap((part) => part.routes?.(api) ?? []);
  return api.use(routesPlugin(app.auth, routes));
}

/**
 * Creates the whole server from its parts without starting it. The server, the tests and the benchmarks use
 * it.
 * @returns the routes as one application, created on first use; the services; the parts by name; and the
 * parts to start, in order. They stop in the reverse order.
 */
export function compose(
  tools: Pick<App, 'config' | 'db' | 'clock' | 'log' | 'http' | 'source'>,
  runtime: Runtime,
) {
  const { config, db, log } = tools;
  const { jwtSecret, primary = null, redactor } = runtime;
  const paths = dataPaths(config);
  // The services are added while the parts are created.
  const app = {
    ...tools,
    about: runtime.about,
    alertPingMs: runtime.alertPingMs,
    clientAddress: runtime.clientAddress,
    control: runtime.control,
    cutOff: runtime.cutOff,
    jwtSecret,
    keepOpen: runtime.keepOpen,
    outgoing: runtime.outgoing,
    passwords: runtime.passwords,
    program: runtime.program,
    randomToken: runtime.randomToken,
    room: runtime.room,
    paths,
    primary,
    schedule: timerScheduler,
    logged: runtime.logged ?? (() => []),
    diskRoom: () => diskRoom(paths.folder),
    relayState: runtime.relayState ?? primary?.state ?? null,
    // Hides every configured and generated secret.
    redactor: redactor ?? createRedactor([...config.secrets, jwtSecret, keptVapidKeys(db).privateKey]),
  } as unknown as App;
  const parts = createParts(app, runtime);
  // A bot without a token has nothing to start.
  const startOrder = START_ORDER.filter((name) => runs(parts[name])).map(
    (name): Part =>
      OUTWARD.has(name) ? startAfterTrial(runtime.control.trial, log, parts[name]) : parts[name],
  );
  connect(parts);
  const api = lazy(() => createApi(app, parts));
  return {
    get api() {
      return api();
    },
    app,
    parts,
    startOrder,
  };
}

export type Composition = ReturnType<typeof compose>;
