import { lazy } from '../../lib/lazy.ts';
import type { Client, Opening } from './client.ts';
import { GZIP_HEADER, pack } from './compressor.ts';
import { createDelivery, type DeliveryDeps, type DeliveryTotals } from './delivery.ts';
import { type Connection, directStream } from './directStream.ts';
import { closingTexts, retryText, toBytes } from './event.ts';
import { loneMessage, type Message } from './message.ts';

const RETRY = toBytes(retryText(3000));
const gzipHello = lazy((): Uint8Array => Buffer.concat([GZIP_HEADER, pack(RETRY)]));

export type BrokerDeps = DeliveryDeps & {
  /** Called when the first client came and when the last one left. */
  busy?(busy: boolean): void;
};

export type BrokerStats = DeliveryTotals & {
  clients: number;
  /** Clients that do not take gzip. */
  plain: number;
  /** Clients that are full and miss messages now. */
  behind: number;
  /** Openings that connections have not taken whole, and those that wait for one of their places. */
  inFlight: number;
  waitingToOpen: number;
};

export type OpenOptions = Pick<Client, 'address' | 'gzip' | 'refresh'> & {
  /** Nobody's when absent. */
  audience?: string | null;
  opening: Opening;
};

export type Broker = {
  /** A body for one client: the hello, the opening, then everything published from now on. */
  open(request: Request, options: OpenOptions): ReadableStream;
  /** How many clients an address has; null counts all. */
  count(address: string | null): number;
  /** How many clients an audience has. */
  countOf(audience: string): number;
  /** Gives one message to every client; messages are published in the order of their places. */
  publish(message: Message): void;
  /** Gives one message, which has no place, to the clients of an audience. */
  publishTo(audience: string, message: Message): void;
  /** Ends the streams of these requests. */
  endThose(isOver: (request: Request) => boolean): void;
  stats(): BrokerStats;
  /** Ends every stream, each with a word on when to come back. */
  close(): void;
};

function end(client: Client, { log, cutOff }: Pick<DeliveryDeps, 'log' | 'cutOff'>): void {
  client.release();
  try {
    client.connection?.close();
  } catch (error) {
    log.debug('A stream was closed already', { error });
  }
  // A close waits behind what the client has not read.
  if (client.fullSince !== null) cutOff(client.request);
}

/** The clients of each audience. */
function createAudiences() {
  const byAudience = new Map<string, Set<Client>>();
  return {
    of: (audience: string): ReadonlySet<Client> => byAudience.get(audience) ?? new Set(),
    add(client: Client): void {
      if (client.audience === null) return;
      const own = byAudience.get(client.audience);
      if (own) own.add(client);
      else byAudience.set(client.audience, new Set([client]));
    },
    remove(client: Client): void {
      const own = client.audience === null ? undefined : byAudience.get(client.audience);
      own?.delete(client);
      if (own?.size === 0 && client.audience !== null) byAudience.delete(client.audience);
    },
  };
}

/** Clients and bytes; knows nothing of what the bytes mean. Every client is given the same arrays, never a copy. */
export function createBroker({ clock, busy, ...deps }: BrokerDeps): Broker {
  const clients = new Set<Client>();
  /** How many clients each address has. */
  const byAddress = new Map<string, number>();
  const audiences = createAudiences();
  const delivery = createDelivery({ ...deps, clock });

  function add(client: Client): void {
    clients.add(client);
    audiences.add(client);
    const { address } = client;
    if (address !== null) byAddress.set(address, (byAddress.get(address) ?? 0) + 1);
    if (clients.size === 1) busy?.(true);
  }

  /** However a stream ends, it ends here. */
  function remove(client: Client): void {
    client.opening?.cancel();
    client.opening = null;
    client.flight?.end();
    if (!clients.delete(client)) return;
    audiences.remove(client);
    const { address } = client;
    const left = address === null ? 0 : (byAddress.get(address) ?? 1) - 1;
    if (address !== null && left > 0) byAddress.set(address, left);
    else if (address !== null) byAddress.delete(address);
    if (clients.size === 0) busy?.(false);
  }

  function publishAmong(some: Iterable<Client>, message: Message): void {
    const now = clock.monotonic();
    for (const client of some) {
      if (delivery.takes(client, now)) delivery.give(client, message);
    }
  }

  return {
    open(request, { opening, audience = null, ...options }) {
      const state = { waiting: null, fullSince: null, opening: null, flight: null, place: null, run: 0 };
      const release = (): void => remove(client);
      const client: Client = { request, audience, ...options, connection: null, ...state, release };
      const begin = (connection: Connection): void => {
        client.connection = connection;
        delivery.write(client, options.gzip ? gzipHello() : RETRY);
        delivery.soon(client, opening);
      };
      // It counts from now on, so that many requests at once do not pass the limits together.
      if (!request.signal.aborted) {
        add(client);
        request.signal.addEventListener('abort', release, { once: true });
      }
      return directStream(begin, release);
    },
    count: (address) => (address === null ? clients.size : (byAddress.get(address) ?? 0)),
    countOf: (audience) => audiences.of(audience).size,
    publish: (message) => publishAmong(clients, message),
    publishTo: (audience, message) => publishAmong(audiences.of(audience), message),
    endThose(isOver) {
      for (const client of clients) {
        if (isOver(client.request)) end(client, deps);
      }
    },
    stats() {
      let plain = 0;
      let behind = 0;
      for (const { gzip, fullSince } of clients) {
        if (!gzip) plain += 1;
        if (fullSince !== null) behind += 1;
      }
      return { clients: clients.size, plain, behind, ...delivery.openings(), ...delivery.totals };
    },
    close() {
      // To pack what nobody hears is most of what a close costs.
      if (clients.size === 0) return;
      const farewells = closingTexts().map((text) => loneMessage(toBytes(text)));
      let count = 0;
      for (const client of clients) {
        const farewell = farewells[count % farewells.length];
        count += 1;
        // Who does not read hears nothing more.
        if (farewell && client.fullSince === null) delivery.give(client, farewell);
        end(client, deps);
      }
    },
  };
}
