import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { StockUpdate } from '#market/rules/stock.ts';
import { openAssets } from '#platform/http/assets.ts';
import { createConnections } from '#platform/http/connections.ts';
import { type Handlers, listen } from '#platform/http/listen.ts';
import { createLog } from '#lib/log.ts';
import { buildWeb } from '#scripts/build/web.ts';
import { composeForBench } from './composition.ts';
import { BENCH_NOW } from './market.ts';
import { createBenchSource } from './source.ts';

/** The product's page with a market that the caller moves. */
export type ScannerStage = {
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
 * Builds and serves the web application with the product's own parts, to measure ticks in a browser with
 * known rows and changes.
 * @param now the market's clock, epoch ms; it continues from there
 * @param localFiles answers requests under /local, such as another page on the same stream
 */
export async function startScannerStage(
  now = BENCH_NOW,
  localFiles: Handlers['localFiles'] = async () => undefined,
): Promise<ScannerStage> {
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
      inTurn: (_, look) => look(),
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
