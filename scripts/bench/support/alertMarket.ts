import { mkdtempSync, rmSync } from 'node:fs';
import { NO_ADJUSTMENTS } from '#market/splits.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCheckpoints } from '#platform/db/checkpoints.ts';
import { type Db, openDb } from '#platform/db/open.ts';
import type { AlertInput } from '#subjects/alerts/rules/alert.ts';
import type { Condition, Logic } from '#subjects/conditions/rules/condition.ts';
import { NO_SCANS } from '#subjects/conditions/rules/savedScan.ts';
import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import { AlertEngine } from '#subjects/alerts/server/engine/engine.ts';
import { createLog } from '#lib/log.ts';
import { createRandom } from '#lib/random.ts';
import { createMarket } from '#market/market.ts';
import { createOutbox } from '#platform/outbox/index.ts';
import { field, number, RSI } from '#support/conditions.ts';
import { BENCH_NOW, createBenchMarket } from './market.ts';
import { createBenchSource } from './source.ts';
import { appOf, standIn } from '#support/appOf.ts';

const ALERTS_A_USER = 50;

/** Three typical conditions: a price level three to thirty percent away from the price, and two related ones. */
export function chosenLogic({ last, volume }: StockUpdate, random: () => number): Logic {
  const away = (0.03 + random() * 0.27) * (random() < 0.5 ? -1 : 1);
  const level = Number(((last ?? 1) * (1 + away)).toFixed(3));
  const price: Condition = {
    lhs: field('last'),
    op: (['crosses_above', 'crosses_below', '>', '<'] as const)[Math.floor(random() * 4)] ?? '>',
    rhs: number(level),
  };
  const others: Condition[] = [
    { lhs: field('volume'), op: '>', rhs: number(Math.round((volume ?? 0) * random() * 4)) },
    { lhs: field('change_percent'), op: '>', rhs: number(Math.round(random() * 20 - 10)) },
    { lhs: field('relativeVolume'), op: '>', rhs: number(Math.round(random() * 30) / 10) },
    { lhs: RSI, op: '>', rhs: number(Math.round(20 + random() * 60)) },
    { lhs: field('last'), op: '>', rhs: field('open') },
    { lhs: field('day_range'), op: '<', rhs: number(Math.round(random() * 100)) },
  ];
  const from = Math.floor(random() * others.length);
  const pick = (index: number) => others[(from + index) % others.length] ?? price;
  return { op: 'AND', conditions: [price, pick(0), pick(1)] };
}

export function storeAlerts(
  db: Db,
  inputs: readonly Pick<AlertInput, 'symbol' | 'persistent' | 'logic'>[],
): void {
  const { $client: client } = db;
  const users = Math.ceil(inputs.length / ALERTS_A_USER);
  const addUser = client.query(
    "INSERT INTO users (username, username_key, password_hash, created_at) VALUES (?1, ?1, '-', 0)",
  );
  const addAlert =
    client.query(`INSERT INTO alerts (user_id, symbol, name, active, persistent, logic, telegram,
    discord, created_at, updated_at) VALUES (?, ?, ?, 1, ?, ?, 1, 0, 0, 0)`);
  db.transaction(() => {
    for (let user = 1; user <= users; user += 1) addUser.run(`u${user}`);
    for (const [index, { symbol, persistent, logic }] of inputs.entries()) {
      const user = 1 + (index % users);
      addAlert.run(user, symbol, `Alert ${index}`, persistent ? 1 : 0, JSON.stringify(logic));
    }
  });
}

export function openBenchFile(): { db: Db; close(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'bellbird-bench-'));
  const { db } = openDb({ path: join(folder, 'bellbird.db'), copyFolder: null, now: BENCH_NOW });
  return {
    db,
    close() {
      db.$client.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function toStep(price: number): number {
  const step = price < 2 ? 0.005 : 0.01;
  return Number((Math.max(1, Math.round(price / step)) * step).toFixed(3));
}

/**
 * Creates stocks from 20 cents to 100 dollars that move some two percent a day, like shares. In the market of the other
 * benches, penny shares jump by a quarter of their price, so that their alerts fire all the time.
 */
export function createCalmMarket(size: number) {
  const random = createRandom(3);
  const listings = createBenchMarket(size).listings.map((listing) => {
    const last = toStep(0.2 * 500 ** random());
    const range = { high: toStep(last * 1.01), low: toStep(last * 0.99) };
    const prices = { last, open: last, ...range, close: last, vwap: last };
    return { ...listing, ...prices, indicators: { '60': { rsi_14: { now: 30 + random() * 40 } } } };
  });
  const exact = listings.map(({ last }) => last);
  return {
    listings,
    random,
    trades(count: number): StockUpdate[] {
      const from = Math.floor(random() * size);
      return Array.from({ length: count }, (_, index) => {
        const at = (from + index * 7) % size;
        const listing = listings[at];
        const price = (exact[at] ?? 1) * (1 + (random() - 0.5) * 0.001);
        exact[at] = price;
        if (!listing) return { code: '' };
        listing.volume = (listing.volume ?? 0) + 100;
        const rsi = listing.indicators['60'].rsi_14;
        const now = rsi.now + random() - 0.5;
        rsi.now = now;
        const indicators = { '60': { rsi_14: { now } } };
        return { code: listing.code, last: toStep(price), volume: listing.volume, indicators };
      });
    },
  };
}

export function createAlertBench(db: Db, stocks: number) {
  const { listings, trades, random } = createCalmMarket(stocks);
  const time = { passed: 0 };
  const clock = { now: () => BENCH_NOW + time.passed, monotonic: () => time.passed, speed: 1 };
  const source = createBenchSource(clock, clock);
  const market = createMarket({ clock });
  const log = createLog(({ level, message, properties }) => {
    if (level === 'error') throw new Error(message, { cause: properties['error'] });
  });
  const catalog = builtInCatalog();
  const engine = new AlertEngine(
    appOf({
      db,
      clock,
      log,
      source,
      market: standIn(market),
      values: { adjustments: NO_ADJUSTMENTS },
      outbox: createOutbox(appOf({ db, clock, log }), { senders: [], messageOf: () => null }).service,
      chatsOf: (userId) => [{ platform: 'telegram', chatId: String(userId) }],
      announcements: { sink: standIn({ note: () => {} }) },
      indicators: { catalog: standIn({ current: () => catalog }), scansOf: () => NO_SCANS },
      calendar: { highEvents: { guarding: () => [], now: clock.now } },
    }),
  );
  const { check } = createCheckpoints({ db, log }).service;
  return { engine, market, listings, trades, time, random, moveToFile: check };
}
