import { describe, expect, test } from 'bun:test';
import { newBuffers } from '../../../src/sources/quotes/simulator/dayPlan.ts';
import {
  dayAt,
  type ExchangeDay,
  planMore,
  tickPlanned,
} from '../../../src/sources/quotes/simulator/exchangeDay.ts';
import { createPast } from '../../../src/sources/quotes/simulator/history.ts';
import { createListings } from '../../../src/sources/quotes/simulator/listings.ts';
import { createWorld } from '../../../src/sources/quotes/simulator/world.ts';
import { at } from '../../support/simulatedDays.ts';

const DATE = '2026-11-20';
const LISTINGS = createListings().filter((_, index) => index % 9 === 0);
const STEP_MS = 250;
/** Around each change of phase, and minutes of the pre-open, of trading and of the post close. */
const SPANS = [
  ['07:00:01', '07:00:10'],
  ['09:40:00', '09:40:30'],
  ['09:59:40', '10:01:05'],
  ['11:29:50', '11:31:10'],
  ['15:59:30', '16:00:30'],
  ['16:09:50', '16:11:30'],
  ['16:20:50', '16:21:20'],
  ['18:49:50', '19:00:10'],
] as const;

function openDay(): { base: Parameters<typeof tickPlanned>[0]; day: ExchangeDay } {
  const base = {
    past: createPast(createWorld(3)),
    listings: LISTINGS,
    buffers: newBuffers(LISTINGS.length),
  };
  // Earlier it is the day before.
  const first = at(DATE, '07:00:00');
  const day = dayAt(null, first);
  planMore(base, day, first, LISTINGS.length);
  return { base, day };
}

function moments(): number[] {
  return SPANS.flatMap(([from, until]) => {
    const begin = at(DATE, from);
    return Array.from({ length: (at(DATE, until) - begin) / STEP_MS }, (_, step) => begin + step * STEP_MS);
  });
}

describe('listings of the simulated market that are passed over', () => {
  test('change in the step in which they would if each were looked at', () => {
    const quick = openDay();
    const thorough = openDay();
    let updates = 0;
    for (const moment of moments()) {
      for (const { live } of thorough.day.stocks) live.due = Number.NEGATIVE_INFINITY;
      const told = tickPlanned(thorough.base, dayAt(thorough.day, moment), moment);
      expect(tickPlanned(quick.base, dayAt(quick.day, moment), moment)).toEqual(told);
      updates += told.length;
    }
    expect(updates).toBeGreaterThan(5000);
  });

  test('are most of them in a minute of trading, and all of them at night', () => {
    const { base, day } = openDay();
    const waiting = (time: string): number => {
      const moment = at(DATE, time);
      tickPlanned(base, dayAt(day, moment), moment);
      const next = day.second + STEP_MS / 1000;
      return day.stocks.filter(({ live }) => next < live.due).length / day.stocks.length;
    };
    expect(waiting('11:30:10')).toBeGreaterThan(0.8);
    expect(waiting('21:00:00')).toBe(1);
  });
});
