import type { Inspection } from '#lib/inspection.ts';
import type { App, Part } from '#platform/app.ts';
import { serve } from '#platform/http/routes.ts';
import { RELAYS } from '../contract.ts';
import type { RelayState } from '../rules/relayState.ts';

const NOTHING: RelayState = {
  engine: { isUp: false, problem: null },
  isPublishing: false,
  problem: null,
  run: null,
  frames: 0,
  bytes: 0,
  relays: [],
};

const routesOf = (state: (() => RelayState) | null) =>
  serve(RELAYS, { 'GET /api/admin/relays': () => ({ isSet: state !== null, ...(state?.() ?? NOTHING) }) });

function inspected(state: RelayState): Inspection {
  const { engine, isPublishing, run, frames, bytes, relays } = state;
  return {
    label: 'Relays',
    description: 'Redis, what was published since the start, and the last report of each relay.',
    summary: { engine: engine.isUp, publishing: isPublishing, run, frames, bytes, relays: relays.length },
    data: () => state,
  };
}

export function createRelays({ relayState: state }: App) {
  return {
    name: 'relays',
    routes: () => routesOf(state),
    ...(state !== null && { inspect: () => inspected(state()) }),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    /** The primary's state of its relays; null if no Redis/Valkey server is configured. */
    relayState: (() => RelayState) | null;
  }
}
