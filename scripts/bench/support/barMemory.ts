import { BarStore } from '#market/bars/store.ts';
import { benchHistory } from './barHistory.ts';

/** Runs in its own process: prints how much resident memory grows by the bars of a market, in MB. */
const STOCKS = 2000;
const now = Date.parse('2026-11-19T05:05:00Z');

function residentMb(): number {
  Bun.gc(true);
  return process.memoryUsage().rss / 1024 / 1024;
}

function load(stocks: number): BarStore {
  const store = new BarStore({ clock: { now: () => now }, history: benchHistory(0.95), minutes: true });
  store.collectMinutes(true);
  for (let index = 0; index < stocks; index += 1) {
    const stockBars = store.ensure(`S${index}`);
    store.loadDays(stockBars);
    for (const _ of store.loadMinutes(stockBars)) continue;
    if (index % 50 === 0) Bun.gc(true);
  }
  return store;
}

load(20);
const before = residentMb();
const store = load(STOCKS);
// The allocator returns pages with some delay.
await Bun.sleep(1500);
const grown = residentMb() - before;
console.log(JSON.stringify({ grown, ...store.stats() }));
