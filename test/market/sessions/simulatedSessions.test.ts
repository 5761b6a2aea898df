import { describe, expect, test } from 'bun:test';
import { fromSydney } from '#lib/sydneyTime.ts';
import type { DailyBar } from '#market/bars/rules/bars.ts';
import { openSessions, sessionFiles } from '#market/sessions/files.ts';
import { joinSession } from '#market/sessions/join.ts';
import { SESSION_COLUMNS, type SessionReader } from '#market/sessions/rules/sessionDay.ts';
import { STOCK_STATUSES } from '#market/rules/stock.ts';
import { Exchange } from '#sources/quotes/simulator/exchange.ts';
import { createListings } from '#sources/quotes/simulator/listings.ts';
import { makeSessions } from '#sources/quotes/simulator/sessions.ts';
import { historyInMemory } from '#support/historyInMemory.ts';
import { createFakeClock, createTestApp } from '#support/testApp.ts';
import { tempFolders } from '#support/tempFolder.ts';

const tempFolder = tempFolders();
const DATE = '2026-11-18';
const MINUTE = 60_000;

/** Some listings with halts, news and few trades among them. */
const LISTINGS = createListings().filter((_, index) => index % 40 === 0);

function made(date = DATE): SessionReader {
  const folder = tempFolder();
  makeSessions({ folder, source: 'simulator 7', dates: [date], seed: 7, listings: LISTINGS }, () => {});
  const session = openSessions(folder, 'simulator 7').read(date);
  if (!session) throw new Error('The session was not made.');
  return session;
}

const NAMES = SESSION_COLUMNS;

describe('a simulated session', () => {
  test('has the minutes that the exchange shows', () => {
    const exchange = new Exchange({ seed: 7, listings: LISTINGS });
    const start = fromSydney(DATE, 7, 0);
    exchange.load(start, LISTINGS.length);
    const shown = new Map<string, Map<number, Record<string, unknown>>>();
    const known = new Map<string, Record<string, unknown>>();
    for (let minute = 420; minute < 982; minute += 1) {
      for (const update of exchange.advanceTo(start + (minute + 1 - 420) * MINUTE - 1)) {
        known.set(update.code, { ...known.get(update.code), ...update });
      }
      for (const [code, stock] of known) {
        const days = shown.get(code) ?? new Map();
        shown.set(code, days.set(minute, stock));
      }
    }
    let compared = 0;
    for (const stock of made().stocks()) {
      const columns = Object.fromEntries(NAMES.map((name) => [name, stock.column(name)]));
      for (let row = 0; row < stock.rows; row += 1) {
        const minute = stock.minutes[row] ?? 0;
        const live = shown.get(stock.code)?.get(minute);
        if (!live || minute < 421) continue;
        const read = (name: string): number | null => {
          const value = columns[name]?.[row] ?? Number.NaN;
          return Number.isNaN(value) ? null : value;
        };
        const { status, match_price = null, match_vol = null, buy_surplus = null } = live;
        if (typeof status === 'string') expect(STOCK_STATUSES[read('status') ?? -1] as string).toBe(status);
        expect([minute, read('matchPrice'), read('matchVolume'), read('surplus')]).toEqual([
          minute,
          match_price,
          match_vol,
          buy_surplus,
        ] as never);
        // A slot's last trade may be a fraction of a second before the minute's end.
        if (read('last') !== null && read('volume') === live['volume']) {
          expect(read('last')).toBe(live['last'] as number);
          compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(5000);
  });

  test('agrees with the minute bars of charts', () => {
    const exchange = new Exchange({ seed: 7, listings: LISTINGS });
    for (const stock of made().stocks()) {
      const bars = new Map<number, number>();
      exchange.eachMinute(stock.code, DATE, ({ time, close }) => {
        bars.set((time - fromSydney(DATE, 0, 0)) / MINUTE, close);
      });
      const last = stock.column('last');
      const closes = new Map<number, number>();
      for (let row = 0; row < stock.rows; row += 1) {
        const price = last[row] ?? Number.NaN;
        // Charts count trades after the close in the closing auction.
        if (!Number.isNaN(price) && (stock.minutes[row] ?? 0) <= 970)
          closes.set(stock.minutes[row] ?? 0, price);
      }
      expect(closes).toEqual(bars);
    }
  });

  test('states the range of the 52 weeks before it, as the daily bars have it', () => {
    const exchange = new Exchange({ seed: 7, listings: LISTINGS });
    for (const { code, yearHigh, yearLow } of made().stocks()) {
      const bars: DailyBar[] = [];
      exchange.eachDay(code, '2026-11-17', 300, (bar) => {
        if (bar.volume > 0 && bar.date >= '2025-11-19') bars.push({ ...bar });
      });
      const known = bars.length > 0;
      expect([code, yearHigh, yearLow]).toEqual([
        code,
        known ? Math.max(...bars.map(({ high }) => high)) : Number.NaN,
        known ? Math.min(...bars.map(({ low }) => low)) : Number.NaN,
      ]);
    }
  });

  test('is shorter on a half day, and complete', () => {
    const session = made('2026-12-24');
    expect([session.isComplete, session.gaps]).toEqual([true, []]);
    const last = Math.max(...Array.from(session.stocks(), (stock) => stock.minutes[stock.rows - 1] ?? 0));
    expect(last).toBe(14 * 60 + 31);
  });
});

describe('joined parts of a recorded session', () => {
  test('have the same rows in a smaller file', () => {
    const files = historyInMemory();
    const clock = createFakeClock(fromSydney(DATE, 9, 55));
    const app = createTestApp({ clock, runtime: { sessionFiles: files } });
    const exchange = new Exchange({ seed: 7, listings: LISTINGS });
    for (let minute = 0; minute < 15; minute += 1) {
      app.source.apply(exchange.advanceTo(clock.now()));
      app.tick.run();
      clock.advance(MINUTE);
    }
    app.close();
    const folder = tempFolder();
    const bytes = files.read('hand', DATE) ?? new Uint8Array();
    sessionFiles(folder).write('hand', DATE, 0, bytes);
    const all = () => {
      const session = openSessions(folder, 'hand').read(DATE);
      return Array.from(session?.stocks() ?? [], (stock) => [
        stock.code,
        stock.close,
        stock.dayHigh,
        stock.dayValue,
        Array.from(stock.minutes.subarray(0, stock.rows)),
        ...NAMES.map((name) => Array.from(stock.column(name).subarray(0, stock.rows))),
      ]);
    };
    const before = all();
    expect(before.length).toBe(LISTINGS.length);
    joinSession(folder, 'hand', DATE);
    expect(all()).toEqual(before);
    expect(openSessions(folder, 'hand').read(DATE)?.isComplete).toBe(true);
    expect(openSessions(folder, 'hand').read(DATE)?.gaps.at(-1)?.until).toBe(982);
    expect(sessionFiles(folder).size('hand', DATE)).toBeLessThan(bytes.length);
  });
});
