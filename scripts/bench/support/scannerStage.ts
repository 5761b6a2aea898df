import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { StockUpdate } from '../../../src/domain/market/stock.ts';
import type { StreamMeta } from '../../../src/domain/market/stream.ts';
import { openAssets } from '../../../src/http/assets.ts';
import { createLog } from '../../../src/lib/log.ts';
import { createMarket } from '../../../src/market/market.ts';
import { createStreamHub } from '../../../src/stream/hub.ts';
import { buildWeb } from '../../build/web.ts';
import { BENCH_NOW } from './market.ts';

/** The product's page in front of a market that the caller moves, tick by tick. */
export type ScannerStage = {
  url: string;
  /** Applies updates and sends them to every window as one delta. */
  tick(updates: readonly StockUpdate[]): void;
  stop(): Promise<void>;
};

const root = dirname(dirname(dirname(import.meta.dir)));

const SETTINGS = {
  username: 'bench',
  subscriptionType: 'free',
  requestedSubscriptionType: null,
  quoteSite: 'asx',
  columnPreferences: {},
};

/**
 * Builds the web application and serves it with a real Market and stream hub, so that what a tick costs in a
 * browser can be measured with a known number of rows and changes. No database, no accounts.
 * @param now the market's clock, epoch ms; it runs on from there
 */
export async function startScannerStage(now = BENCH_NOW): Promise<ScannerStage> {
  const folder = await mkdtemp(join(tmpdir(), 'bellbird-browser-'));
  await buildWeb({ root, outdir: folder });
  const assets = openAssets(folder);
  const started = Date.now();
  const clock = { now: () => now + Date.now() - started };
  const market = createMarket({ clock });
  const meta = (): StreamMeta => ({
    stockCount: market.all().size,
    dateToday: market.date(),
    flags: { ignoreStatus: false },
    feed: {
      name: 'bench',
      label: 'Simulated',
      delayMinutes: 0,
      lastUpdate: Date.now(),
      healthy: true,
      problem: null,
    },
    marketTime: clock.now(),
    clockOffsetMs: now - started,
    clockSpeed: 1,
  });
  const hub = createStreamHub({
    market,
    meta,
    clock: { now: () => Date.now() },
    log: createLog(() => {}),
    cutOff: () => {},
  });
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, serving) {
      const { pathname } = new URL(request.url);
      if (pathname === '/api/data/stream') {
        serving.timeout(request, 0);
        return hub.open(request);
      }
      if (pathname === '/api/settings') return Response.json(SETTINGS);
      if (pathname === '/api/app') {
        return Response.json({ test: false, donateUrl: null, version: 'bench', commit: 'bench' });
      }
      return assets.respond(request) ?? Response.json({ error: 'Not found.' }, { status: 404 });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    tick(updates) {
      market.apply(updates);
      hub.publish(market.flush());
    },
    async stop() {
      hub.close();
      await server.stop(true);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
