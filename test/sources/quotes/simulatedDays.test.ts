import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { createMarket } from '../../../src/market/market.ts';
import { runAuction } from '../../../src/market/rules/auction.ts';
import { addDays, fromSydney } from '../../../src/market/rules/sydneyTime.ts';
import { isTradingDay } from '../../../src/market/rules/tradingDay.ts';
import { newBuffers } from '../../../src/sources/quotes/simulator/dayPlan.ts';
import { Exchange } from '../../../src/sources/quotes/simulator/exchange.ts';
import {
  type ExchangeDay,
  dayAt,
  planMore,
  tickPlanned,
} from '../../../src/sources/quotes/simulator/exchangeDay.ts';
import { createPast } from '../../../src/sources/quotes/simulator/history.ts';
import { createListings } from '../../../src/sources/quotes/simulator/listings.ts';
import { createWorld } from '../../../src/sources/quotes/simulator/world.ts';
import { daysUntil } from '../../support/givenHistory.ts';
import { SOME_LISTINGS, type Seen, advance, announce, at, figures } from '../../support/simulatedDays.ts';

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
});

describe('a week of the simulator', () => {
  // The machine may be busy with other things.
  setDefaultTimeout(60_000);

  /** A week of trading days, looked at every half hour. */
  const week = (seed: number) => {
    const exchange = new Exchange({ seed });
    const seen: Seen = new Map();
    const halted = new Map<string, { date: string; time: string; volume: number }[]>();
    let checked = 0;
    for (let date = '2026-11-16'; date <= '2026-11-20'; date = addDays(date, 1)) {
      if (!isTradingDay(date)) continue;
      for (let minutes = 7 * 60; minutes <= 18 * 60; minutes += 30) {
        const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
        advance(exchange, seen, at(date, time));
        for (const stock of seen.values()) {
          if (stock.status !== 'Halted') continue;
          const list = halted.get(stock.code) ?? [];
          const last = list.at(-1);
          // A halted listing stands still: nothing trades and nothing is indicated.
          if (last?.date === date) {
            expect(stock.volume ?? 0).toBe(last.volume);
            checked += 1;
          }
          if (minutes > 10 * 60 && last?.date === date) expect(stock.match_price ?? null).toBeNull();
          halted.set(stock.code, [...list, { date, time, volume: stock.volume ?? 0 }]);
        }
      }
      announce(exchange, seen, at(date, '18:00'));
    }
    return { exchange, seen, halted, checked };
  };

  describe('trading halts', () => {
    const { seen, halted, checked } = week(1);

    test('come and go', () => {
      expect(halted.size).toBeGreaterThan(8);
      expect(checked).toBeGreaterThan(20);
      const resumed = [...halted.keys()].filter((code) => seen.get(code)?.status !== 'Halted');
      expect(resumed.length).toBeGreaterThan(4);
      for (const code of resumed) expect(seen.get(code)?.close).toBeGreaterThan(0);
    });
  });
});

const DAY = '2026-11-18';

test('the simulator tells of its auctions what its own order books say at each moment', () => {
  const exchange = new Exchange({ seed: 4, listings: createListings().slice(0, 60) });
  const closes = new Map<string, number | null>();
  const moments = [
    [8, 0],
    [9, 30],
    [9, 58],
  ].map(([hour = 0, minute = 0]) => fromSydney(DAY, hour, minute));
  let compared = 0;
  let crossed = 0;
  for (const now of moments) {
    for (const { code, close } of exchange.advanceTo(now)) if (close !== undefined) closes.set(code, close);
    for (const { code } of exchange.listings) {
      const told = exchange.opening(code);
      expect(told.map(({ time }) => time)).toEqual(told.map(({ time }) => time).sort((a, b) => a - b));
      const last = told.at(-1);
      const book = exchange.orderBook(code);
      const match = book && runAuction(book.bids, book.asks, closes.get(code) ?? null);
      expect([last?.price ?? null, last?.volume ?? null, last?.surplus ?? null]).toEqual([
        match?.price ?? null,
        match?.volume ?? null,
        match?.surplus ?? null,
      ]);
      compared += 1;
      if (match) crossed += 1;
    }
  }
  expect(compared).toBe(180);
  expect(crossed).toBeGreaterThan(60);
  expect(exchange.opening('NOSUCH')).toEqual([]);
});

describe('quiet listings', () => {
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
  });
});
