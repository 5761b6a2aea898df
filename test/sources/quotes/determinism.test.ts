import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { createMarket } from '../../../src/market/market.ts';
import { Exchange } from '../../../src/sources/quotes/simulator/exchange.ts';
import { daysUntil, minutesOn } from '../../support/givenHistory.ts';
import { createListings } from '../../../src/sources/quotes/simulator/listings.ts';
import { advance, announce, at, figures, type Seen, SOME_LISTINGS } from '../../support/simulatedDays.ts';

// One test plans two thousand listings, on a machine that may be busy with other things.
setDefaultTimeout(60_000);

const DATE = '2026-11-20';

/** Some listings of the market. */
const someOf = (seed: number) => new Exchange({ seed, listings: SOME_LISTINGS });

const stateAt = (seed: number, times: readonly string[]): Record<string, unknown> => {
  const exchange = someOf(seed);
  const seen: Seen = new Map();
  for (const time of times) advance(exchange, seen, at(DATE, time));
  return figures(seen);
};

const onlyOf = (codes: readonly string[]) => createListings().filter(({ code }) => codes.includes(code));

const differing = (a: Record<string, unknown>, b: Record<string, unknown>): string[] =>
  Object.keys(a).filter((code) => JSON.stringify(a[code]) !== JSON.stringify(b[code]));

describe('the simulated market', () => {
  test('is the same for the same seed and another for another seed', () => {
    const times = ['09:30:00', '10:07:31', '10:07:32', '10:07:39'];
    expect(stateAt(4, times)).toEqual(stateAt(4, times));
    expect(stateAt(4, ['11:00:00'])).not.toEqual(stateAt(5, ['11:00:00']));
  });

  test('is at any time where a run from 07:00 is, whatever the steps', () => {
    const stops = [
      '08:40:00',
      '09:59:30',
      '09:59:45',
      '11:00:00',
      '15:59:00',
      '16:05:00',
      '16:12:00',
      '17:00:00',
    ];
    const between = [
      '07:00:00',
      '07:41:10',
      '09:10:05',
      '10:00:03',
      '10:33:33',
      '10:59:59',
      '13:00:00',
      '15:30:10',
    ].concat(['16:00:30', '16:10:10', '16:11:30']);
    const exchange = someOf(9);
    const seen: Seen = new Map();
    for (const time of [...stops, ...between].sort()) {
      advance(exchange, seen, at(DATE, time));
      if (stops.includes(time))
        expect({ time, different: differing(figures(seen), stateAt(9, [time])) }).toEqual({
          time,
          different: [],
        });
    }
  });

  test('goes on to the next trading day with yesterday as its previous close and news', () => {
    const exchange = someOf(3);
    const seen: Seen = new Map();
    advance(exchange, seen, at(DATE, '18:59:59'));
    announce(exchange, seen, at(DATE, '18:59:59'));
    const friday = new Map(seen);
    advance(exchange, seen, at('2026-11-23', '07:00:00'));
    announce(exchange, seen, at('2026-11-23', '07:00:00'));
    let withNews = 0;
    for (const [code, stock] of seen) {
      const before = friday.get(code);
      expect(stock.close).toBe(before?.last ?? before?.close);
      expect(stock).toMatchObject({
        open: null,
        high: null,
        low: null,
        last: null,
        vwap: null,
        volume: 0,
        value: 0,
      });
      expect(stock.sensitiveAnnouncements).toBe(0);
      const day = stock.news?.[DATE];
      if (before?.news?.[DATE]) expect(Object.keys(day?.announcements ?? {})).not.toHaveLength(0);
      if (day) withNews += 1;
    }
    expect(withNews).toBeGreaterThan(15);
  });

  test('first looked at after the open it tells the same pre-open as a Market that saw it', () => {
    const preOpenOf = (times: readonly string[]) => {
      const exchange = someOf(6);
      let now = 0;
      const market = createMarket({ clock: { now: () => now } });
      for (const time of times) {
        now = at(DATE, time);
        market.apply(exchange.advanceTo(now));
      }
      return new Map(
        [...market.all().values()].flatMap(({ code, preOpen }) =>
          preOpen ? [[code, preOpen.snapshot] as const] : [],
        ),
      );
    };
    const seen = preOpenOf(['09:59:44', '09:59:45', '12:00:00']);
    expect(seen.size).toBeGreaterThan(SOME_LISTINGS.length / 2);
    const late = preOpenOf(['12:00:00']);
    expect(Object.fromEntries(late)).toEqual(Object.fromEntries(seen));
    expect(preOpenOf(['09:59:44']).size).toBe(0);
  });

  test('a moment before the last one begins that day anew', () => {
    const exchange = someOf(6);
    const late: Seen = new Map();
    advance(exchange, late, at(DATE, '15:00:00'));
    const early: Seen = new Map();
    expect(advance(exchange, early, at(DATE, '10:30:00'))).toHaveLength(SOME_LISTINGS.length);
    expect(figures(early)).toEqual(stateAt(6, ['10:30:00']));
  });

  test('the turn of the year keeps the price: the first close of January follows the last of December', () => {
    const codes = ['BHP', 'CBA', 'TLS', 'BRN', 'GMG'];
    const exchange = new Exchange({ seed: 2, listings: onlyOf(codes) });
    const seen: Seen = new Map();
    advance(exchange, seen, at('2027-01-04', '07:30:00'));
    for (const code of codes) {
      const history = daysUntil(exchange, code, '2027-01-04', 300);
      expect(history).toHaveLength(300);
      expect(history.at(-1)?.date).toBe('2027-01-04');
      expect(seen.get(code)?.close).toBe(history.at(-2)?.close as number);
      for (const [index, bar] of history.entries()) {
        expect(bar.high).toBeGreaterThanOrEqual(Math.max(bar.open, bar.close));
        expect(bar.low).toBeLessThanOrEqual(Math.min(bar.open, bar.close));
        const previous = history[index - 1];
        if (previous) expect(Math.abs(bar.close / previous.close - 1)).toBeLessThan(0.6);
      }
    }
  });

  test('an early close ends trading at 14:10 and closes by auction', () => {
    const exchange = new Exchange({ seed: 2, listings: onlyOf(['BHP']) });
    const seen: Seen = new Map();
    advance(exchange, seen, at('2026-12-24', '14:09:59'));
    const volume = seen.get('BHP')?.volume ?? 0;
    expect(seen.get('BHP')?.status).toBe('Open');
    advance(exchange, seen, at('2026-12-24', '14:15:00'));
    expect(seen.get('BHP')?.status).toBe('CSPA');
    advance(exchange, seen, at('2026-12-24', '14:25:00'));
    expect(seen.get('BHP')?.status).toBe('Post Close');
    expect(seen.get('BHP')?.volume).toBeGreaterThan(volume);
  });

  test('gives a listing the same day with all others and without', () => {
    const whole = new Exchange({ seed: 9 });
    const seen: Seen = new Map();
    advance(whole, seen, at(DATE, '10:33:33'));
    expect(seen.size).toBe(2000);
    const some = stateAt(9, ['10:33:33']);
    const all = figures(seen);
    expect(Object.fromEntries(Object.keys(some).map((code) => [code, all[code]]))).toEqual(some);
  });

  test('refuses codes that are not listed and days without trading', () => {
    const exchange = new Exchange({ seed: 2 });
    expect(() => daysUntil(exchange, 'NOPE', DATE, 5)).toThrow('not listed');
    expect(() => minutesOn(exchange, 'BHP', '2026-11-21')).toThrow('does not trade');
  });
});
