import { aRelay, aRelayState } from '../../../support/relayStates.ts';
import { scenarios } from '../../../support/scenario.ts';
import { type TestAppOptions } from '../../../support/testApp.ts';

const URL = '/api/admin/relays';
const STATE = aRelayState({
  relays: [aRelay(), aRelay({ id: 'b2', name: 'perth', lagFrames: null, lagMs: null })],
});
const withEngine: TestAppOptions = { runtime: { relayState: () => STATE } };

scenarios([
  {
    name: 'admin: how the engine stands, and each relay',
    ...{ method: 'GET', url: URL, as: 'admin', app: withEngine, status: 200 },
    json: { isSet: true, ...STATE },
  },
  {
    name: 'admin: that there is no message engine',
    ...{ method: 'GET', url: URL, as: 'admin', status: 200 },
    json: {
      isSet: false,
      engine: { isUp: false, problem: null },
      ...{ isPublishing: false, problem: null, run: null, frames: 0, bytes: 0, relays: [] },
    },
  },
]);
