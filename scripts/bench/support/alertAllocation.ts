import { openMemoryDb } from '#platform/db/open.ts';
import { chosenLogic, createAlertBench, storeAlerts } from './alertMarket.ts';

export type AllocationInput = { alerts: number; turns: number };

const STOCKS = 100;
const { alerts, turns } = JSON.parse(process.argv[2] ?? '{}') as AllocationInput;
const db = openMemoryDb();
const { engine, market, listings, random, trades, time } = createAlertBench(db, STOCKS);
storeAlerts(
  db,
  Array.from({ length: alerts }, (_, index) => {
    const listing = listings[index % STOCKS] ?? { code: '' };
    return { symbol: listing.code, persistent: true, logic: chosenLogic(listing, random) };
  }),
);
engine.resume();
market.apply(listings);
engine.onChanges(market.flush());
market.apply(trades(STOCKS));
const changes = market.flush();
for (let turn = 0; turn < 200; turn += 1) {
  time.passed += 1000;
  engine.onChanges(changes);
}
Bun.gc(true);
console.error('evaluating');
for (let turn = 0; turn < turns; turn += 1) engine.onChanges(changes);
Bun.gc(true);
