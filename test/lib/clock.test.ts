import { expect, test } from 'bun:test';
import { createEpochTimes } from '../../src/lib/clock.ts';
import { createHandScheduler } from '../support/handScheduler.ts';

const HOUR = 3_600_000;

test('a moment stays the same number while the wall clock is only a little off', () => {
  const clock = createHandScheduler(1_000_000);
  const epochOf = createEpochTimes(clock);
  clock.advance(5000);
  const moment = clock.monotonic();
  expect(epochOf(moment)).toBe(1_005_000);
  for (const drift of [3, -5, 400, -390]) {
    clock.stepWall(drift);
    clock.advance(1000);
    expect(epochOf(moment)).toBe(1_005_000);
  }
});

test.each([-40 * 365 * 24 * HOUR, -HOUR, HOUR])('keeps its age when the wall clock is set by %d', (step) => {
  const clock = createHandScheduler(1_000_000);
  const epochOf = createEpochTimes(clock);
  const moment = clock.monotonic();
  clock.advance(60_000);
  clock.stepWall(step);
  expect(clock.now() - epochOf(moment)).toBe(60_000);
  clock.advance(60_000);
  expect(clock.now() - epochOf(moment)).toBe(120_000);
});
