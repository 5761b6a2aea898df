import { NO_ADJUSTMENTS } from '#market/splits.ts';
import { createMarket } from '#market/market.ts';
import type { ChangeSet } from '#market/types.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import { users } from '#platform/db/schema.ts';
import { createLog, type LogLine } from '#lib/log.ts';
import { watchOf } from './adjustmentWatch.ts';
import { createHandSource, type HandSourceTraits } from './handSource.ts';
import { openMemoryDb } from './memoryDb.ts';
import { createFakeClock } from './testApp.ts';
import { appOf } from './appOf.ts';

/** What an alert engine needs: a market, a clock and a database in memory with one user. */
export function createAlertGround(clock = createFakeClock(), traits?: HandSourceTraits) {
  const db = openMemoryDb();
  const lines: LogLine[] = [];
  const log = createLog((line) => lines.push(line));
  const source = createHandSource(clock, traits);
  const emptyMarket = () => createMarket({ clock: source.clock, days: source.days });
  let market = emptyMarket();
  const watch = watchOf(appOf({ db, clock, log, source }), () => market);
  db.insert(users).values({ username: 'a', usernameKey: 'a', passwordHash: '-', createdAt: 0 }).run();
  return {
    parts: { db, clock, log, source },
    lines,
    adjustments: source.days === 'independent' ? NO_ADJUSTMENTS : watch,
    market: () => market,
    /** One second of the market: a batch, then a tick with its change set. */
    second(updates: readonly StockUpdate[]): ChangeSet | null {
      clock.advance(1000);
      const { refused } = market.apply(updates);
      watch.applied(updates.map(({ code }) => code));
      if (refused.length > 0) throw new Error(JSON.stringify(refused));
      return market.flush();
    },
    /** The market as the source sends it to the next process. */
    giveAgain(): void {
      const stocks = [...market.all().values()];
      market = emptyMarket();
      market.apply(stocks.map(({ preOpen: _, ...stock }) => stock));
    },
    /** Makes the database refuse every write, or accept them again. */
    refuseWrites(isRefusing: boolean): void {
      db.$client.run(`PRAGMA query_only = ${isRefusing ? 1 : 0}`);
    },
  };
}
