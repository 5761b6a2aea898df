import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { priceAtStep } from '#market/rules/priceStep.ts';
import { auctionFlow, createBook } from '#sources/quotes/simulator/auctionFlow.ts';
import { sessionAt } from '#market/rules/sessionClock.ts';
import {
  createSimulatorClock,
  type KeptDay,
  type SimulatorClockOptions,
} from '#sources/quotes/simulator/index.ts';
import { formatTime } from '#texts/format.ts';
import { at } from '#support/simulatedDays.ts';

const FRIDAY = '2026-11-20';

describe('the clock of the simulator', () => {
  const clockAt = (
    start: string,
    speed: number,
    wallStart: number,
    more: Partial<SimulatorClockOptions> = {},
  ) => {
    let wall = wallStart;
    const clock = createSimulatorClock({ start, speed, wall: { now: () => wall }, ...more });
    return { clock, set: (now: number) => (wall = now) };
  };
  /** A data folder, in which each start continues the time. */
  const newFolder = () => {
    let saved: ReturnType<KeptDay['read']> = null;
    const kept = { read: () => saved, write: (day: NonNullable<typeof saved>) => (saved = day) };
    return (wall: number, isNew = true) => clockAt('auto', 1, wall, { kept, isNew });
  };

  const SATURDAY = '2026-11-21';
  const MONDAY = '2026-11-23';

  test.each(['07:00:00', '11:23:45', '16:21:59'])('is the wall clock at %s of a trading day', (time) => {
    const { clock } = clockAt('auto', 1, at(FRIDAY, time));
    expect([clock.now(), clock.speed, clock.outsideHours()]).toEqual([at(FRIDAY, time), 1, false]);
  });

  test.each([
    [at(FRIDAY, '16:22:00'), at(MONDAY, '10:02:00')],
    [at(SATURDAY, '12:00:00'), at(MONDAY, '10:02:00')],
    [at(MONDAY, '03:00:00'), at(MONDAY, '10:02:00')],
    [at('2026-12-24', '15:00:00'), at('2026-12-29', '10:02:00')],
  ])('begins at 10:02 of the coming trading day outside hours', (wall, market) => {
    const { clock } = clockAt('auto', 1, wall);
    expect([clock.now(), clock.outsideHours()]).toEqual([market, true]);
  });

  test('leaves its own day when the real exchange opens, and begins another after it closes', () => {
    const { clock, set } = clockAt('auto', 1, at(MONDAY, '06:59:30'), { isNew: true });
    expect(clock.now()).toBeLessThan(at(MONDAY, '06:59:30'));
    set(at(MONDAY, '07:00:00'));
    expect([clock.now(), clock.outsideHours()]).toEqual([at(MONDAY, '07:00:00'), false]);
    set(at(MONDAY, '16:30:00'));
    expect([clock.now(), clock.outsideHours()]).toEqual([at('2026-11-24', '10:02:00'), true]);
  });

  test.each([at(FRIDAY, '16:22:00'), at(SATURDAY, '12:00:00'), at('2027-03-25', '16:22:00')])(
    'of a new server starts at 10:02 and never goes back, also when the exchange opens',
    (wall) => {
      const { clock, set } = newFolder()(wall);
      expect(formatTime(clock.now())).toBe('10:02');
      const { until } = sessionAt(wall);
      const halfHours = Array.from({ length: 2 * 24 * 5 }, (_, step) => wall + step * 30 * 60_000);
      const times = [...halfHours.filter((now) => now < until), until].map((now) => (set(now), clock.now()));
      expect(times.every((time, step) => step === 0 || time > (times[step - 1] ?? time))).toBe(true);
      expect(times.at(-1)).toBe(until);
    },
  );

  test('skips its own day forward, and continues it after a restart until the exchange opens', () => {
    const start = newFolder();
    const { clock } = start(at(MONDAY, '20:00:00'), false);
    expect([clock.skip('pre-open'), clock.now()]).toEqual([true, at('2026-11-25', '09:45:00')]);
    expect([clock.skip('open'), clock.now()]).toEqual([true, at('2026-11-25', '10:02:00')]);
    const again = start(at(MONDAY, '20:05:00'));
    expect(again.clock.now()).toBe(at('2026-11-25', '10:07:00'));
    again.set(at('2026-11-24', '11:00:00'));
    expect([again.clock.skip('open'), again.clock.now()]).toEqual([false, at('2026-11-24', '11:00:00')]);
    expect(start(at('2026-11-24', '20:00:00')).clock.now()).toBe(at('2026-11-25', '10:02:00'));
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
