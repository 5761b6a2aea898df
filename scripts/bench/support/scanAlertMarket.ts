import { createCheckpoints } from '#platform/db/checkpoints.ts';
import { NO_ADJUSTMENTS } from '#market/splits/index.ts';
import type { Db } from '#platform/db/open.ts';
import type { SavedScan } from '#subjects/conditions/rules/savedScan.ts';
import { builtInCatalog } from '#market/indicators/rules/builtInCatalog.ts';
import type { WatchedScan } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { scanAlertMessage } from '#subjects/alerts/rules/scanAlerts/scanAlertMessage.ts';
import { ScanEngine } from '#subjects/alerts/server/scanAlerts/engine/engine.ts';
import { createOutbox } from '#platform/outbox/index.ts';
import { createCalmMarket, createEngineGround } from './alertMarket.ts';
import { coreOf } from '#support/coreOf.ts';

const ALERTS_A_USER = 10;

/** Stores active alerts on whole scans, ten of a user, each with a Telegram chat. */
export function storeScanAlerts(db: Db, scans: readonly WatchedScan[]): void {
  const { $client: client } = db;
  const users = Math.ceil(scans.length / ALERTS_A_USER);
  const addUser = client.query(
    "INSERT INTO users (username, username_key, password_hash, created_at) VALUES (?1, ?1, '-', 0)",
  );
  const addAlert = client.query(`INSERT INTO scan_alerts (user_id, name, scan, event, scope, cooldown_minutes,
    day_maximum, minute_maximum, active, telegram, discord, created_at, updated_at)
    VALUES (?, ?, ?, ?, 'market', 30, 3, 5, 1, 1, 0, 0, 0)`);
  db.transaction(() => {
    for (let user = 1; user <= users; user += 1) addUser.run(`u${user}`);
    for (const [index, scan] of scans.entries()) {
      const event = index % 3 === 2 ? 'leaves' : 'enters';
      addAlert.run(1 + (index % users), `Alert ${index}`, JSON.stringify(scan), event);
    }
  });
}

/** A market, the engine of scan alerts with the outbox on it, and a clock that only the bench moves. Nothing is sent. */
export function createScanAlertBench(db: Db, stocks: number, scans: readonly SavedScan[]) {
  const { listings, trades } = createCalmMarket(stocks);
  const { time, clock, source, market, log } = createEngineGround();
  const catalog = builtInCatalog();
  const engine = new ScanEngine(coreOf({ db, clock, log, source }), {
    market,
    adjustments: NO_ADJUSTMENTS,
    outbox: createOutbox(coreOf({ db, clock, log }), { senders: [], messageOf: () => null }).service,
    destinations: (userId) => [{ platform: 'telegram', chatId: String(userId) }],
    messageOf: ({ trigger, alert, stock }, { label }) =>
      scanAlertMessage(trigger, alert, { stock, label, publicUrl: null }),
    catalog: () => catalog,
    scansOf: () => (id) => scans[id - 1] ?? null,
    events: { guarding: () => [], now: () => 0 },
    watched: () => [],
    told: () => {},
  });
  const { check } = createCheckpoints({ db, log }).service;
  return { engine, market, listings, trades, time, moveToFile: check };
}
