import type { Socket } from 'bun';
import { preciseNow, serveSupervisor } from './pinned.ts';

export type LoadOrder =
  | { do: 'connect'; port: number; count: number }
  | { do: 'arm' }
  | { do: 'leave' }
  | { do: 'report'; ticks: { at: number; wire: number }[] };

export type LoadState = {
  open: number;
  closed: number;
  /** Number of clients that received every byte of every tick since `arm`. */
  complete: number;
  /** Durations of deliveries, ms, sorted: one per client and tick. */
  latencies: Float64Array;
};

type Mark = { at: number; bytes: number };
type Load = { bytes: number; tail: string; marks: Mark[]; open: boolean; leave: () => void };

const BATCH = 50;
/** End of a block: an empty stored block, then the line break that ends its chunk. */
const BLOCK_END = Buffer.from([0, 0, 0xff, 0xff, 13, 10]).toString('latin1');
const REQUEST = 'GET /api/data/stream HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-encoding: gzip\r\n\r\n';

const loads: Load[] = [];

function take(socket: Socket<Load>, bytes: Buffer): void {
  const load = socket.data;
  load.bytes += bytes.byteLength;
  const end = bytes.toString('latin1', Math.max(0, bytes.byteLength - BLOCK_END.length));
  load.tail = (load.tail + end).slice(-BLOCK_END.length);
  if (load.tail === BLOCK_END) load.marks.push({ at: preciseNow(), bytes: load.bytes });
}

async function join(port: number): Promise<void> {
  const load: Load = { bytes: 0, tail: '', marks: [], open: true, leave: () => {} };
  loads.push(load);
  const gone = (): void => {
    load.open = false;
  };
  const socket = await Bun.connect<Load>({
    hostname: '127.0.0.1',
    port,
    data: load,
    socket: { data: take, close: gone, error: gone },
  });
  load.leave = () => socket.end();
  socket.write(REQUEST);
}

async function settled(): Promise<void> {
  for (let before = -1, now = 0; before !== now; ) {
    before = now;
    await Bun.sleep(500);
    now = loads.reduce((sum, load) => sum + load.bytes, 0);
  }
}

function report(ticks: { at: number; wire: number }[]): Pick<LoadState, 'complete' | 'latencies'> {
  const latencies: number[] = [];
  let complete = 0;
  for (const load of loads) {
    let due = 0;
    let got = 0;
    for (const tick of ticks) {
      due += tick.wire;
      const mark = load.marks.find(({ bytes }) => bytes >= due);
      if (!mark) break;
      latencies.push(mark.at - tick.at);
      got += 1;
    }
    if (got === ticks.length) complete += 1;
  }
  return { complete, latencies: Float64Array.from(latencies).sort() };
}

serveSupervisor<LoadOrder, LoadState>(async (order) => {
  let result: Pick<LoadState, 'complete' | 'latencies'> = { complete: 0, latencies: new Float64Array() };
  if (order.do === 'connect') {
    for (let left = order.count; left > 0; left -= BATCH) {
      await Promise.all(Array.from({ length: Math.min(BATCH, left) }, () => join(order.port)));
    }
    await settled();
  } else if (order.do === 'leave') {
    for (const load of loads.splice(0)) load.leave();
    await Bun.sleep(500);
  } else if (order.do === 'arm') {
    for (const load of loads) Object.assign(load, { bytes: 0, tail: '', marks: [] });
  } else {
    await settled();
    result = report(order.ticks);
  }
  const open = loads.filter((load) => load.open).length;
  return { open, closed: loads.length - open, ...result };
});
