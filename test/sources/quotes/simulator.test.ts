import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { priceAtStep } from '#market/rules/priceStep.ts';
import { auctionFlow, createBook } from '#sources/quotes/simulator/auctionFlow.ts';
import { createSimulatorClock } from '#sources/quotes/simulator/index.ts';
import { at } from '#support/simulatedDays.ts';

const FRIDAY = '2026-11-20';

describe('the clock of the simulator', () => {
  const clockAt = (start: string, speed: number, wallStart: number) => {
    let wall = wallStart;
    const clock = createSimulatorClock({ start, speed, wall: { now: () => wall } });
    return { clock, set: (now: number) => (wall = now) };
  };

  const SATURDAY = '2026-11-21';
  const MONDAY = '2026-11-23';

  test.each(['07:00:00', '11:23:45', '16:21:59'])('is the wall clock at %s of a trading day', (time) => {
    const { clock } = clockAt('auto', 1, at(FRIDAY, time));
    expect([clock.now(), clock.speed, clock.outsideHours()]).toEqual([at(FRIDAY, time), 1, false]);
  });

  test.each([
    [at(FRIDAY, '16:22:00'), at(MONDAY, '09:50:00')],
    [at(SATURDAY, '12:00:00'), at(MONDAY, '09:50:00')],
    [at(MONDAY, '03:00:00'), at(MONDAY, '09:50:00')],
    [at('2026-12-24', '15:00:00'), at('2026-12-29', '09:50:00')],
  ])('begins at 09:50 of the coming trading day outside hours', (wall, market) => {
    const { clock } = clockAt('auto', 1, wall);
    expect([clock.now(), clock.outsideHours()]).toEqual([market, true]);
  });

  test('leaves its own day when the real exchange opens, and begins another after it closes', () => {
    const { clock, set } = clockAt('auto', 1, at(MONDAY, '06:59:00'));
    expect(clock.now()).toBe(at(MONDAY, '09:50:00'));
    set(at(MONDAY, '06:59:30'));
    expect(clock.now()).toBe(at(MONDAY, '09:50:30'));
    set(at(MONDAY, '07:00:00'));
    expect([clock.now(), clock.outsideHours()]).toEqual([at(MONDAY, '07:00:00'), false]);
    set(at(MONDAY, '16:30:00'));
    expect([clock.now(), clock.outsideHours()]).toEqual([at('2026-11-24', '09:50:00'), true]);
  });

  test('with a start time begins then on the wall date, or on the next trading day, at its speed', () => {
    const { clock, set } = clockAt('09:50', 10, at(FRIDAY, '22:00:00'));
    expect(clock.now()).toBe(at(FRIDAY, '09:50:00'));
    set(at(FRIDAY, '22:01:00'));
    expect([clock.now(), clock.outsideHours()]).toEqual([at(FRIDAY, '10:00:00'), true]);
    expect(clockAt('09:50', 10, at(FRIDAY, '11:00:00')).clock.outsideHours()).toBe(false);
    expect(clockAt('11:00', 1, at(SATURDAY, '01:00:00')).clock.now()).toBe(at(MONDAY, '11:00:00'));
  });

  test('rolls from 19:00 to 07:00 of the next trading day, over weekends and many days at once', () => {
    const { clock, set } = clockAt('18:59', 60, at(FRIDAY, '12:00:00'));
    expect(clock.now()).toBe(at(FRIDAY, '18:59:00'));
    set(at(FRIDAY, '12:00:01'));
    expect(clock.now()).toBe(at(MONDAY, '07:00:00'));
    set(at(FRIDAY, '12:12:02'));
    expect(clock.now()).toBe(at('2026-11-24', '07:01:00'));
    set(at(FRIDAY, '12:36:02'));
    expect(clock.now()).toBe(at('2026-11-26', '07:01:00'));
  });
});

test('the order flow of an auction ends in a book that gives the planned auction, or crosses nothing', () => {
  const goal = fc.record({
    reference: fc.integer({ min: 1, max: 3000 }),
    target: fc.integer({ min: 1, max: 3000 }),
    volume: fc.integer({ min: 0, max: 5_000_000 }),
    surplus: fc.integer({ min: -2_000_000, max: 2_000_000 }),
    from: fc.constant(25_200),
    until: fc.constant(35_940),
    orders: fc.integer({ min: 1, max: 200 }),
  });
  const seed = fc.integer({ min: 0, max: 2 ** 31 });

  fc.assert(
    fc.property(goal, seed, fc.integer({ min: 0, max: 100_000 }), (aim, random, usual) => {
      const book = createBook();
      for (const { buy, step, volume } of auctionFlow(aim, usual, random)) book.add(buy, step, volume);
      const expected = { price: priceAtStep(aim.target), volume: aim.volume, surplus: aim.surplus };
      expect(book.match(priceAtStep(aim.reference))).toEqual(aim.volume > 0 ? expected : null);
    }),
    { numRuns: 300 },
  );
});
