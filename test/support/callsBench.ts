import type { Db } from '#platform/db/open.ts';
import { NO_ADJUSTMENTS } from '#market/splits.ts';
import { openMemoryDb } from './memoryDb.ts';
import { users } from '#platform/db/schema.ts';
import type { Stock, StockUpdate } from '#market/rules/stock.ts';
import type { Submitter } from '#subjects/calls/server/parts.ts';
import { Calls } from '#subjects/calls/server/service.ts';
import { createMarket } from '#market/market.ts';
import type { PastBars } from '#market/bars/pastBars.ts';
import type { Market } from '#market/types.ts';
import type { MarketSource } from '#market/sources/quotes.ts';
import { createLog } from '#lib/log.ts';
import { watchOf } from './adjustmentWatch.ts';
import { pastOf } from './pastOf.ts';
import { appOf, standIn } from './appOf.ts';

/** 10:30 in Sydney on Wednesday 4 November 2026: continuous trading. */
export const tradingTime = Date.UTC(2026, 10, 3, 23, 30);

export type CallsBench = {
  db: Db;
  market: Market;
  calls: Calls;
  now: number;
  user: Submitter;
  /** Trades at these prices, one after the other, each processed by its own tick. */
  trade(code: string, ...prices: number[]): void;
  quote(update: StockUpdate): void;
  tick(): void;
  /** As after kill -9: a new service on the same database, with the market still there, optionally from another source. */
  restart(source?: string): void;
  /** The known history of the stocks. */
  past: PastBars;
  addUser(username: string): Submitter;
};

/** The calls service on a real market and a database in memory, with time and ticks set by the test. */
export function createCallsBench(
  feed: { days?: MarketSource['days']; delayMinutes?: number } = {},
): CallsBench {
  const db = openMemoryDb();
  const time = { now: tradingTime };
  const clock = { now: () => time.now, monotonic: () => time.now };
  const market = createMarket({ clock });
  const sourceNamed = (name: string) => ({
    name,
    clock: { ...clock, speed: 1 },
    days: feed.days ?? 'consecutive',
    delayMinutes: () => feed.delayMinutes ?? 0,
  });
  const past: PastBars = {
    get hasMinutes() {
      return bench.past.hasMinutes;
    },
    days: (...asked) => bench.past.days(...asked),
    minutes: (...asked) => bench.past.minutes(...asked),
    since: (count) => bench.past.since(count),
    gaps: () => bench.past.gaps(),
    beganUnseen: (...asked) => bench.past.beganUnseen(...asked),
    minutesOn: (...asked) => bench.past.minutesOn(...asked),
  };
  const core = { db, clock, source: sourceNamed('bench'), log: createLog(() => {}) };
  const adjustments = watchOf(appOf(core), () => market);
  let nextId = 1;
  const start = (name = 'bench'): Calls =>
    new Calls(
      appOf({
        ...core,
        config: { shortCalls: true },
        market: standIn(market),
        source: sourceNamed(name),
        randomToken: () => `public-${nextId++}`,
        alerts: { notifier: standIn({ callsChanged: () => {} }) },
        audit: { record: () => {} },
        values: Object.assign(past, {
          adjustments: feed.days === 'independent' ? NO_ADJUSTMENTS : adjustments,
        }),
      }),
    );
  const addUser = (username: string): Submitter =>
    db
      .insert(users)
      .values({ username, usernameKey: username.toLowerCase(), passwordHash: '-', createdAt: 0 })
      .returning()
      .get();
  const bench: CallsBench = {
    db,
    market,
    past: pastOf(),
    calls: start(),
    get now() {
      return time.now;
    },
    set now(value) {
      time.now = value;
    },
    user: addUser('Ann'),
    quote: (update) => {
      const { refused } = market.apply([update]);
      if (refused.length > 0) throw new Error(JSON.stringify(refused));
      adjustments.applied([update.code]);
      bench.calls.update([update.code]);
    },
    tick: () => bench.calls.track(market.flush()),
    trade: (code, ...prices) => {
      for (const last of prices) {
        bench.now += 1000;
        const before: Stock | undefined = market.get(code);
        bench.quote({ code, last, volume: (before?.volume ?? 0) + 100 });
        bench.tick();
      }
    },
    restart: (source) => {
      bench.calls = start(source);
      bench.calls.resume();
    },
    addUser,
  };
  bench.quote({
    code: 'BHP',
    name: 'BHP GROUP',
    status: 'Open',
    open: 1.1,
    high: 1.1,
    low: 1.1,
    last: 1.1,
    close: 1.1,
    volume: 1000,
  });
  bench.tick();
  return bench;
}
