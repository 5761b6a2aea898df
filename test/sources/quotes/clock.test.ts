import { describe, expect, test } from 'bun:test';
import { ReplayClock } from '../../../src/sources/quotes/replay/clock.ts';
import { createFakeClock } from '../../support/testApp.ts';

const FROM = Date.UTC(2026, 0, 18, 20, 0, 0);
const UNTIL = FROM + 3_600_000;

function stage(speed = 1) {
  const stopwatch = createFakeClock();
  return { stopwatch, clock: new ReplayClock({ stopwatch, from: FROM, until: UNTIL, speed }) };
}

describe('the clock of a replay', () => {
  test('begins with the recording and runs at its speed, whatever becomes of the wall clock', () => {
    const { clock, stopwatch } = stage(60);
    expect(clock.now()).toBe(FROM);
    stopwatch.advance(1000);
    stopwatch.set(0);
    expect(clock.now()).toBe(FROM + 60_000);
    expect(clock.speed).toBe(60);
  });

  test('stands still in a pause and goes on from there', () => {
    const { clock, stopwatch } = stage(2);
    stopwatch.advance(500);
    clock.pause(true);
    stopwatch.advance(60_000);
    expect(clock.now()).toBe(FROM + 1000);
    expect(clock.speed).toBe(0);
    clock.pause(false);
    stopwatch.advance(500);
    expect(clock.now()).toBe(FROM + 2000);
    expect(clock.speed).toBe(2);
  });

  test('another speed, also in a pause, moves no moment', () => {
    const { clock, stopwatch } = stage(1);
    stopwatch.advance(1000);
    clock.setSpeed(10);
    expect(clock.now()).toBe(FROM + 1000);
    clock.pause(true);
    clock.setSpeed(60);
    stopwatch.advance(1000);
    expect([clock.now(), clock.speed, clock.chosenSpeed()]).toEqual([FROM + 1000, 0, 60]);
    clock.pause(false);
    stopwatch.advance(1000);
    expect(clock.now()).toBe(FROM + 61_000);
  });

  test('stays at the end of the recording, and runs again once it is set back', () => {
    const { clock, stopwatch } = stage(60);
    stopwatch.advance(120_000);
    expect([clock.now(), clock.speed, clock.hasEnded()]).toEqual([UNTIL, 0, true]);
    clock.set(FROM + 5);
    expect([clock.now(), clock.speed, clock.hasEnded()]).toEqual([FROM + 5, 60, false]);
  });

  test('is never set outside of the recording', () => {
    const { clock } = stage();
    clock.set(0);
    expect(clock.now()).toBe(FROM);
    clock.set(UNTIL + 1);
    expect(clock.now()).toBe(UNTIL);
  });

  test('shows a moment that is applied as long as that lasts, also when it fails', () => {
    const { clock } = stage();
    const seen: number[] = [];
    const work = (show: (time: number) => void): void => {
      show(FROM + 7);
      seen.push(clock.now());
      throw new Error('no');
    };
    expect(() => clock.during(work)).toThrow('no');
    expect([...seen, clock.now()]).toEqual([FROM + 7, FROM]);
  });
});
