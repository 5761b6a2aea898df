import type { Stopwatch } from '../../lib/clock.ts';
import type { Client, Opening } from './client.ts';
import { GZIP_HEADER, pack } from './compressor.ts';
import { createDelivery, type DeliveryDeps, type DeliveryTotals } from './delivery.ts';
import { retryText, toBytes } from './event.ts';
import type { Message } from './message.ts';

const RETRY = toBytes(retryText(3000));
const GZIP_HELLO: Uint8Array = Buffer.concat([GZIP_HEADER, pack(RETRY)]);

export type BrokerDeps = DeliveryDeps & {
  clock: Stopwatch;
  /** Called when the first client came and when the last one left. */
  busy?(busy: boolean): void;
};

export type BrokerStats = DeliveryTotals & {
  clients: number;
  /** Clients that do not take gzip. */
  plain: number;
  /** Clients that are full and miss messages now. */
  behind: number;
};

export type OpenOptions = Pick<Client, 'address' | 'gzip' | 'refresh'> & { opening: Opening };

export type Broker = {
  /** A body for one client: the hello, the opening, then everything published from now on. */
  open(request: Request, options: OpenOptions): ReadableStream;
  /** How many clients an address has; null counts all. */
  count(address: string | null): number;
  /** Gives one message to every client; messages are published in the order of their places. */
  publish(message: Message): void;
  stats(): BrokerStats;
  /** Ends every stream. */
  close(): void;
};

function end(client: Client, { log, cutOff }: DeliveryDeps): void {
  client.release();
  try {
    client.controller.close();
  } catch (error) {
    log.debug('A stream was closed already', { error });
  }
  // A close waits behind what the client has not read.
  if (client.fullSince !== null) cutOff(client.request);
}

/** Clients and bytes; knows nothing of what the bytes mean. Every client is given the same arrays, never a copy. */
export function createBroker({ clock, busy, ...deps }: BrokerDeps): Broker {
  const clients = new Set<Client>();
  /** How many clients each address has. */
  const byAddress = new Map<string, number>();
  const delivery = createDelivery(deps);

  function add(client: Client): void {
    clients.add(client);
    const { address } = client;
    if (address !== null) byAddress.set(address, (byAddress.get(address) ?? 0) + 1);
    if (clients.size === 1) busy?.(true);
  }

  /** However a stream ends, it ends here. */
  function remove(client: Client): void {
    if (client.opening) clearTimeout(client.opening);
    client.opening = null;
    if (!clients.delete(client)) return;
    const { address } = client;
    const left = address === null ? 0 : (byAddress.get(address) ?? 1) - 1;
    if (address !== null && left > 0) byAddress.set(address, left);
    else if (address !== null) byAddress.delete(address);
    if (clients.size === 0) busy?.(false);
  }

  return {
    open(request, { address, gzip, opening, refresh }) {
      let client: Client | undefined;
      const release = (): void => client && remove(client);
      // No strategy that counts bytes, and no more than a few bytes before the answer has begun: with either,
      // Bun copies the opening for each client (140 KB instead of 8, measured) and never gives it back.
      return new ReadableStream<Uint8Array>({
        start(controller) {
          const state = { sizes: [], fullSince: null, opening: null, place: null, run: 0 };
          client = { request, address, gzip, refresh, controller, ...state, release };
          delivery.write(client, gzip ? GZIP_HELLO : RETRY);
          if (request.signal.aborted) return;
          add(client);
          client.opening = setTimeout(delivery.open, 0, client, opening);
          request.signal.addEventListener('abort', release, { once: true });
        },
        cancel: release,
      });
    },
    count: (address) => (address === null ? clients.size : (byAddress.get(address) ?? 0)),
    publish(message) {
      const now = clock.monotonic();
      for (const client of clients) {
        if (delivery.takes(client, now)) delivery.give(client, message);
      }
    },
    stats() {
      let plain = 0;
      let behind = 0;
      for (const { gzip, fullSince } of clients) {
        if (!gzip) plain += 1;
        if (fullSince !== null) behind += 1;
      }
      return { clients: clients.size, plain, behind, ...delivery.totals };
    },
    close() {
      for (const client of clients) end(client, deps);
    },
  };
}
