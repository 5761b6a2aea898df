import type { Row } from './row.ts';
import type { LoadOrder, LoadState } from './support/loadClients.ts';
import { startChild } from './support/pinned.ts';
import type { ServerOrder, ServerState } from './support/streamServer.ts';

const CLIENTS = 100;
const CHANGING = 600;
const TICK_MS = 1000;
const LIMIT_MB = 20;
/** Ticks that bring the server to its own size, and those whose highest memory theirs is compared with. */
const WARM_UP = 300;
const ALONE = 300;

/**
 * Clients that ask for the stream and never read. Compared is the highest resident memory with them against the
 * highest of the same server without any client, so that its own rise and fall between collections is not theirs.
 * @param minutes how long they stay; 5 is what the limit is for
 * @param tickMs shorter than a second sends more in less time
 */
export async function run(minutes = 5, tickMs = TICK_MS): Promise<Row[]> {
  const server = startChild<ServerOrder, ServerState>('streamServer.ts', 0);
  const load = startChild<LoadOrder, LoadState>('loadClients.ts', 1);
  const ticks = Math.max(1, Math.round((minutes * 60_000) / tickMs));
  const rest: ServerOrder = { do: 'tick', count: ticks, everyMs: tickMs, changing: CHANGING };
  try {
    const highest = async (count: number, everyMs: number): Promise<number> => {
      let most = 0;
      for (let left = count; left > 0; left -= 10) {
        const { rss } = await server.ask({ ...rest, count: Math.min(10, left), everyMs });
        most = Math.max(most, rss);
      }
      return most;
    };
    await server.ask({ ...rest, count: WARM_UP, everyMs: 20 });
    const alone = await highest(ALONE, 50);
    const { port } = await server.ask({ do: 'look' });
    await load.ask({ do: 'connect', port, count: CLIENTS, reading: false });
    const held = await highest(ticks, tickMs);
    const after = await server.ask({ do: 'look' });
    const grown = (held - alone) / 1024 / 1024;
    const { behind, cutOff, clients } = after.stats;
    return [
      {
        what: `Server memory with ${CLIENTS} clients that never read, ${ticks} ticks in ${minutes} minutes`,
        measured: `${grown < 0 ? '' : '+'}${grown.toFixed(1)} MB at most, to ${(held / 1024 / 1024).toFixed(0)} MB (${clients} still connected, ${behind} of them full, ${cutOff} cut off)`,
        target: `≤ +${LIMIT_MB} MB`,
        ok: grown <= LIMIT_MB,
      },
    ];
  } finally {
    await load.stop();
    await server.stop();
  }
}
