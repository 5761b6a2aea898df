import { createEndpointCalls } from '../admin/endpoints/server/index.ts';
import { createRelays } from '../admin/relays/server/index.ts';
import { createProcessWatch } from '../admin/processWatch/server/index.ts';
import type { App, Part } from '#platform/app.ts';
import { redactorOf, relayStateOf, type Runtime } from './runtime.ts';

/** The parts that look into the others: calls to other servers, the process, the relays. */
export function createWatchers(app: App, runtime: Runtime) {
  const { about, control, outgoing } = runtime;
  const relayState = relayStateOf(runtime);
  const redactor = redactorOf(app, runtime);
  const endpointCalls = createEndpointCalls(app, { outgoing, redactor });
  const processWatch = createProcessWatch(app, { about, control });
  const relays = createRelays({ state: relayState });
  return { endpointCalls, process: processWatch, relays } satisfies Record<string, Part>;
}
