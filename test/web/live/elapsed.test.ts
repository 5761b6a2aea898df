import { expect, test } from 'bun:test';
import { createElapsed } from '../../../web/live/stream/browserDeps.ts';

function setUp() {
  let wall = 1_000_000;
  let stopwatch = 500;
  const elapsed = createElapsed(
    () => wall,
    () => stopwatch,
  );
  const start = elapsed();
  return {
    passed: () => elapsed() - start,
    wait: (ms: number) => {
      wall += ms;
      stopwatch += ms;
    },
    setWall: (by: number) => {
      wall += by;
    },
  };
}

test('counts what passes', () => {
  const { passed, wait } = setUp();
  wait(250);
  expect(passed()).toBe(250);
  wait(60_000);
  expect(passed()).toBe(60_250);
});

test('does not go back when the wall clock is set back, and goes on from there', () => {
  const { passed, wait, setWall } = setUp();
  wait(1000);
  setWall(-3_600_000);
  expect(passed()).toBe(1000);
  wait(1000);
  expect(passed()).toBe(2000);
});

test('counts the time that the machine slept, in which only the wall clock went on', () => {
  const { passed, wait, setWall } = setUp();
  wait(1000);
  setWall(3_600_000);
  expect(passed()).toBe(3_601_000);
  wait(1000);
  expect(passed()).toBe(3_602_000);
});

test('a wall clock that is put right by little makes no difference', () => {
  const { passed, wait, setWall } = setUp();
  for (let index = 0; index < 100; index += 1) {
    wait(10);
    setWall(index % 2 === 0 ? 0.9 : -0.9);
    passed();
  }
  expect(passed()).toBeCloseTo(1000, 6);
});
