import { afterEach, describe, expect, test } from 'bun:test';
import { holdSpecialDays } from '../../../../src/market/rules/specialDays.ts';
import { createRunning, MONDAY } from '../../../support/blindWorld.ts';

const HOLDER = {};

describe('special days of the exchange', () => {
  afterEach(() => holdSpecialDays(HOLDER, []));

  test('a feed that is silent on a closed day is not told of', () => {
    holdSpecialDays(HOLDER, [{ date: MONDAY, kind: 'closed', closesAt: null, reason: 'Storm' }]);
    const { world, run, titles } = createRunning();
    world.feeds = false;
    run(60);
    expect(titles()).toEqual([]);
  });

  test('an early close that is added while the market trades ends the watched hours', () => {
    const { world, run, titles } = createRunning();
    holdSpecialDays(HOLDER, [
      { date: MONDAY, kind: 'early', closesAt: '10:35', reason: 'Fault of the exchange' },
    ]);
    // The closing auction ends at 10:46.
    run(20);
    world.feeds = false;
    run(60);
    expect(titles()).toEqual([]);
  });
});
