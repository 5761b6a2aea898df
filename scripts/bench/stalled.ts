import type { Row } from './row.ts';
import type { LoadOrder, LoadState } from './support/loadClients.ts';
import { startChild } from './support/pinned.ts';
import type { ServerOrder, ServerState } from './support/streamServer.ts';

const CLIENTS = 100;
const CHANGING = 600;
const TICK_MS = 1000;
const LIMIT_MB = 20;

/**
 * Clients that ask for the stream and never read. The server ticks as long without them first, so that what
 * it grows by itself is not counted as theirs.
 * @param minutes how long they stay; 5 is what the limit is for
 * @param tickMs shorter than a second sends more in less time
 */
export async function run(minutes = 5, tickMs = TICK_MS): Promise<Row[]> {
  const server = startChild<ServerOrder, ServerState>('streamServer.ts', 0);
  const load = startChild<LoadOrder, LoadState>('loadClients.ts', 1);
  const ticks = Math.max(1, Math.round((minutes * 60_000) / tickMs));
  const rest: ServerOrder = { do: 'tick', count: ticks, everyMs: tickMs, changing: CHANGING };
  try {
    await server.ask({ ...rest, count: 200, everyMs: 20 });
    const before = await server.ask({ do: 'collect' });
    await load.ask({ do: 'connect', port: before.port, count: CLIENTS, reading: false });
    let highest = 0;
    for (let left = ticks; left > 0; left -= 10) {
      const { rss } = await server.ask({ ...rest, count: Math.min(10, left) });
      highest = Math.max(highest, rss);
    }
    const after = await server.ask({ do: 'look' });
    const grown = (highest - before.rss) / 1024 / 1024;
    const { behind, cutOff, clients } = after.stats;
    return [
      {
        what: `Server memory with ${CLIENTS} clients that never read, ${ticks} ticks in ${minutes} minutes`,
        measured: `+${grown.toFixed(1)} MB at most (${clients} still connected, ${behind} of them full, ${cutOff} cut off)`,
        target: `≤ +${LIMIT_MB} MB`,
        ok: grown <= LIMIT_MB,
      },
    ];
  } finally {
    await load.stop();
    await server.stop();
  }
}
