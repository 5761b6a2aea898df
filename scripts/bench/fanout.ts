import { percentile, type Row } from './row.ts';
import type { LoadOrder, LoadState } from './support/loadClients.ts';
import { type Child, startChild } from './support/pinned.ts';
import type { ServerOrder, ServerState } from './support/streamServer.ts';

const CLIENTS = 5000;
const CHANGING = 600;
const TICKS = 30;
const TICK_MS = 1000;
const LIMIT_MS = 200;
const LIMIT_KB = 15;
/** Numbers of clients. There are fewer bare ones, because many machines allow 20,000 files per process. */
const MANY = { stream: 10_000, bare: 9000 };
const OFTEN = { count: 80, everyMs: 250, changing: 170 };
const WARM_UP = 12;
const LIMIT_RATIO = 1.1;

/**
 * Measures one tick to 5,000 compressed clients over TCP, with a core each for server and clients. A delivery lasts
 * from just before the server builds the tick until the client has its last byte.
 */
export async function run(clients = CLIENTS, ticks = TICKS): Promise<Row[]> {
  const server = startChild<ServerOrder, ServerState>('streamServer.ts', 0);
  const load = startChild<LoadOrder, LoadState>('loadClients.ts', 1);
  try {
    const warm: ServerOrder = { do: 'tick', count: 20, everyMs: 20, changing: CHANGING };
    await server.ask(warm);
    const idle = await server.ask({ do: 'collect' });
    await load.ask({ do: 'connect', port: idle.port, count: clients });
    await load.ask({ do: 'arm' });
    const sent = await server.ask({ do: 'tick', count: ticks, everyMs: TICK_MS, changing: CHANGING });
    const result = await load.ask({ do: 'report', ticks: sent.ticks });
    const held = await server.ask({ do: 'look' });
    const kilobytes = (Math.max(sent.rss, held.rss) - idle.rss) / 1024 / clients;
    const often = await compare(server, load, clients);
    const lost = clients - result.complete;
    const p99 = percentileOf(result.latencies, 0.99);
    const place = server.pinned ? 'one core for the server, one for the clients' : 'not pinned to cores';
    return [
      {
        what: `Time to deliver a tick to ${clients} clients (${ticks} ticks of ${CHANGING} stocks, ${place})`,
        measured: `p50 ${percentileOf(result.latencies, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${bytesPerTick(sent)} per client`,
        target: `p99 ≤ ${LIMIT_MS} ms`,
        ok: p99 <= LIMIT_MS,
      },
      {
        what: 'Clients lost, or with missing bytes',
        measured: `${lost} (disconnected: ${result.closed}, resynchronised: ${held.stats.resynchronised})`,
        target: '0',
        ok: lost === 0,
      },
      {
        what: 'Server memory per client, resident after the ticks',
        measured: `${kilobytes.toFixed(1)} KB`,
        target: `≤ ${LIMIT_KB} KB`,
        ok: kilobytes <= LIMIT_KB,
      },
      often,
    ];
  } finally {
    await load.stop();
    await server.stop();
  }
}

type Server = Child<ServerOrder, ServerState>;

/**
 * Compares the server's processor time per delivery with one bare write of as many bytes. They take turns, because the
 * machine's speed changes. The clients must be connected.
 * @param clients number of clients
 */
async function compare(server: Server, load: Child<LoadOrder, LoadState>, clients: number): Promise<Row> {
  const { port, barePort } = await server.ask({ do: 'look' });
  await load.ask({ do: 'connect', port, count: MANY.stream - clients });
  await load.ask({ do: 'connect', port: barePort, count: MANY.bare });
  await server.ask({ do: 'compare', ...OFTEN, count: WARM_UP });
  const { cpu } = await server.ask({ do: 'compare', ...OFTEN });
  await load.ask({ do: 'leave' });
  const ofOne = (ms: number, count: number): number => (1000 * ms) / (OFTEN.count * count);
  const [stream, bare] = [ofOne(cpu.stream, MANY.stream), ofOne(cpu.bare, MANY.bare)];
  return {
    what: `CPU time of deliveries, ${MANY.stream} clients, four ticks of ${OFTEN.changing} stocks per second`,
    measured: `${stream.toFixed(1)} s per million; bare socket writes ${bare.toFixed(1)} s: ${(stream / bare).toFixed(2)} ×`,
    target: `≤ ${LIMIT_RATIO} ×`,
    ok: stream <= LIMIT_RATIO * bare,
  };
}

const percentileOf = (sorted: ArrayLike<number>, share: number): number =>
  percentile(Array.from(sorted), share);

const bytesPerTick = ({ ticks }: ServerState): string =>
  `${(ticks.reduce((sum, tick) => sum + tick.wire, 0) / Math.max(1, ticks.length) / 1000).toFixed(1)} kB`;
