import type { Log } from '../lib/log.ts';
import type { Clock } from '../lib/clock.ts';
import { GZIP_HEADER, pack, unpack } from './compressor.ts';
import { retryText, toBytes } from './encoder.ts';

const RETRY = toBytes(retryText(3000));
const GZIP_HELLO: Uint8Array = Buffer.concat([GZIP_HEADER, pack(RETRY)]);

export type BrokerLimits = {
  /** Bytes that may wait in memory for one client before it misses messages. */
  waitingBytes: number;
  /** How long a client may stay full before it is cut off, ms. */
  fullMs: number;
  /** How long between the steps of an opening, ms. */
  openingMs: number;
};

export type BrokerDeps = {
  clock: Clock;
  log: Log;
  limits: BrokerLimits;
  /** Ends the connection of a request whose client does not read. */
  cutOff(request: Request): void;
  /** Called when the first client came and when the last one left. */
  busy?(busy: boolean): void;
};

/**
 * One step of what a client is given before the messages that everybody gets, asked for when its turn has come.
 * `next`, when there is one, has its turn a moment later; until the last the client gets nothing else.
 */
export type Opening = () => { blocks: readonly Uint8Array[]; next: Opening | null };

type Client = {
  request: Request;
  gzip: boolean;
  /** What the client needs to be up to date whatever it missed. */
  refresh: () => readonly Uint8Array[];
  controller: ReadableStreamDefaultController<Uint8Array>;
  /** Bytes of the blocks given last, at least of those that still wait. */
  sizes: number[];
  /** When the client began to miss messages, epoch ms; null while it keeps up. */
  fullSince: number | null;
  /** Runs until the opening's next step; null when the opening is over. */
  opening: ReturnType<typeof setTimeout> | null;
  /** Takes the client out; safe to call twice. */
  release: () => void;
};

export type BrokerStats = {
  clients: number;
  /** Clients that do not take gzip. */
  plain: number;
  /** Clients that are full and miss messages now. */
  behind: number;
  /** Since the start: messages not given to full clients, fresh states given to drained ones, connections ended. */
  dropped: number;
  resynchronised: number;
  cutOff: number;
  /** Bytes given to connections since the start. */
  bytes: number;
};

export type Broker = {
  /** A body for one client: the hello, the opening, then everything published from now on. */
  open(request: Request, gzip: boolean, opening: Opening, refresh: Client['refresh']): ReadableStream;
  /** Gives one packed message to every client. */
  publish(block: Uint8Array): void;
  stats(): BrokerStats;
  /** Ends every stream. */
  close(): void;
};

/** Clients and bytes; knows nothing of what the bytes mean. Every client is given the same array, never a copy. */
export function createBroker({ clock, log, limits, cutOff, busy }: BrokerDeps): Broker {
  const clients = new Set<Client>();
  const totals = { dropped: 0, resynchronised: 0, cutOff: 0, bytes: 0 };

  function add(client: Client): void {
    clients.add(client);
    if (clients.size === 1) busy?.(true);
  }

  function remove(client: Client): void {
    if (client.opening) clearTimeout(client.opening);
    client.opening = null;
    if (clients.delete(client) && clients.size === 0) busy?.(false);
  }

  function give(client: Client, block: Uint8Array): void {
    try {
      client.controller.enqueue(block);
      client.sizes.push(block.byteLength);
      totals.bytes += block.byteLength;
    } catch (error) {
      log.debug('A stream client was gone before its message', { error });
      client.release();
    }
  }

  function giveAll(client: Client, blocks: readonly Uint8Array[]): void {
    for (const block of blocks) give(client, client.gzip ? block : unpack(block));
  }

  function advance(client: Client, step: Opening): void {
    client.opening = null;
    try {
      const { blocks, next } = step();
      giveAll(client, blocks);
      if (next) client.opening = setTimeout(advance, limits.openingMs, client, next);
    } catch (error) {
      log.error('A stream could not be opened; its client will try again', { error });
      client.release();
      client.controller.close();
    }
  }

  /** Whether a full client is to get the message after all: once drained it gets a fresh state instead. */
  function recover(client: Client, fullSince: number, now: number): void {
    if (waitingBytes(client) === 0) {
      client.fullSince = null;
      totals.resynchronised += 1;
      giveAll(client, client.refresh());
      return;
    }
    totals.dropped += 1;
    if (now - fullSince < limits.fullMs) return;
    totals.cutOff += 1;
    client.release();
    cutOff(client.request);
    log.info('A stream client that did not read was cut off', { fullMs: now - fullSince });
  }

  return {
    open(request, gzip, opening, refresh) {
      let client: Client | undefined;
      const release = (): void => client && remove(client);
      // No strategy that counts bytes, and no more than a few bytes before the answer has begun: with either,
      // Bun copies the opening for each client (140 KB instead of 8, measured) and never gives it back.
      return new ReadableStream<Uint8Array>({
        start(controller) {
          client = { request, gzip, refresh, controller, sizes: [], fullSince: null, opening: null, release };
          give(client, gzip ? GZIP_HELLO : RETRY);
          if (request.signal.aborted) return;
          add(client);
          client.opening = setTimeout(advance, 0, client, opening);
          request.signal.addEventListener('abort', release, { once: true });
        },
        cancel: release,
      });
    },
    publish(block) {
      const now = clock.now();
      let plain: Uint8Array | undefined;
      for (const client of clients) {
        if (client.opening) continue;
        if (client.fullSince !== null) {
          recover(client, client.fullSince, now);
        } else if (waitingBytes(client) > limits.waitingBytes) {
          client.fullSince = now;
          totals.dropped += 1;
        } else {
          give(client, client.gzip ? block : (plain ??= unpack(block)));
        }
      }
    },
    stats() {
      let plain = 0;
      let behind = 0;
      for (const client of clients) {
        if (!client.gzip) plain += 1;
        if (client.fullSince !== null) behind += 1;
      }
      return { clients: clients.size, plain, behind, ...totals };
    },
    close() {
      for (const client of clients) {
        client.release();
        try {
          client.controller.close();
        } catch (error) {
          log.debug('A stream was closed already', { error });
        }
        // A close waits behind what the client has not read.
        if (client.fullSince !== null) cutOff(client.request);
      }
    },
  };
}

/** Bytes that wait in memory because the client has not read them. */
function waitingBytes({ controller, sizes }: Client): number {
  const blocks = 1 - (controller.desiredSize ?? 1);
  if (sizes.length > blocks) sizes.splice(0, sizes.length - Math.max(0, blocks));
  return sizes.reduce((sum, size) => sum + size, 0);
}
