import { databaseSize } from '../platform/db/figures.ts';
import type { createAlerts } from '../subjects/alerts/server/index.ts';
import { createEndpointCalls } from '../admin/endpoints/server/index.ts';
import { createInternalState } from '../admin/inspector/server/index.ts';
import { createMetrics } from '../admin/metrics/server/index.ts';
import { createProcessWatch } from '../admin/processWatch/server/index.ts';
import type { Auth } from '../platform/http/auth.ts';
import type { createRequestLog } from '../platform/http/requestLog.ts';
import type { createMarketPart } from '../market/observed.ts';
import type { createTick } from '../market/tick.ts';
import type { createOutbox } from '../platform/outbox/index.ts';
import type { Core, Part } from '../part.ts';
import type { createMarketStream } from '../market/stream/index.ts';
import { redactorOf, type Runtime } from './runtime.ts';

/** What of the running process is looked into. */
type WatchedProcess = Pick<Runtime, 'about' | 'control' | 'outgoing' | 'jwtSecret' | 'redactor'>;

/** The parts that metrics are read from. */
type WatchedParts = {
  alerts: ReturnType<typeof createAlerts>;
  market: ReturnType<typeof createMarketPart>;
  outbox: ReturnType<typeof createOutbox>;
  requestLog: ReturnType<typeof createRequestLog>;
  stream: ReturnType<typeof createMarketStream>;
  tick: ReturnType<typeof createTick>;
};

type WatcherNeeds = WatchedParts & {
  auth: Auth;
  /** All parts, asked for once they are made. */
  parts(): Readonly<Record<string, Part>>;
};

/** The parts that look into the others: calls to other servers, the process, the state inspector, the metrics. */
export function createWatchers(
  core: Core,
  { about, control, outgoing, ...given }: WatchedProcess,
  { auth, alerts, market, outbox, parts, requestLog, stream, tick }: WatcherNeeds,
) {
  const redactor = redactorOf(core, given);
  const endpointCalls = createEndpointCalls(core, { auth, outgoing, redactor });
  const processWatch = createProcessWatch(core, { about, control });
  const metrics = createMetrics(core, {
    auth,
    readings: {
      about: () => about,
      clients: () => ({ market: stream.service.clients(), alerts: alerts.inspect().summary.streams }),
      tick: tick.service.pace,
      stocks: () => market.service.all().size,
      source: () => core.source.health(),
      outbox: outbox.service.counts,
      alerts: () => alerts.inspect().summary,
      requests: requestLog.service.totals,
      outgoing: endpointCalls.service.totals,
      process: processWatch.service.figures,
      database: () => databaseSize(core.db),
    },
  });
  return {
    endpointCalls,
    internalState: createInternalState(core, { auth, redactor, parts }),
    metrics,
    process: processWatch,
  } satisfies Record<string, Part>;
}
