import { expect, test } from 'bun:test';
import { PollLoop, type PollResult } from '../../src/lib/httpClient/pollLoop.ts';
import { createLog, type LogLine } from '../../src/lib/log.ts';
import { createHandScheduler } from '../support/handScheduler.ts';

const createLoop = (results: (PollResult | Error)[]) => {
  const hand = createHandScheduler(1_000_000);
  const lines: LogLine[] = [];
  let wallShift = 0;
  const loop = new PollLoop({
    name: 'The exchange',
    poll: async () => {
      const result = results.shift();
      if (result instanceof Error) throw result;
      return result ?? { kind: 'done', nextMs: 1000 };
    },
    rules: { openAfter: 2, intervalMs: 1000, maxWaitMs: 60_000 },
    clock: { now: () => hand.now() + wallShift, monotonic: hand.monotonic },
    log: createLog((line) => lines.push(line)),
    schedule: hand.schedule,
    random: () => 0.5,
  });
  return {
    loop,
    hand,
    lines,
    setWall: (by: number) => {
      wallShift = by;
    },
    /** Lets the poll that is planned begin and end. */
    next: async () => {
      hand.advance(hand.planned()[0] ?? 0);
      await Bun.sleep(0);
    },
  };
};

const failed: PollResult = { kind: 'failed', reason: 'answered HTTP 500', retryAfterMs: null };

test('polls at once, then after the time that the last poll gave', async () => {
  const { loop, hand } = createLoop([{ kind: 'done', nextMs: 7000 }]);
  loop.start();
  loop.start();
  expect(loop.state()).toMatchObject({ polls: 1, nextAttempt: null });
  await Bun.sleep(0);
  expect(hand.planned()).toEqual([7000]);
  expect(loop.state()).toMatchObject({ failure: null, nextAttempt: 1_007_000 });
});

test('a wall clock that jumps neither holds the circuit open nor closes it early', async () => {
  const { loop, setWall, next } = createLoop([failed, failed, failed]);
  loop.start();
  await Bun.sleep(0);
  await next();
  expect(loop.state().circuit).toEqual({ state: 'open', failures: 2, until: 6000 });
  setWall(-40 * 365 * 86_400_000);
  await next();
  expect(loop.state().circuit).toEqual({ state: 'open', failures: 3, until: 14_000 });
  await next();
  expect(loop.state().circuit.state).toBe('closed');
});

test('a fault of ours is logged with its error and counts as a failure', async () => {
  const { loop, lines, next } = createLoop([new Error('out of order')]);
  loop.start();
  await Bun.sleep(0);
  expect(loop.state().failure).toBe('sent an answer that could not be applied');
  expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
    'error An answer of The exchange could not be applied',
    'warn The exchange sent an answer that could not be applied',
  ]);
  await next();
  expect(lines.at(-1)).toMatchObject({ level: 'info', message: 'The exchange answers again' });
});
