import { applyDelta, type Delta, readStocks, type Snapshot, type StreamMeta } from '#market/rules/stream.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { createLog, type LogLine } from '#lib/log.ts';
import { createMarket } from '#market/market.ts';
import { StreamHub, type StreamHubNeeds } from '#market/stream/hub.ts';
import { openStreamClient, type StreamClient } from './streamClient.ts';
import { appOf } from './appOf.ts';

export const STREAM_NOW = fromSydney('2026-11-19', 11, 0);

/** A hub with a manual market, behind a real server on a free port. */
export function startStreamServer(more: Partial<StreamHubNeeds> = {}) {
  const clock = { time: STREAM_NOW, now: () => clock.time, monotonic: () => clock.time };
  const lines: LogLine[] = [];
  const market = createMarket({ clock });
  const meta: StreamMeta = {
    stockCount: 0,
    dateToday: '2026-11-19',
    flags: { ignoreStatus: false },
    feed: {
      name: 'test',
      label: 'Live',
      delayMinutes: 0,
      lastUpdate: STREAM_NOW,
      healthy: true,
      problem: null,
    },
    announcements: null,
    calendar: null,
    marketTime: STREAM_NOW,
    clockOffsetMs: 0,
    clockSpeed: 1,
  };
  const log = createLog((line) => lines.push(line));
  const hub = new StreamHub(appOf({ clock, log }), {
    market,
    meta: () => ({ ...meta, stockCount: market.all().size, marketTime: clock.time }),
    cutOff: (request) => server.timeout(request, 1),
    epoch: 'run',
    pingMs: 3_600_000,
    ...more,
  });
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, own) {
      own.timeout(request, 0);
      return hub.open(request);
    },
  });
  const port = server.port ?? 0;
  const clients: StreamClient[] = [];
  return {
    hub,
    market,
    meta,
    clock,
    lines,
    port,
    /** Changes one stock and sends the tick. */
    tick(code: string, last: number): void {
      market.apply([{ code, last, close: 1, status: 'Open' }]);
      hub.publish(market.flush());
    },
    client(path?: string, headers?: Record<string, string>): StreamClient {
      const client = openStreamClient(port, path, headers);
      clients.push(client);
      return client;
    },
    async stop(): Promise<void> {
      for (const client of clients) client.leave();
      hub.close();
      await server.stop(true);
    },
  };
}

export type StreamServer = ReturnType<typeof startStreamServer>;

export const has = (count: number) => (client: StreamClient) => client.events.length >= count;

/** What a browser would know after these events: the last prices. */
export function stateOf(client: StreamClient): Record<string, number | null> {
  let stocks: ReturnType<typeof readStocks> = new Map();
  for (const { event, data } of client.events) {
    if (event === 'snapshot') stocks = readStocks((data as Snapshot).stocks);
    if (event === 'delta_update') stocks = applyDelta(stocks, data as Delta);
  }
  return Object.fromEntries([...stocks].map(([code, stock]) => [code, stock.last]).sort());
}
