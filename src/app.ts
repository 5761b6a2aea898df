import { Elysia } from 'elysia';
import type { createAccounts } from './features/accounts/index.ts';
import type { createAlerts } from './features/alerts/index.ts';
import type { createAnnouncements } from './features/announcements/index.ts';
import type { createApiDocs } from './features/apiDocs/index.ts';
import type { createAppInfo } from './features/appInfo/index.ts';
import type { createCalendar } from './features/calendar/index.ts';
import type { createCalls } from './features/calls/index.ts';
import type { createHealth } from './features/health/index.ts';
import type { createIndicators } from './features/indicators/index.ts';
import type { createIngest } from './features/ingest/index.ts';
import type { createLinkedChats } from './features/linkedChats/index.ts';
import type { createQuestions } from './features/questions/index.ts';
import type { createSettings } from './features/settings/index.ts';
import type { createSummaries } from './features/summaries/index.ts';
import type { createTestMode } from './features/testMode/index.ts';
import type { createWatchlist } from './features/watchlist/index.ts';
import { errors } from './http/errors.ts';
import type { createRequestLog } from './http/requestLog.ts';
import type { Core } from './part.ts';
import type { createMarketStream } from './stream/market/index.ts';

type WithRoutes<Create extends (...args: never[]) => { routes: unknown }> = Pick<
  ReturnType<Create>,
  'routes'
>;

/** Every part that has routes. */
export type PartsWithRoutes = {
  apiDocs: Pick<ReturnType<typeof createApiDocs>, 'service'>;
  accounts: WithRoutes<typeof createAccounts>;
  alerts: WithRoutes<typeof createAlerts>;
  announcements: WithRoutes<typeof createAnnouncements>;
  appInfo: WithRoutes<typeof createAppInfo>;
  calendar: WithRoutes<typeof createCalendar>;
  calls: WithRoutes<typeof createCalls>;
  health: WithRoutes<typeof createHealth>;
  indicators: WithRoutes<typeof createIndicators>;
  ingest: WithRoutes<typeof createIngest>;
  linkedChats: WithRoutes<typeof createLinkedChats>;
  questions: WithRoutes<typeof createQuestions>;
  requestLog: WithRoutes<typeof createRequestLog>;
  settings: WithRoutes<typeof createSettings>;
  stream: WithRoutes<typeof createMarketStream>;
  summaries: WithRoutes<typeof createSummaries>;
  testMode: WithRoutes<typeof createTestMode>;
  watchlist: WithRoutes<typeof createWatchlist>;
};

const api = (parts: PartsWithRoutes) =>
  new Elysia({ name: 'api', prefix: '/api' })
    .use(parts.appInfo.routes)
    .use(parts.accounts.routes)
    .use(parts.calendar.routes)
    .use(parts.calls.routes)
    .use(parts.stream.routes)
    .use(parts.announcements.routes)
    .use(parts.indicators.routes)
    .use(parts.ingest.routes)
    .use(parts.linkedChats.routes)
    .use(parts.questions.routes)
    .use(parts.settings.routes)
    .use(parts.summaries.routes)
    .use(parts.testMode.routes)
    .use(parts.watchlist.routes)
    .use(parts.alerts.routes);

/**
 * Puts the parts' routes together into one application: everything under /api, and /healthz and /openapi
 * beside it.
 * It holds no HTML and opens no port, so that a test can call `handle` on it.
 */
export function createApp(core: Pick<Core, 'log'>, parts: PartsWithRoutes) {
  // A host name of one or two letters ("http://pi/") is shorter than Elysia assumes by default.
  const app = new Elysia({ name: 'bellbird', handler: { standardHostname: false } })
    .use(errors(core))
    .use(parts.requestLog.routes)
    .headers({ 'cache-control': 'no-store' })
    .use(parts.health.routes)
    .use(api(parts));
  return app.use(parts.apiDocs.service.routesFor(app));
}

/** The server's routes with what they take and answer: the browser's client knows them by this type alone. */
export type App = ReturnType<typeof createApp>;
