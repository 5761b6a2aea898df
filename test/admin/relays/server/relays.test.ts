import { expect, test } from 'bun:test';
import { aRelay, aRelayState } from '../../../support/relayStates.ts';
import { type Scenario, scenarios } from '../../../support/scenario.ts';
import { createTestApp, ROLES, type TestAppOptions } from '../../../support/testApp.ts';

const URL = '/api/admin/relays';
const STATE = aRelayState({
  relays: [aRelay(), aRelay({ id: 'b2', name: 'perth', lagFrames: null, lagMs: null })],
});
const withEngine: TestAppOptions = { runtime: { relayState: () => STATE } };

const refused = ROLES.filter((role) => role !== 'admin').map(
  (role): Scenario => ({
    name: `${role}: learns nothing of relays`,
    ...{ method: 'GET', url: URL, as: role, app: withEngine, status: role === 'guest' ? 401 : 403 },
    absent: ['sydney'],
  }),
);

scenarios([
  ...refused,
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

test('the state inspector has a section of relays only where an engine is set', () => {
  const bare = createTestApp();
  expect(bare.parts.relays.inspect).toBeUndefined();
  bare.close();
  const app = createTestApp(withEngine);
  const section = app.parts.relays.inspect?.();
  expect(section?.summary).toEqual({
    ...{ engine: true, publishing: true, run: STATE.run, frames: 12_345, bytes: 188_743_680, relays: 2 },
  });
  expect(section?.data()).toEqual(STATE);
  app.close();
});
