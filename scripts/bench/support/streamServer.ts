import { createConnections } from '../../../src/http/connections.ts';
import { listen } from '../../../src/http/listen.ts';
import { createLog } from '../../../src/lib/log.ts';
import type { StreamStats } from '../../../src/stream/market/hub.ts';
import { composeForBench } from './composition.ts';
import { createBenchMarket } from './market.ts';
import { preciseNow, serveParent } from './pinned.ts';

/** Orders to the product's stream behind its own port, over a market whose ticks the bench decides. */
export type ServerOrder =
  | { do: 'look' }
  | { do: 'collect' }
  | { do: 'tick'; count: number; everyMs: number; changing: number };

/** One tick: when it was about to be given to the clients, epoch ms, and its bytes for one client. */
export type SentTick = { at: number; wire: number };
export type ServerState = { port: number; rss: number; stats: StreamStats; ticks: SentTick[] };

const STOCKS = 2000;

const bench = createBenchMarket(STOCKS);
const connections = createConnections();
const { app, parts } = composeForBench({ runtime: connections });
const market = parts.market.service;
const stats = (): StreamStats => parts.stream.inspect().summary;

market.apply(bench.listings);
parts.tick.service.run();
const { port } = listen(
  { host: '127.0.0.1', port: 0, log: createLog(({ message }) => console.error(message)) },
  {
    api: app.handle,
    localFiles: async () => undefined,
    assets: { respond: () => undefined },
    connections,
  },
);

async function tick(order: Extract<ServerOrder, { do: 'tick' }>): Promise<SentTick[]> {
  const ticks: SentTick[] = [];
  for (let index = 0; index < order.count; index += 1) {
    const next = performance.now() + order.everyMs;
    market.apply(bench.trades(order.changing));
    const { bytes, clients } = stats();
    const at = preciseNow();
    parts.tick.service.run();
    ticks.push({ at, wire: clients === 0 ? 0 : (stats().bytes - bytes) / clients });
    await Bun.sleep(Math.max(0, next - performance.now()));
  }
  return ticks;
}

serveParent<ServerOrder, ServerState>(async (order) => {
  const ticks = order.do === 'tick' ? await tick(order) : [];
  if (order.do === 'collect') Bun.gc(true);
  return { port, rss: process.memoryUsage.rss(), stats: stats(), ticks };
});
