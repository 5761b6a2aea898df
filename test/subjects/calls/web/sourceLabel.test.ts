import { expect, test } from 'bun:test';
import { sourceLabel } from '../../../../src/subjects/calls/web/parts/sourceLabel.ts';

test('a source is named so that invented prices look like real ones nowhere, played again neither', () => {
  expect(
    [null, 'simulator', 'my-bridge', 'replay-simulator-2026-01-19', 'replay-tradingview-2026-01-19'].map(
      sourceLabel,
    ),
  ).toEqual([
    'Not recorded',
    'Simulated',
    'my-bridge',
    'Replay of 19 January 2026 (simulated)',
    'Replay of 19 January 2026',
  ]);
});
