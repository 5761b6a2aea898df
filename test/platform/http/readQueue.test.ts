import { expect, test } from 'bun:test';
import { AppError } from '#platform/http/errors.ts';
import { ReadQueue, type Steps } from '#platform/http/readQueue.ts';
import { createRunningAnswers } from '#platform/http/encodedAnswers.ts';

/** A queue whose slices are run by hand, on a clock that only work advances. */
function setUp() {
  let now = 0;
  const turns: (() => void)[] = [];
  const queue = new ReadQueue({ monotonic: () => now }, (run) => void turns.push(run));
  const done: string[] = [];
  /** Work of this many milliseconds, in steps of one. */
  function* work(name: string, ms: number, step = 1): Steps<string> {
    for (let left = ms; left > 0; left -= step) {
      now += Math.min(step, left);
      if (left > step) yield;
    }
    done.push(name);
    return name;
  }
  /** One turn of the event loop. @returns how long it held the loop, in ms */
  function turn(): number {
    const before = now;
    for (const run of turns.splice(0)) run();
    return now - before;
  }
  /** All turns until nothing is left. @returns the longest */
  function settle(): number {
    let longest = 0;
    while (turns.length > 0) longest = Math.max(longest, turn());
    return longest;
  }
  return { queue, work, turn, settle, done, now: () => now };
}

test('a long read is done in slices, with turns of the loop between', async () => {
  const { queue, work, settle, turn } = setUp();
  const answer = queue.run('user 1', 'tape', work('long', 100));
  expect(turn()).toBeGreaterThan(0);
  expect(settle()).toBeLessThanOrEqual(4);
  expect(await answer).toBe('long');
});

test('a second user is served after one turn each despite a hundred long reads of the first', () => {
  const { queue, work, turn, done } = setUp();
  for (let index = 0; index < 100; index += 1) void queue.run('user 1', 'tape', work(`first ${index}`, 40));
  turn();
  void queue.run('user 2', 'tape', work('second', 4));
  turn();
  turn();
  expect(done).toEqual(['second']);
});

test('a caller’s waiting reads are limited by work, not by number', () => {
  const { queue, work, settle } = setUp();
  // The queue learns how long each kind of read takes.
  for (let index = 0; index < 30; index += 1) {
    void queue.run('user 9', 'heavy', work('heavy', 500));
    void queue.run('user 9', 'light', work('light', 5));
    settle();
  }
  const admitted = (caller: string, kind: string): number => {
    for (let count = 0; ; count += 1) {
      try {
        void queue.run(caller, kind, work(kind, 500));
      } catch {
        return count;
      }
    }
  };
  expect(admitted('user 1', 'heavy')).toBeWithin(8, 12);
  expect(admitted('user 2', 'light')).toBeGreaterThan(500);
  const message = 'You sent too many requests at once. Try again in 10 seconds.';
  const refusal = { status: 429, message, headers: { 'retry-after': '10' } };
  expect(() => queue.run('user 1', 'heavy', work('heavy', 500))).toThrow(expect.objectContaining(refusal));
});

test('a failing read is rejected with its error, and the others continue', async () => {
  const { queue, work, settle } = setUp();
  function* failing(): Steps<string> {
    yield* work('a part', 10);
    yield;
    throw new AppError(404, 'There is no such stock.');
  }
  const failed = queue.run('user 1', 'bars', failing());
  const next = queue.run('user 1', 'bars', work('next', 10));
  settle();
  expect(await Promise.resolve(failed).catch(String)).toContain('There is no such stock.');
  expect(await next).toBe('next');
  expect(queue.figures()).toEqual({ waiting: 0, callers: 0, expectedMs: 0 });
});

test('shared work runs in the time callers leave, and never causes a refusal', async () => {
  const { queue, work, turn, settle, done, now } = setUp();
  const everybodys = queue.runShared(work('shared', 60_000));
  turn();
  const asked = now();
  const own = queue.run('user 1', 'bars', work('own', 120));
  while (!done.includes('own')) turn();
  expect(now() - asked).toBeLessThanOrEqual((120 * 4) / 3 + 8);
  expect(await own).toBe('own');
  expect(settle()).toBeLessThanOrEqual(4);
  expect(await everybodys).toBe('shared');
});

test('a read of a minute blocks neither later reads of its kind nor those of others', async () => {
  const { queue, work, settle, turn, done } = setUp();
  const slow = () => queue.run('user 1', 'backtest', work('slow', 60_000));
  const first = slow();
  for (let turns = 0; turns < 10_000; turns += 1) turn();
  expect(done).toEqual([]);
  const other = queue.run('user 2', 'bars', work('other', 40));
  settle();
  expect(await Promise.all([first, other])).toEqual(['slow', 'other']);
  const second = slow();
  settle();
  expect(await second).toBe('slow');
});

test('concurrent requests share one computation; after success or failure it runs again', async () => {
  const running = createRunningAnswers<number>();
  let made = 0;
  const make = async () => {
    made += 1;
    return made;
  };
  expect(await Promise.all([running.of('a', make), running.of('a', make), running.of('b', make)])).toEqual([
    1, 1, 2,
  ]);
  expect(running.size()).toBe(0);
  const failing = running.of('a', () => Promise.reject(new Error('busy')));
  expect(running.size()).toBe(1);
  expect(await failing.catch(String)).toBe('Error: busy');
  expect(await running.of('a', make)).toBe(3);
});
