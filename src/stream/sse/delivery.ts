import type { Log } from '../../lib/log.ts';
import { type Client, type Opening, waitingBytes } from './client.ts';
import { bytesFor, type Message } from './message.ts';

export type DeliveryLimits = {
  /** Bytes that may wait in memory for one client before it misses messages. */
  waitingBytes: number;
  /** How long a client may stay full before it is cut off, ms. */
  fullMs: number;
  /** How long between the steps of an opening, ms. */
  openingMs: number;
};

export type DeliveryDeps = {
  log: Log;
  limits: DeliveryLimits;
  /** Ends the connection of a request whose client does not read. */
  cutOff(request: Request): void;
};

/** Since the start. */
export type DeliveryTotals = {
  /** Messages not given to full clients. */
  dropped: number;
  /** Fresh states given to clients that were full and have read everything. */
  resynchronised: number;
  /** Connections ended because their client did not read. */
  cutOff: number;
  /** Bytes given to connections. */
  bytes: number;
};

export type Delivery = {
  totals: Readonly<DeliveryTotals>;
  /** Gives bytes as they stand. */
  write(client: Client, bytes: Uint8Array): void;
  /** Gives a message, in the form that the client can read. */
  give(client: Client, message: Message): void;
  /** Gives the client its opening, from this step on; nothing else until the opening is over. */
  open(client: Client, step: Opening): void;
  /** Whether the client is to get the message of this moment (by the stopwatch, ms); one that is full misses it. */
  takes(client: Client, now: number): boolean;
};

/** Gives bytes to a client's connection; while that takes no more they wait as references. */
function createQueue({ log }: DeliveryDeps, totals: DeliveryTotals) {
  function lose(client: Client, error: unknown): void {
    log.debug('A stream client was gone before its message', { error });
    client.release();
  }

  function send(client: Client, bytes: Uint8Array): void {
    try {
      // A promise says that the connection is full. What it could not send of this block it has copied.
      const taken = client.connection?.write(bytes) ?? 0;
      if (typeof taken === 'number') return;
      client.waiting = { blocks: [], bytes: bytes.byteLength };
      const lost = (error: unknown): void => lose(client, error);
      taken.then(() => goOn(client), lost);
    } catch (error) {
      lose(client, error);
    }
  }

  function put(client: Client, bytes: Uint8Array): void {
    const { waiting } = client;
    if (waiting === null) {
      send(client, bytes);
      return;
    }
    waiting.blocks.push(bytes);
    waiting.bytes += bytes.byteLength;
  }

  /** Sends what waited, until the connection is full again. */
  function goOn(client: Client): void {
    const blocks = client.waiting?.blocks ?? [];
    client.waiting = null;
    for (const block of blocks) put(client, block);
  }

  function write(client: Client, bytes: Uint8Array): void {
    totals.bytes += bytes.byteLength;
    put(client, bytes);
  }

  const give = (client: Client, message: Message): void => write(client, bytesFor(client, message));

  function giveAll(client: Client, messages: readonly Message[]): void {
    for (const message of messages) give(client, message);
  }

  return { write, give, giveAll };
}

/** Gives messages to single clients, and looks after those that read too slowly. */
export function createDelivery(deps: DeliveryDeps): Delivery {
  const { log, limits, cutOff } = deps;
  const totals: DeliveryTotals = { dropped: 0, resynchronised: 0, cutOff: 0, bytes: 0 };
  const { write, give, giveAll } = createQueue(deps, totals);

  function open(client: Client, step: Opening): void {
    client.opening = null;
    try {
      const { messages, next } = step();
      giveAll(client, messages);
      if (next) client.opening = setTimeout(open, limits.openingMs, client, next);
    } catch (error) {
      log.error('A stream could not be opened; its client will try again', { error });
      client.release();
      client.connection?.close();
    }
  }

  /** A full client that has drained gets a fresh state; one that stays full is cut off. */
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

  function takes(client: Client, now: number): boolean {
    if (client.connection === null || client.opening) return false;
    if (client.fullSince !== null) {
      recover(client, client.fullSince, now);
      return false;
    }
    if (waitingBytes(client) <= limits.waitingBytes) return true;
    client.fullSince = now;
    totals.dropped += 1;
    return false;
  }

  return { totals, write, give, open, takes };
}
