import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLog } from '#lib/log.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import { openAssets } from '#platform/http/assets.ts';
import { createConnections } from '#platform/http/connections.ts';
import { type Handlers, listen } from '#platform/http/listen.ts';
import { buildWeb } from '#scripts/build/web.ts';
import { composeForBench } from './composition.ts';
import { BENCH_NOW, createBenchMarket } from './market.ts';
import { createBenchSource } from './source.ts';

export type ScannerMarket = {
  listings: StockUpdate[];
  trades(count: number, among: 'shown' | 'all'): StockUpdate[];
};

type Moving = { code: string; last: number; volume: number; value: number };

const CLOSE = 0.4;
const LOWEST = 0.42;
const STEP = 0.005;

/**
 * A market with exactly `shown` of `size` listings in the scanner under $1: opened under a dollar, small, always above
 * the previous close, with more value than any usual minimum. The others open above a dollar.
 */
export function createScannerMarket(size: number, shown: number): ScannerMarket {
  const { listings } = createBenchMarket(size);
  let turn = 0;
  const moving = listings.map((listing, index): Moving => {
    const isShown = index < shown;
    const last = isShown ? LOWEST + (index % 90) * STEP : 2 + (index % 200) * 0.01;
    const open = isShown ? 0.45 : 2;
    Object.assign(listing, {
      open,
      close: isShown ? CLOSE : 1.9,
      last,
      high: Math.max(open, last),
      low: Math.min(open, last),
      vwap: last,
      marketCap: 5e7,
      volume: 1e6,
      value: 1e6 * last,
    });
    return { code: listing.code, last, volume: 1e6, value: 1e6 * last };
  });

  const trade = (stock: Moving): StockUpdate => {
    turn += 1;
    const moved = ((turn * 7) % 5) - 2;
    stock.last = Number(Math.max(LOWEST, stock.last + moved * STEP).toFixed(3));
    stock.volume += 100 + (turn % 900);
    stock.value += (100 + (turn % 900)) * stock.last;
    return {
      code: stock.code,
      last: stock.last,
      volume: stock.volume,
      value: stock.value,
      vwap: stock.value / stock.volume,
      relativeVolume: stock.volume / 9e5,
    };
  };

  return {
    listings,
    trades(count, among) {
      const pool = among === 'shown' ? moving.slice(0, shown) : moving;
      const from = (turn * 13) % pool.length;
      return Array.from({ length: Math.min(count, pool.length) }, (_, index) => {
        const stock = pool[(from + index * 3) % pool.length];
        if (!stock) throw new Error('There is no stock to trade.');
        return trade(stock);
      });
    },
  };
}

export type ScannerFixture = {
  url: string;
  accessToken: string;
  /** Sends updates to every window as one delta. @throws if the market refuses one */
  tick(updates: readonly StockUpdate[]): void;
  stop(): Promise<void>;
};

const root = dirname(dirname(dirname(import.meta.dir)));

async function register(api: ReturnType<typeof composeForBench>['api']): Promise<string> {
  const response = await api.handle(
    new Request('http://bench/api/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'bench', password: 'amber-bill-7', platform: 'web' }),
    }),
  );
  const { accessToken } = (await response.json()) as { accessToken?: string };
  if (accessToken === undefined) throw new Error(`The user of the bench was refused: ${response.status}`);
  return accessToken;
}

/**
 * Builds and serves the web application with the product's own parts, to measure ticks in a browser with known rows and
 * changes.
 * @param now the market's clock at the start, epoch ms
 * @param localFiles answers requests under /local, such as another page on the same stream
 */
export async function startScannerFixture(
  now = BENCH_NOW,
  localFiles: Handlers['localFiles'] = async () => undefined,
): Promise<ScannerFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'bellbird-browser-'));
  await buildWeb({ root, outdir: folder });
  const started = Date.now();
  const connections = createConnections();
  const { api, parts } = composeForBench({
    source: createBenchSource({ now: () => Date.now() }, { now: () => now + Date.now() - started, speed: 1 }),
    runtime: connections,
  });
  const server = listen(
    { host: '127.0.0.1', port: 0, hsts: false, log: createLog(({ message }) => console.error(message)) },
    {
      health: parts.health.service.view,
      admit: async () => null,
      inTurn: (_, work) => work(),
      api: (request) => api.handle(request),
      refused: () => undefined,
      localFiles,
      assets: openAssets(folder),
      connections,
    },
  );
  return {
    url: server.url,
    accessToken: await register(api),
    tick(updates) {
      const [refused] = parts.market.service.apply(updates).refused;
      if (refused) throw new Error(`The market refused ${JSON.stringify(refused)}.`);
      parts.tick.service.run();
    },
    async stop() {
      parts.stream.stop();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
