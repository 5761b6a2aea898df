import { databaseSize } from '../platform/db/figures.ts';
import { createEndpointCalls } from '../admin/endpoints/server/index.ts';
import { createMetrics } from '../admin/metrics/server/index.ts';
import { createRelays } from '../admin/relays/server/index.ts';
import { createProcessWatch } from '../admin/processWatch/server/index.ts';
import type { Core, Part } from '../part.ts';
import type { AlertParts } from './alerts.ts';
import type { MarketParts } from './market.ts';
import type { Messaging } from './messages.ts';
import type { RequestParts } from './people.ts';
import { redactorOf, type Runtime } from './runtime.ts';

/** The parts that look into the others: calls to other servers, the process, the relays, the metrics. */
export function createWatchers(
  core: Core,
  runtime: Runtime,
  {
    access: { auth },
    alerts,
    market,
    outbox,
    requestLog,
    stream,
    tick,
  }: RequestParts & Messaging & MarketParts & AlertParts,
) {
  const { about, control, outgoing } = runtime;
  const relayState = runtime.relayState ?? runtime.primary?.state ?? null;
  const redactor = redactorOf(core, runtime);
  const endpointCalls = createEndpointCalls(core, { auth, outgoing, redactor });
  const processWatch = createProcessWatch(core, { about, control });
  const metrics = createMetrics(core, {
    auth,
    readings: {
      about: () => about,
      clients: () => ({ market: stream.service.clients(), alerts: alerts.inspect().summary.streams }),
      tick: () => tick.service.pace(),
      stocks: () => market.service.all().size,
      source: () => core.source.health(),
      outbox: outbox.service.counts,
      alerts: () => alerts.inspect().summary,
      requests: requestLog.service.totals,
      outgoing: endpointCalls.service.totals,
      process: processWatch.service.figures,
      database: () => databaseSize(core.db),
      relays: () => relayState?.() ?? null,
    },
  });
  const relays = createRelays({ auth, state: relayState });
  return { endpointCalls, metrics, process: processWatch, relays } satisfies Record<string, Part>;
}
