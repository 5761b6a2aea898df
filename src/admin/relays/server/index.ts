import type { Inspection } from '#lib/inspection.ts';
import type { Part } from '#platform/app.ts';
import { serve } from '#platform/http/routes.ts';
import { RELAYS } from '../contract.ts';
import type { RelayState } from '../rules/relayState.ts';

/** What is told where no message engine is set. */
const NOTHING: RelayState = {
  engine: { isUp: false, problem: null },
  isPublishing: false,
  problem: null,
  run: null,
  frames: 0,
  bytes: 0,
  relays: [],
};

export type RelaysNeeds = {
  /** What the primary knows of its relays; null where no message engine is set. */
  state: (() => RelayState) | null;
};

const routesOf = ({ state }: RelaysNeeds) =>
  serve(RELAYS, { 'GET /api/admin/relays': () => ({ isSet: state !== null, ...(state?.() ?? NOTHING) }) });

function inspected(state: RelayState): Inspection {
  const { engine, isPublishing, run, frames, bytes, relays } = state;
  return {
    label: 'Relays',
    description: 'The message engine, what went through it since the start, and what each relay told last.',
    summary: { engine: engine.isUp, publishing: isPublishing, run, frames, bytes, relays: relays.length },
    data: () => state,
  };
}

/** What administrators see of the relays. Without a message engine its route says only that there is none. */
export function createRelays({ state }: RelaysNeeds) {
  return {
    name: 'relays',
    routes: () => routesOf({ state }),
    ...(state !== null && { inspect: () => inspected(state()) }),
  } satisfies Part;
}
