import { describe, expect, test } from 'bun:test';
import { createSimulatorClock } from '../../../src/sources/quotes/simulator/clock.ts';
import { at } from '../../support/simulatedDays.ts';

const clockAt = (start: string, speed: number, wallStart: number) => {
  let wall = wallStart;
  const clock = createSimulatorClock({ start, speed, wall: { now: () => wall } });
  return {
    clock,
    set: (now: number) => {
      wall = now;
    },
  };
};

const FRIDAY = '2026-11-20';
const SATURDAY = '2026-11-21';
const MONDAY = '2026-11-23';

describe('the clock of the simulated market, start auto', () => {
  test.each(['07:00:00', '11:23:45', '16:21:59'])('is the wall clock at %s of a trading day', (time) => {
    const { clock } = clockAt('auto', 1, at(FRIDAY, time));
    expect([clock.now(), clock.speed, clock.outsideHours()]).toEqual([at(FRIDAY, time), 1, false]);
  });

  test.each([
    [at(FRIDAY, '16:22:00'), at(MONDAY, '09:50:00')],
    [at(SATURDAY, '12:00:00'), at(MONDAY, '09:50:00')],
    [at(MONDAY, '03:00:00'), at(MONDAY, '09:50:00')],
    [at('2026-12-24', '15:00:00'), at('2026-12-29', '09:50:00')],
  ])('outside hours begins at 09:50 of the coming trading day', (wall, market) => {
    const { clock } = clockAt('auto', 1, wall);
    expect([clock.now(), clock.outsideHours()]).toEqual([market, true]);
  });

  test('leaves its own day when the real exchange opens, and takes one up again after it', () => {
    const { clock, set } = clockAt('auto', 1, at(MONDAY, '06:59:00'));
    expect(clock.now()).toBe(at(MONDAY, '09:50:00'));
    set(at(MONDAY, '06:59:30'));
    expect(clock.now()).toBe(at(MONDAY, '09:50:30'));
    set(at(MONDAY, '07:00:00'));
    expect([clock.now(), clock.outsideHours()]).toEqual([at(MONDAY, '07:00:00'), false]);
    set(at(MONDAY, '16:30:00'));
    expect([clock.now(), clock.outsideHours()]).toEqual([at('2026-11-24', '09:50:00'), true]);
  });

  test('with another speed runs its own day even in market hours, without calling it outside hours', () => {
    const { clock, set } = clockAt('auto', 60, at(FRIDAY, '11:00:00'));
    expect(clock.now()).toBe(at(FRIDAY, '09:50:00'));
    set(at(FRIDAY, '11:00:10'));
    expect([clock.now(), clock.speed, clock.outsideHours()]).toEqual([at(FRIDAY, '10:00:00'), 60, false]);
  });
});

describe('the clock of the simulated market, start at a time', () => {
  test('begins then on the wall date, or on the next trading day, and runs at its speed', () => {
    const { clock, set } = clockAt('09:50', 10, at(FRIDAY, '22:00:00'));
    expect(clock.now()).toBe(at(FRIDAY, '09:50:00'));
    set(at(FRIDAY, '22:01:00'));
    expect([clock.now(), clock.outsideHours()]).toEqual([at(FRIDAY, '10:00:00'), true]);
    expect(clockAt('09:50', 10, at(FRIDAY, '11:00:00')).clock.outsideHours()).toBe(false);
    expect(clockAt('11:00', 1, at(SATURDAY, '01:00:00')).clock.now()).toBe(at(MONDAY, '11:00:00'));
  });

  test('rolls at 19:00 to 07:00 of the next trading day, over weekends and many days at once', () => {
    const { clock, set } = clockAt('18:59', 60, at(FRIDAY, '12:00:00'));
    expect(clock.now()).toBe(at(FRIDAY, '18:59:00'));
    set(at(FRIDAY, '12:00:01'));
    expect(clock.now()).toBe(at(MONDAY, '07:00:00'));
    set(at(FRIDAY, '12:12:02'));
    expect(clock.now()).toBe(at('2026-11-24', '07:01:00'));
    set(at(FRIDAY, '12:36:02'));
    expect(clock.now()).toBe(at('2026-11-26', '07:01:00'));
  });

  test('a start in the night rolls on at once, one before the pre-open does not', () => {
    expect(clockAt('23:00', 1, at(FRIDAY, '12:00:00')).clock.now()).toBeGreaterThanOrEqual(
      at(MONDAY, '07:00:00'),
    );
    expect(clockAt('06:30', 1, at(FRIDAY, '12:00:00')).clock.now()).toBe(at(FRIDAY, '06:30:00'));
  });

  test('refuses what is no time of day', () => {
    for (const start of ['9:50', '24:00', 'noon', ''])
      expect(() => clockAt(start, 1, at(FRIDAY, '12:00:00'))).toThrow('time of day');
  });

  test('never goes back while it runs', () => {
    const { clock, set } = clockAt('18:00', 37, at(FRIDAY, '12:00:00'));
    let before = clock.now();
    for (let second = 1; second < 3000; second += 7) {
      set(at(FRIDAY, '12:00:00') + second * 1000);
      expect(clock.now()).toBeGreaterThan(before);
      before = clock.now();
    }
  });
});
