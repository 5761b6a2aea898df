import { Elysia } from 'elysia';
import type { createAccounts } from './features/accounts/index.ts';
import type { createAlertTriggers } from './features/alertTriggers/index.ts';
import type { createAlerts } from './features/alerts/index.ts';
import type { createAnnouncements } from './features/announcements/index.ts';
import type { createApiDocs } from './features/apiDocs/index.ts';
import type { createAppInfo } from './features/appInfo/index.ts';
import type { createAuction } from './features/auction/index.ts';
import type { createAudit } from './features/audit/index.ts';
import type { createBackups } from './features/backups/index.ts';
import type { createBars } from './features/bars/index.ts';
import type { createCalendar } from './features/calendar/index.ts';
import type { createCalls } from './features/calls/index.ts';
import type { createChannels } from './features/channels/index.ts';
import type { createHealth } from './features/health/index.ts';
import type { createEndpointCalls } from './features/endpointCalls/index.ts';
import type { createIndicators } from './features/indicators/index.ts';
import type { createIngest } from './features/ingest/index.ts';
import type { createInternalState } from './features/internalState/index.ts';
import type { createLinkedChats } from './features/linkedChats/index.ts';
import type { createMetrics } from './features/metrics/index.ts';
import type { createLogs } from './features/logs/index.ts';
import type { createQuestions } from './features/questions/index.ts';
import type { createRecordings } from './features/recordings/index.ts';
import type { createScanAlerts } from './features/scanAlerts/index.ts';
import type { createServerControls } from './features/serverControls/index.ts';
import type { createReplayControls } from './features/replay/index.ts';
import type { createSettings } from './features/settings/index.ts';
import type { createSummaries } from './features/summaries/index.ts';
import type { createTape } from './features/tape/index.ts';
import type { createTestMode } from './features/testMode/index.ts';
import type { createUpgrades } from './features/upgrades/index.ts';
import type { createUsers } from './features/users/index.ts';
import type { createUpdates } from './features/updates/index.ts';
import type { createWatchlist } from './features/watchlist/index.ts';
import type { createChangeGate } from './http/changeGate.ts';
import { errors } from './http/errors.ts';
import type { createRequestLog } from './http/requestLog.ts';
import type { Core } from './part.ts';
import type { createMarketStream } from './stream/market/index.ts';

type WithRoutes<Create extends (...args: never[]) => { routes: () => unknown }> = Pick<
  ReturnType<Create>,
  'routes'
>;

/** Every part that has routes. */
export type PartsWithRoutes = {
  apiDocs: Pick<ReturnType<typeof createApiDocs>, 'service'>;
  accounts: WithRoutes<typeof createAccounts>;
  alerts: WithRoutes<typeof createAlerts>;
  alertTriggers: WithRoutes<typeof createAlertTriggers>;
  announcements: WithRoutes<typeof createAnnouncements>;
  appInfo: WithRoutes<typeof createAppInfo>;
  auction: WithRoutes<typeof createAuction>;
  audit: WithRoutes<typeof createAudit>;
  backups: WithRoutes<typeof createBackups>;
  bars: WithRoutes<typeof createBars>;
  calendar: WithRoutes<typeof createCalendar>;
  calls: WithRoutes<typeof createCalls>;
  endpointCalls: WithRoutes<typeof createEndpointCalls>;
  channels: WithRoutes<typeof createChannels>;
  changeGate: WithRoutes<typeof createChangeGate>;
  health: WithRoutes<typeof createHealth>;
  indicators: WithRoutes<typeof createIndicators>;
  ingest: WithRoutes<typeof createIngest>;
  internalState: WithRoutes<typeof createInternalState>;
  linkedChats: WithRoutes<typeof createLinkedChats>;
  metrics: WithRoutes<typeof createMetrics>;
  logs: WithRoutes<typeof createLogs>;
  questions: WithRoutes<typeof createQuestions>;
  replay: WithRoutes<typeof createReplayControls>;
  recordings: WithRoutes<typeof createRecordings>;
  requestLog: WithRoutes<typeof createRequestLog>;
  scanAlerts: WithRoutes<typeof createScanAlerts>;
  serverControls: WithRoutes<typeof createServerControls>;
  settings: WithRoutes<typeof createSettings>;
  stream: WithRoutes<typeof createMarketStream>;
  summaries: WithRoutes<typeof createSummaries>;
  tape: WithRoutes<typeof createTape>;
  testMode: WithRoutes<typeof createTestMode>;
  upgrades: WithRoutes<typeof createUpgrades>;
  users: WithRoutes<typeof createUsers>;
  updates: WithRoutes<typeof createUpdates>;
  watchlist: WithRoutes<typeof createWatchlist>;
};

const marketRoutes = (parts: PartsWithRoutes) =>
  new Elysia({ name: 'market routes' })
    .use(parts.stream.routes())
    .use(parts.bars.routes())
    .use(parts.auction.routes())
    .use(parts.tape.routes())
    .use(parts.replay.routes())
    .use(parts.indicators.routes())
    .use(parts.ingest.routes())
    .use(parts.announcements.routes())
    .use(parts.calendar.routes())
    .use(parts.calls.routes())
    .use(parts.summaries.routes());

const peopleRoutes = (parts: PartsWithRoutes) =>
  new Elysia({ name: 'people routes' })
    .use(parts.accounts.routes())
    .use(parts.settings.routes())
    .use(parts.linkedChats.routes())
    .use(parts.watchlist.routes())
    .use(parts.alerts.routes())
    .use(parts.alertTriggers.routes())
    .use(parts.scanAlerts.routes())
    .use(parts.upgrades.routes())
    .use(parts.appInfo.routes())
    .use(parts.testMode.routes());

const administrationRoutes = (parts: PartsWithRoutes) =>
  new Elysia({ name: 'administration routes' })
    .use(parts.audit.routes())
    .use(parts.backups.routes())
    .use(parts.channels.routes())
    .use(parts.endpointCalls.routes())
    .use(parts.internalState.routes())
    .use(parts.logs.routes())
    .use(parts.questions.routes())
    .use(parts.recordings.routes())
    .use(parts.serverControls.routes())
    .use(parts.updates.routes())
    .use(parts.users.routes());

/** In three groups: as one chain its type is deeper than the compiler goes. */
const api = (parts: PartsWithRoutes) =>
  new Elysia({ name: 'api', prefix: '/api' })
    .use(marketRoutes(parts))
    .use(peopleRoutes(parts))
    .use(administrationRoutes(parts));

/**
 * Puts the parts' routes together into one application: everything under /api, and /healthz, /metrics and /openapi beside
 * it.
 * It holds no HTML and opens no port, so that a test can call `handle` on it.
 */
export function createApp(core: Pick<Core, 'log'>, parts: PartsWithRoutes) {
  // A host name of one or two letters ("http://pi/") is shorter than Elysia assumes by default.
  const app = new Elysia({ name: 'bellbird', handler: { standardHostname: false } })
    .use(errors(core))
    .use(parts.requestLog.routes())
    .use(parts.changeGate.routes())
    .headers({ 'cache-control': 'no-store' })
    .use(parts.health.routes())
    .use(parts.metrics.routes())
    .use(api(parts));
  return app.use(parts.apiDocs.service.routesFor(app));
}

/** The server's routes with what they take and answer: the browser's client knows them by this type alone. */
export type App = ReturnType<typeof createApp>;
