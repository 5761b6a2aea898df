import { Elysia } from 'elysia';
import type { createAccounts } from './subjects/accounts/server/index.ts';
import type { createAlertTriggers } from './subjects/alerts/server/triggers/index.ts';
import type { createAlerts } from './subjects/alerts/server/index.ts';
import type { createAnnouncements } from './subjects/announcements/server/index.ts';
import type { createApiDocs } from './apiDocs/index.ts';
import type { createAppInfo } from './admin/appInfo/server/index.ts';
import type { createAuction } from './subjects/stock/server/auction/index.ts';
import type { createAudit } from './admin/audit/server/index.ts';
import type { createBackups } from './admin/backups/server/index.ts';
import type { createBars } from './subjects/stock/server/bars/index.ts';
import type { createCalendar } from './subjects/calendar/server/index.ts';
import type { createCalls } from './subjects/calls/server/index.ts';
import type { createChannels } from './admin/channels/server/index.ts';
import type { createHealth } from './admin/health/server/index.ts';
import type { createEndpointCalls } from './admin/endpoints/server/index.ts';
import type { createIndicators } from './subjects/indicators/server/index.ts';
import type { createIngest } from './admin/ingest/server/index.ts';
import type { createInternalState } from './admin/inspector/server/index.ts';
import type { createLinkedChats } from './subjects/chats/server/linkedChats/index.ts';
import type { createMetrics } from './admin/metrics/server/index.ts';
import type { createLogs } from './admin/logs/server/index.ts';
import type { createQuestions } from './subjects/questions/server/index.ts';
import type { createRecordings } from './admin/recordings/server/index.ts';
import type { createScanAlerts } from './subjects/alerts/server/scanAlerts/index.ts';
import type { createServerControls } from './admin/server/server/index.ts';
import type { createReplayControls } from './subjects/replay/server/index.ts';
import type { createSettings } from './subjects/settings/server/index.ts';
import type { createSummaries } from './subjects/announcements/server/summaries/index.ts';
import type { createTape } from './subjects/scanners/server/tape/index.ts';
import type { createTestMode } from './admin/testMode/server/index.ts';
import type { createUpgrades } from './subjects/accounts/server/upgrades/index.ts';
import type { createUsers } from './admin/users/server/index.ts';
import type { createUpdates } from './admin/updates/server/index.ts';
import type { createWatchlist } from './subjects/alerts/server/watchlist/index.ts';
import type { createChangeGate } from './platform/http/changeGate.ts';
import { errors } from './platform/http/errors.ts';
import type { createRequestLog } from './platform/http/requestLog.ts';
import type { Core } from './part.ts';
import type { createMarketStream } from './market/stream/index.ts';

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
