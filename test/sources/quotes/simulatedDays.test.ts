import { expect, setDefaultTimeout, test } from 'bun:test';
import { Exchange } from '#sources/quotes/simulator/exchange.ts';
import { SOME_LISTINGS, type Seen, advance, announce, at, figures } from '#support/simulatedDays.ts';

// One test plans two thousand listings, on a machine that may be busy.
setDefaultTimeout(60_000);

const DATE = '2026-11-20';

const someOf = (seed: number) => new Exchange({ seed, listings: SOME_LISTINGS });

const stateAt = (seed: number, times: readonly string[]): Record<string, unknown> => {
  const exchange = someOf(seed);
  const seen: Seen = new Map();
  for (const time of times) advance(exchange, seen, at(DATE, time));
  return figures(seen);
};

const differing = (a: Record<string, unknown>, b: Record<string, unknown>): string[] =>
  Object.keys(a).filter((code) => JSON.stringify(a[code]) !== JSON.stringify(b[code]));

test('the simulated market at any time equals a run from 07:00, for any steps', () => {
  const stops = '08:40:00 09:59:30 09:59:45 11:00:00 15:59:00 16:05:00 16:12:00 17:00:00'.split(' ');
  const between = '07:00:00 07:41:10 09:10:05 10:00:03 10:33:33 13:00:00 16:10:10 16:11:30'.split(' ');
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

test('the simulated market continues on the next trading day with yesterday as its previous close and news', () => {
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

test('the simulated market restarts the day for a moment before the last one', () => {
  const exchange = someOf(6);
  const late: Seen = new Map();
  advance(exchange, late, at(DATE, '15:00:00'));
  const early: Seen = new Map();
  expect(advance(exchange, early, at(DATE, '10:30:00'))).toHaveLength(SOME_LISTINGS.length);
  expect(figures(early)).toEqual(stateAt(6, ['10:30:00']));
});
