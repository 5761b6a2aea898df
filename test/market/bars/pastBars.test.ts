import { describe, expect, test } from 'bun:test';
import { emptyStock } from '../../../src/market/rules/stock.ts';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';
import { finishDay } from '../../../src/market/bars/currentDay.ts';
import { dateOf, dayOf, dayOfKey, minuteOfKey } from '../../../src/market/rules/localTime.ts';
import { createPastBars } from '../../../src/market/bars/pastBars.ts';
import { BarStore } from '../../../src/market/bars/store.ts';
import { Exchange } from '../../../src/sources/quotes/simulator/exchange.ts';
import { simulatedHistory } from '../../../src/sources/quotes/simulator/history.ts';
import type { History } from '../../../src/sources/quotes/history.ts';
import { done } from '../../support/pastBars.ts';

const NO_HISTORY: History = { isDeep: false, eachDay: () => undefined, eachMinute: () => undefined };
const MONDAY = '2026-11-16';
const TUESDAY = '2026-11-17';

/** A market that collects bars of what is sent to it, on a clock turned by hand. */
function createCollected(hasMinutes = true) {
  let now = fromSydney(MONDAY, 10, 0);
  let volume = 0;
  const clock = { now: () => now };
  const bars = new BarStore({ clock, history: NO_HISTORY, minutes: hasMinutes });
  const past = createPastBars({ bars, history: NO_HISTORY, clock, hasMinutes, seen: null });
  return {
    bars,
    past,
    at(date: string, hour: number, minute: number): void {
      now = fromSydney(date, hour, minute);
    },
    trade(last: number): void {
      bars.advanceDay();
      volume += 100;
      bars.takeQuote({ ...emptyStock('BHP'), last, high: last, low: last, open: 40, volume }, null);
    },
  };
}

describe('The past of a market that is collected', () => {
  test('has the minutes that are over, and the days that are over', () => {
    const { bars, past, at, trade } = createCollected();
    trade(40);
    at(MONDAY, 10, 1);
    trade(41);
    // The running minute and the running day are not over.
    expect(done(past.minutes('BHP', 5)).map(({ close }) => close)).toEqual([40]);
    expect(past.days('BHP', 10)).toEqual([]);
    // The store moves on with the first quote of a day; it is over before.
    at(TUESDAY, 9, 0);
    expect(past.days('BHP', 10).map(({ key, close }) => [dateOf(key), close])).toEqual([[MONDAY, 41]]);
    expect(done(past.minutes('BHP', 5)).map(({ close }) => close)).toEqual([40, 41]);
    const stockBars = bars.get('BHP');
    if (stockBars) finishDay(stockBars, dayOf(TUESDAY));
    expect(past.days('BHP', 10).map(({ key }) => dateOf(key))).toEqual([MONDAY]);
  });

  test('is empty for a stock that nobody heard of, and without minutes where the source has none', () => {
    expect(done(createCollected().past.minutes('XYZ', 5))).toEqual([]);
    expect(createCollected().past.days('XYZ', 5)).toEqual([]);
    const { past, at, trade } = createCollected(false);
    trade(40);
    at(MONDAY, 11, 0);
    expect(past.hasMinutes).toBe(false);
    expect(done(past.minutes('BHP', 5))).toEqual([]);
  });

  test('gives the last trading days that are asked for', () => {
    const { past, at, trade } = createCollected();
    for (const date of ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19']) {
      at(date, 10, 0);
      trade(40 + Number(date.slice(-1)));
    }
    at('2026-11-19', 12, 0);
    const days = done(past.minutes('BHP', 2)).map(({ key }) => dateOf(dayOfKey(key)));
    expect([...new Set(days)]).toEqual(['2026-11-18', '2026-11-19']);
  });
});

describe('The past of the simulated market', () => {
  const history = simulatedHistory(() => exchange);
  const exchange = new Exchange({ seed: 4 });
  function pastAt(now: number) {
    const clock = { now: () => now };
    const bars = new BarStore({ clock, history, minutes: true });
    return createPastBars({ bars, history, clock, hasMinutes: true, seen: null });
  }

  test('ends now: nothing of today’s rest is known', () => {
    const past = pastAt(fromSydney(MONDAY, 11, 30));
    const last = done(past.minutes('BHP', 5)).at(-1)?.key ?? 0;
    expect(dateOf(dayOfKey(last))).toBe(MONDAY);
    expect(minuteOfKey(last)).toBeLessThan(11 * 60 + 30);
    expect(dateOf(past.days('BHP', 3).at(-1)?.key ?? 0)).toBe('2026-11-13');
  });

  test('goes back over the weekend', () => {
    const past = pastAt(fromSydney('2026-11-15', 11, 30));
    const days = done(past.minutes('BHP', 2)).map(({ key }) => dateOf(dayOfKey(key)));
    expect([...new Set(days)]).toEqual(['2026-11-12', '2026-11-13']);
  });
});
