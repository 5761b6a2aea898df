import type { RelayStatus, RelayState } from '#admin/relays/rules/relayState.ts';

/** A relay of this version with a complete report. */
export const aRelay = (more: Partial<RelayStatus> = {}): RelayStatus => ({
  id: 'a1',
  name: 'sydney',
  version: '1.4.0',
  isSameVersion: true,
  speaksProtocol: true,
  pages: 9876,
  alertPages: 120,
  lagFrames: 0,
  lagMs: 0,
  bytes: 5_368_709_120,
  since: Date.UTC(2026, 10, 18, 0, 0, 0),
  ...more,
});

/** A reachable Redis with one relay. */
export const aRelayState = (more: Partial<RelayState> = {}): RelayState => ({
  engine: { isUp: true, problem: null },
  isPublishing: true,
  problem: null,
  run: 1_795_136_400_000,
  frames: 12_345,
  bytes: 188_743_680,
  relays: [aRelay()],
  ...more,
});
