import type { Socket } from 'bun';
import { createPageReader, type PageEvent } from './pageStream.ts';
import { preciseNow } from './pinned.ts';

export type Probe = {
  /** When each event came since the last `reset`, epoch ms by `<epoch>-<seq>`. */
  times(): Record<string, number>;
  reset(): void;
  leave(): void;
};

/** The first page of a server: it is given each event before all others, and so tells when the server sent it. */
export async function openProbe(port: number): Promise<Probe> {
  let times: Record<string, number> = {};
  let hasBegun = false;
  const reader = createPageReader(({ id, name }: PageEvent) => {
    if (!id) return;
    if (name === 'delta_update') times[`${id.epoch}-${id.seq}`] = preciseNow();
    hasBegun = true;
  });
  const socket: Socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: { data: (_, piece) => reader.take(piece) },
  });
  socket.write('GET /api/data/stream HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-encoding: gzip\r\n\r\n');
  while (!hasBegun) await Bun.sleep(10);
  return {
    times: () => times,
    reset: () => {
      times = {};
    },
    leave: () => void socket.end(),
  };
}
