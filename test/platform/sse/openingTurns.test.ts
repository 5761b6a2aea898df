import { expect, test } from 'bun:test';
import { createOpeningTurns } from '../../../src/platform/sse/openingTurns.ts';

/** Turns of a loop that the test drives, on a clock that goes on by what each step takes. */
function setUp() {
  const planned: (() => void)[] = [];
  const done: number[] = [];
  let now = 0;
  const turns = createOpeningTurns({ monotonic: () => now }, (run) => planned.push(run));
  return {
    turns,
    done,
    step: (name: number) => (): void => {
      done.push(name);
      now += 1.5;
    },
    turn(): number {
      done.length = 0;
      planned.shift()?.();
      return planned.length;
    },
  };
}

test('steps run in the order of asking, in each turn of the loop only those that begin within its slice', () => {
  const { turns, done, step, turn } = setUp();
  for (let name = 0; name < 7; name += 1) turns.add(step(name));
  expect(done).toEqual([]);
  const seen: number[][] = [];
  for (let left = 1; left > 0; ) {
    left = turn();
    seen.push([...done]);
  }
  expect(seen).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
});

test('a step that was given up does not run, and one may ask for another', () => {
  const { turns, done, step, turn } = setUp();
  const giveUp = turns.add(step(1));
  turns.add(() => {
    step(2)();
    turns.add(step(3));
  });
  giveUp();
  turn();
  expect(done).toEqual([2, 3]);
});
