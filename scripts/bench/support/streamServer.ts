import type { Socket } from 'bun';
import { createConnections } from '#platform/http/connections.ts';
import { listen } from '#platform/http/listen.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import { createLog } from '#lib/log.ts';
import type { StreamStats } from '#market/stream/hub.ts';
import { composeForBench } from './composition.ts';
import { createBenchMarket } from './market.ts';
import { preciseNow, serveSupervisor } from './pinned.ts';

export type ServerOrder =
  | { do: 'look' }
  | { do: 'collect' }
  | { do: 'tick'; count: number; everyMs: number; changing: number }
  /** Sends ticks, each followed by one bare write of as many bytes to each client of the bare port. */
  | { do: 'compare'; count: number; everyMs: number; changing: number };

export type SentTick = { at: number; wire: number };
export type Compared = { stream: number; bare: number };
export type ServerState = {
  port: number;
  /** A port whose clients only receive, which is the minimum of any server. */
  barePort: number;
  rss: number;
  cpu: Compared;
  stats: StreamStats;
  ticks: SentTick[];
};

const STOCKS = 2000;

const bench = createBenchMarket(STOCKS);
const connections = createConnections();
const { api, parts } = composeForBench({ runtime: connections });
const market = parts.market.service;
const stats = (): StreamStats => parts.stream.inspect().summary;

market.apply(bench.listings);
parts.tick.service.run();
const { port } = listen(
  { host: '127.0.0.1', port: 0, hsts: false, log: createLog(({ message }) => console.error(message)) },
  {
    health: parts.health.service.view,
    admit: async () => null,
    inTurn: (_, work) => work(),
    api: api.handle,
    refused: () => undefined,
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

const spent = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

function sendTick(trades: readonly StockUpdate[]): SentTick {
  market.apply(trades);
  const { bytes, clients } = stats();
  const at = preciseNow();
  parts.tick.service.run();
  return { at, wire: clients === 0 ? 0 : (stats().bytes - bytes) / clients };
}

async function during(ms: number, work: () => void): Promise<number> {
  const end = performance.now() + ms;
  const before = spent();
  work();
  await Bun.sleep(Math.max(0, end - performance.now()));
  return spent() - before;
}

async function tick({ count, everyMs, changing }: Extract<ServerOrder, { do: 'tick' }>): Promise<SentTick[]> {
  const ticks: SentTick[] = [];
  for (let index = 0; index < count; index += 1) {
    const trades = bench.trades(changing);
    await during(everyMs, () => ticks.push(sendTick(trades)));
  }
  return ticks;
}

async function compare(order: Extract<ServerOrder, { do: 'compare' }>): Promise<Compared> {
  const cpu = { stream: 0, bare: 0 };
  const half = order.everyMs / 2;
  for (let index = 0; index < order.count; index += 1) {
    const trades = bench.trades(order.changing);
    let wire = 0;
    cpu.stream += await during(half, () => ({ wire } = sendTick(trades)));
    const block = crypto.getRandomValues(new Uint8Array(Math.round(wire)));
    cpu.bare += await during(half, () => {
      for (const socket of bareClients) socket.write(block);
    });
  }
  return cpu;
}

serveSupervisor<ServerOrder, ServerState>(async (order) => {
  const ticks = order.do === 'tick' ? await tick(order) : [];
  const cpu = order.do === 'compare' ? await compare(order) : { stream: 0, bare: 0 };
  if (order.do === 'collect') Bun.gc(true);
  return { port, barePort: bare.port, rss: process.memoryUsage.rss(), cpu, stats: stats(), ticks };
});
