import type { Socket } from 'bun';
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
  | { do: 'tick'; count: number; everyMs: number; changing: number }
  /** Writes so many bytes to each client of the bare port and does nothing else. */
  | { do: 'bare'; count: number; everyMs: number; bytes: number };

/** One tick: when it was about to be given to the clients, epoch ms, and its bytes for one client. */
export type SentTick = { at: number; wire: number };
export type ServerState = {
  port: number;
  /** A port whose clients are only ever written to: what any server must at least do. */
  barePort: number;
  rss: number;
  /** Processor time that the order took, ms. */
  cpu: number;
  stats: StreamStats;
  ticks: SentTick[];
};

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
    health: parts.health.service.view,
    api: app.handle,
    localFiles: async () => undefined,
    assets: { respond: () => undefined },
    connections,
  },
);

const bareClients = new Set<Socket>();
const bare = Bun.listen({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    open: (socket) => void bareClients.add(socket),
    close: (socket) => void bareClients.delete(socket),
    data: () => {},
  },
});

async function writeBare({ count, everyMs, bytes }: Extract<ServerOrder, { do: 'bare' }>): Promise<void> {
  const block = crypto.getRandomValues(new Uint8Array(bytes));
  for (let index = 0; index < count; index += 1) {
    const next = performance.now() + everyMs;
    for (const socket of bareClients) socket.write(block);
    await Bun.sleep(Math.max(0, next - performance.now()));
  }
}

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
  const before = process.cpuUsage();
  const ticks = order.do === 'tick' ? await tick(order) : [];
  if (order.do === 'bare') await writeBare(order);
  const { user, system } = process.cpuUsage(before);
  if (order.do === 'collect') Bun.gc(true);
  const cpu = (user + system) / 1000;
  return { port, barePort: bare.port, rss: process.memoryUsage.rss(), cpu, stats: stats(), ticks };
});
