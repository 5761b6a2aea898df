import { lazy } from '#lib/lazy.ts';
import { type Client, type Connection, directStream, type Opening } from './client.ts';
import {
  closingTexts,
  GZIP_HEADER,
  loneMessage,
  type Message,
  pack,
  retryTexts,
  toBytes,
} from './message.ts';
import { Delivery, type DeliveryDeps, type DeliveryTotals } from './delivery.ts';

type Hello = { plain: Uint8Array; packed: Uint8Array };
/**
 * The first bytes of streams, plain and compressed. They alternate, so that clients that are disconnected together
 * return at different times.
 */
const hellos = lazy((): Hello[] =>
  retryTexts().map((text) => {
    const plain = toBytes(text);
    return { plain, packed: Buffer.concat([GZIP_HEADER, pack(plain)]) };
  }),
);

export type BrokerDeps = DeliveryDeps & {
  /** Called when the first client connects and when the last one leaves. */
  busy?(busy: boolean): void;
};

export type BrokerStats = DeliveryTotals & {
  clients: number;
  plain: number;
  behind: number;
  /** Openings in flight, and those that wait for room. */
  inFlight: number;
  waitingToOpen: number;
};

export type OpenOptions = Pick<Client, 'address' | 'gzip' | 'refresh'> & {
  audience?: string | null;
  opening: Opening;
};

export type Broker = {
  /** A body for one client: the hello, the opening, then everything published from now on. */
  open(request: Request, options: OpenOptions): ReadableStream;
  count(address: string | null): number;
  /** The number of clients of each address that has at least this many. */
  addresses(least: number): Record<string, number>;
  countOf(audience: string): number;
  /** Sends a message to every client. Messages are published in the order of their places. */
  publish(message: Message): void;
  /** Sends a message without a place to the clients of an audience. */
  publishTo(audience: string, message: Message): void;
  endThose(isOver: (request: Request) => boolean): void;
  stats(): BrokerStats;
  /** Ends every stream, each with a delay for its return. */
  close(): void;
};

function end(client: Client, { log, cutOff }: Pick<DeliveryDeps, 'log' | 'cutOff'>): void {
  client.release();
  try {
    client.connection?.close();
  } catch (error) {
    log.debug('A stream was already closed', { error });
  }
  // Closing would wait until the client has read everything.
  if (client.fullSince !== null) cutOff(client.request);
}

class Clients {
  readonly all = new Set<Client>();
  readonly #byAddress = new Map<string, number>();
  readonly #byAudience = new Map<string, Set<Client>>();
  #hellos = 0;

  constructor(private readonly busy?: (busy: boolean) => void) {}

  of(audience: string): ReadonlySet<Client> {
    return this.#byAudience.get(audience) ?? new Set();
  }

  count(address: string | null): number {
    return address === null ? this.all.size : (this.#byAddress.get(address) ?? 0);
  }

  nextHello(): Hello {
    const all = hellos();
    this.#hellos += 1;
    const hello = all[(this.#hellos - 1) % all.length];
    if (!hello) throw new Error('A stream must begin with a message.');
    return hello;
  }

  addresses(least: number): Record<string, number> {
    return Object.fromEntries([...this.#byAddress].filter(([, count]) => count >= least));
  }

  add(client: Client): void {
    const { address, audience } = client;
    this.all.add(client);
    if (address !== null) this.#byAddress.set(address, this.count(address) + 1);
    const own = audience === null ? undefined : this.#byAudience.get(audience);
    if (own) own.add(client);
    else if (audience !== null) this.#byAudience.set(audience, new Set([client]));
    if (this.all.size === 1) this.busy?.(true);
  }

  remove(client: Client): void {
    client.opening?.cancel();
    client.opening = null;
    client.flight?.end();
    if (!this.all.delete(client)) return;
    const { address, audience } = client;
    const own = audience === null ? undefined : this.#byAudience.get(audience);
    own?.delete(client);
    if (own?.size === 0 && audience !== null) this.#byAudience.delete(audience);
    const left = address === null ? 0 : this.count(address) - 1;
    if (address !== null && left > 0) this.#byAddress.set(address, left);
    else if (address !== null) this.#byAddress.delete(address);
    if (this.all.size === 0) this.busy?.(false);
  }

  figures(): { clients: number; plain: number; behind: number } {
    let plain = 0;
    let behind = 0;
    for (const { gzip, fullSince } of this.all) {
      if (!gzip) plain += 1;
      if (fullSince !== null) behind += 1;
    }
    return { clients: this.all.size, plain, behind };
  }
}

/** If a body is closed while Bun requests its first bytes, nothing is sent, not even the headers. */
const closeSoon = (connection: Connection): void => void setImmediate(() => connection.close());

function openStream(
  request: Request,
  { opening, audience = null, ...options }: OpenOptions,
  clients: Clients,
  delivery: Delivery,
): ReadableStream {
  const state = { waiting: null, fullSince: null, opening: null, flight: null, place: null, run: 0 };
  const release = (): void => clients.remove(client);
  const client: Client = { request, audience, ...options, connection: null, ...state, release };
  const begin = (connection: Connection): void => {
    client.connection = connection;
    const { plain, packed } = clients.nextHello();
    delivery.write(client, options.gzip ? packed : plain);
    // The stream ended before it had a connection, and is no longer a client.
    if (!clients.all.has(client)) return closeSoon(connection);
    delivery.soon(client, opening);
  };
  // The client counts from now on, so that concurrent requests do not exceed the limits together.
  if (!request.signal.aborted) {
    clients.add(client);
    request.signal.addEventListener('abort', release, { once: true });
  }
  return directStream(begin, release);
}

function bidFarewell(clients: Clients, delivery: Delivery, deps: Pick<DeliveryDeps, 'log' | 'cutOff'>): void {
  // Compressing messages without a client is most of the cost of a close.
  if (clients.all.size === 0) return;
  const farewells = closingTexts().map((text) => loneMessage(toBytes(text)));
  let count = 0;
  for (const client of clients.all) {
    const farewell = farewells[count % farewells.length];
    count += 1;
    // Clients that do not read get nothing more.
    if (farewell && client.fullSince === null) delivery.send(client, farewell);
    end(client, deps);
  }
}

/** Clients and bytes, independent of their meaning. All clients share the same arrays. */
export function createBroker({ clock, busy, ...deps }: BrokerDeps): Broker {
  const clients = new Clients(busy);
  const delivery = new Delivery({ ...deps, clock });

  function publishAmong(some: Iterable<Client>, message: Message): void {
    const now = clock.monotonic();
    for (const client of some) {
      if (delivery.takes(client, now)) delivery.send(client, message);
    }
  }

  return {
    open: (request, options) => openStream(request, options, clients, delivery),
    count: (address) => clients.count(address),
    addresses: (least) => clients.addresses(least),
    countOf: (audience) => clients.of(audience).size,
    publish: (message) => publishAmong(clients.all, message),
    publishTo: (audience, message) => publishAmong(clients.of(audience), message),
    endThose(isOver) {
      for (const client of clients.all) {
        if (isOver(client.request)) end(client, deps);
      }
    },
    stats: () => ({ ...clients.figures(), ...delivery.openings(), ...delivery.totals }),
    close: () => bidFarewell(clients, delivery, deps),
  };
}
