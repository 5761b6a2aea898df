import { aRelay, aRelayState } from '#support/relayStates.ts';
import { scenarios } from '#support/scenario.ts';
import type { TestAppOptions } from '#support/testApp.ts';
import { expect, test } from 'bun:test';
import { relayFinding } from '#admin/relays/rules/relayState.ts';

const URL = '/api/admin/relays';
const STATE = aRelayState({
  relays: [aRelay(), aRelay({ id: 'b2', name: 'perth', lagFrames: null, lagMs: null })],
});
const withEngine: TestAppOptions = { runtime: { relayState: () => STATE } };

scenarios([
  {
    name: 'admin: the state of Redis, and each relay',
    method: 'GET',
    url: URL,
    as: 'admin',
    app: withEngine,
    status: 200,
    json: { isSet: true, ...STATE },
  },
  {
    name: 'admin: without Redis',
    method: 'GET',
    url: URL,
    as: 'admin',
    status: 200,
    json: {
      isSet: false,
      engine: { isUp: false, problem: null },
      isPublishing: false,
      problem: null,
      run: null,
      frames: 0,
      bytes: 0,
      relays: [],
    },
  },
]);

const found = (more: Parameters<typeof aRelayState>[0]) => relayFinding(aRelayState(more));

test('relays that keep up are well', () => {
  expect(found({})).toMatchObject({ state: 'ok' });
  expect(found({ relays: [aRelay({ lagMs: null }), aRelay({ lagMs: 10_000 })] })).toMatchObject({
    state: 'ok',
  });
});
test('no relay despite a configured Redis is a warning', () => {
  expect(found({ relays: [] })).toMatchObject({ state: 'warning', says: 'No relay is connected.' });
});
test('the state is unknown while Redis is unreachable or the epoch starts', () => {
  expect(found({ engine: { isUp: false, problem: 'It is away.' }, relays: [] })).toBe(null);
  expect(found({ isPublishing: false, relays: [] })).toBe(null);
});
test('a lock that another primary holds is named', () => {
  expect(found({ isPublishing: false, problem: 'Another server holds the lease.' })).toMatchObject({
    state: 'wrong',
    says: 'Nothing is published to relays. Another server holds the lease.',
  });
});
test('relays that lag or speak another protocol are named, up to a limit', () => {
  const late = aRelay({ name: 'perth', lagMs: 10_001 });
  expect(found({ relays: [aRelay(), late] })?.says).toBe(
    'These relays are more than 10 seconds behind: perth.',
  );
  const foreign = aRelay({ id: 'x9', name: '', speaksProtocol: false });
  expect(found({ relays: [late, foreign] })).toMatchObject({
    state: 'wrong',
    says: 'These relays serve no streams: x9.',
  });
  const many = Array.from({ length: 7 }, (_, n) => aRelay({ name: `r${n}`, lagMs: 20_000 }));
  expect(found({ relays: many })?.says).toEndWith('behind: r0, r1, r2, r3, r4, and 2 more.');
});
