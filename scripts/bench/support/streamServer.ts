import { Elysia } from 'elysia';
import { openMemoryDb } from '../../../src/db/open.ts';
import { data } from '../../../src/features/data/index.ts';
import { listen } from '../../../src/http/listen.ts';
import { createLog } from '../../../src/lib/log.ts';
import { createMarket } from '../../../src/market/market.ts';
import { createMeta } from '../../../src/market/meta.ts';
import { createStreamHub, type StreamHub, type StreamStats } from '../../../src/stream/hub.ts';
import { createBenchMarket } from './market.ts';
import { preciseNow, serveParent } from './pinned.ts';
import { createBenchSource } from './source.ts';

/** Orders to the product's stream behind its own port, over a market whose ticks the bench decides. */
export type ServerOrder =
  | { do: 'look' }
  | { do: 'collect' }
  | { do: 'tick'; count: number; everyMs: number; changing: number };

/** One tick: when it was about to be given to the clients, epoch ms, and its bytes for one client. */
export type SentTick = { at: number; wire: number };
export type ServerState = { port: number; rss: number; stats: StreamStats; ticks: SentTick[] };

const STOCKS = 2000;

const source = createBenchSource();
const wall = { now: () => Date.now() };
const market = createMarket({ clock: source.clock });
const bench = createBenchMarket(STOCKS);

function startServer(): { port: number; stream: StreamHub } {
  let stream: StreamHub | undefined;
  const { port } = listen({ host: '127.0.0.1', port: 0 }, ({ keepOpen, cutOff }) => {
    const meta = createMeta({ market, source, wall });
    const log = createLog(() => {});
    stream = createStreamHub({ market, meta, clock: wall, log, cutOff, pingMs: 3_600_000 });
    const app = new Elysia({ prefix: '/api' }).use(
      data({ stream, keepOpen, db: openMemoryDb(), clock: wall, jwtSecret: 'nobody logs in to the bench' }),
    );
    return { api: app.handle, localFiles: async () => undefined, assets: { respond: () => undefined } };
  });
  if (!stream) throw new Error('The server made no stream.');
  return { port, stream };
}

market.apply(bench.listings);
const { port, stream } = startServer();
stream.publish(market.flush());

async function tick(order: Extract<ServerOrder, { do: 'tick' }>): Promise<SentTick[]> {
  const ticks: SentTick[] = [];
  for (let index = 0; index < order.count; index += 1) {
    const next = performance.now() + order.everyMs;
    market.apply(bench.trades(order.changing));
    const { bytes, clients } = stream.stats();
    const at = preciseNow();
    stream.publish(market.flush());
    ticks.push({ at, wire: clients === 0 ? 0 : (stream.stats().bytes - bytes) / clients });
    await Bun.sleep(Math.max(0, next - performance.now()));
  }
  return ticks;
}

serveParent<ServerOrder, ServerState>(async (order) => {
  const ticks = order.do === 'tick' ? await tick(order) : [];
  if (order.do === 'collect') Bun.gc(true);
  return { port, rss: process.memoryUsage.rss(), stats: stream.stats(), ticks };
});
