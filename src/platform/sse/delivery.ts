import type { Stopwatch } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { type Client, type Flight, type Opening, type OpeningStep, waitingBytes } from './client.ts';
import { createFlights, type Flights } from './flights.ts';
import { bytesFor, type Message } from './message.ts';
import { createOpeningTurns, type OpeningTurns } from './openingTurns.ts';

export type DeliveryLimits = {
  /** Bytes that may wait in memory for one client before it misses messages. */
  waitingBytes: number;
  /** How long a client may stay full before it is cut off, ms. */
  fullMs: number;
  /** How long between the steps of an opening, ms. */
  openingMs: number;
  /** How long an opening may be on its way, and how long without any progress, ms. */
  flightMs: number;
  stuckMs: number;
  /** Openings that may be on their way at once: of all, and of one address. */
  flights: { all: number; perAddress: number };
};

export type DeliveryDeps = {
  clock: Stopwatch;
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
  openings: Flights['figures'];
  /** Gives bytes as they stand. */
  write(client: Client, bytes: Uint8Array): void;
  /** Gives a message, in the form that the client can read. */
  give(client: Client, message: Message): void;
  /** Gives the client its opening, from this step on, when its turn comes; nothing else until it is given. */
  soon(client: Client, step: Opening): void;
  /** Whether the client is to get the message of this moment (by the stopwatch, ms); one that is full misses it. */
  takes(client: Client, now: number): boolean;
};

/**
 * What a connection is given at once at most. Of what it does not take it makes a copy: of an opening of megabytes that
 * nobody reads it would be megabytes for each client.
 */
const PIECE_BYTES = 64 * 1024;

/** Gives bytes to a client's connection; while that takes no more they wait as references. */
function createQueue({ clock, log }: Pick<DeliveryDeps, 'clock' | 'log'>, totals: DeliveryTotals) {
  function lose(client: Client, error: unknown): void {
    log.debug('A stream client was gone before its message', { error });
    client.release();
  }

  function send(client: Client, bytes: Uint8Array, isCounted: boolean): void {
    try {
      // A promise says that the connection is full. What it could not send of this block it has copied.
      const taken = client.connection?.write(bytes) ?? 0;
      if (typeof taken === 'number') return;
      client.waiting = { blocks: [], bytes: isCounted ? bytes.byteLength : 0 };
      const lost = (error: unknown): void => lose(client, error);
      taken.then(() => goOn(client), lost);
    } catch (error) {
      lose(client, error);
    }
  }

  function put(client: Client, bytes: Uint8Array, isCounted: boolean): void {
    const { waiting } = client;
    if (waiting !== null) {
      waiting.blocks.push({ bytes, isCounted });
      if (isCounted) waiting.bytes += bytes.byteLength;
      return;
    }
    if (bytes.byteLength <= PIECE_BYTES) {
      send(client, bytes, isCounted);
      return;
    }
    for (let from = 0; from < bytes.byteLength; from += PIECE_BYTES) {
      put(client, bytes.subarray(from, from + PIECE_BYTES), isCounted);
    }
  }

  /** Sends what waited, until the connection is full again. */
  function goOn(client: Client): void {
    const blocks = client.waiting?.blocks ?? [];
    client.waiting = null;
    for (const { bytes, isCounted } of blocks) put(client, bytes, isCounted);
    if (client.flight) client.flight.progressAt = clock.monotonic();
    if (client.waiting === null) client.flight?.end();
  }

  function write(client: Client, bytes: Uint8Array, isCounted = true): void {
    totals.bytes += bytes.byteLength;
    put(client, bytes, isCounted);
  }

  return {
    write,
    give: (client: Client, message: Message): void => write(client, bytesFor(client, message)),
  };
}

/** Gives openings, as many at once as there is room for; each step when its turn comes. */
function createOpenings(
  { clock, log, limits }: DeliveryDeps,
  flights: Flights,
  turns: OpeningTurns,
  write: (client: Client, bytes: Uint8Array, isCounted: boolean) => void,
) {
  function fail(client: Client, error: unknown): void {
    log.error('A stream could not be opened; its client will try again', { error });
    client.release();
    client.connection?.close();
  }

  function begin(client: Client): Flight {
    const now = clock.monotonic();
    const holds = [flights.take(client)];
    const end = (): void => {
      client.flight = null;
      for (const letGo of holds.splice(0)) letGo();
    };
    return { since: now, progressAt: now, holds, end };
  }

  /** The opening is on its way while the connection has not taken all of it. */
  function fly(client: Client, hold: OpeningStep['hold']): void {
    if (client.waiting === null) return;
    client.flight ??= begin(client);
    if (hold) client.flight.holds.push(hold());
  }

  function runAfter(client: Client, { next, after }: OpeningStep): void {
    if (!next) return;
    const go = (): void => soon(client, next);
    if (!after) {
      const timer = setTimeout(go, limits.openingMs);
      client.opening = { cancel: () => clearTimeout(timer) };
      return;
    }
    const waiting = { cancel: () => {} };
    client.opening = waiting;
    // Who left meanwhile waits for nothing.
    after.then(
      () => {
        if (client.opening === waiting) go();
      },
      (error: unknown) => {
        if (client.opening === waiting) fail(client, error);
      },
    );
  }

  function open(client: Client, step: Opening): void {
    client.opening = null;
    if (client.flight === null && !flights.hasRoom(client)) {
      client.opening = { cancel: flights.whenRoom(client, () => open(client, step)) };
      return;
    }
    try {
      const done = step();
      for (const message of done.messages) write(client, bytesFor(client, message), false);
      fly(client, done.hold);
      runAfter(client, done);
    } catch (error) {
      fail(client, error);
    }
  }

  function soon(client: Client, step: Opening): void {
    client.opening = { cancel: turns.add(() => open(client, step)) };
  }
  return soon;
}

/** Gives messages to single clients, and looks after those that read too slowly. */
export function createDelivery(deps: DeliveryDeps): Delivery {
  const { log, limits, cutOff } = deps;
  const totals: DeliveryTotals = { dropped: 0, resynchronised: 0, cutOff: 0, bytes: 0 };
  const { write, give } = createQueue(deps, totals);
  const turns = createOpeningTurns(deps.clock);
  const flights = createFlights(limits.flights, turns);
  const soon = createOpenings(deps, flights, turns, write);

  function cut(client: Client, about: Record<string, number>): void {
    totals.cutOff += 1;
    client.release();
    cutOff(client.request);
    log.info('A stream client that did not read was cut off', about);
  }

  /** A full client that has drained gets a fresh state; one that stays full is cut off. */
  function recover(client: Client, fullSince: number, now: number): void {
    if (client.waiting === null) {
      client.fullSince = null;
      totals.resynchronised += 1;
      soon(client, client.refresh);
      return;
    }
    totals.dropped += 1;
    if (now - fullSince >= limits.fullMs) cut(client, { fullMs: now - fullSince });
  }

  /** Whether an opening does not arrive. */
  const isStuck = ({ flight }: Client, now: number): boolean =>
    flight !== null && (now - flight.progressAt >= limits.stuckMs || now - flight.since >= limits.flightMs);

  function takes(client: Client, now: number): boolean {
    if (client.connection === null) return false;
    if (isStuck(client, now)) {
      cut(client, { openingMs: now - (client.flight?.since ?? now) });
      return false;
    }
    if (client.opening) return false;
    if (client.fullSince !== null) {
      recover(client, client.fullSince, now);
      return false;
    }
    if (waitingBytes(client) <= limits.waitingBytes) return true;
    client.fullSince = now;
    totals.dropped += 1;
    return false;
  }

  return { totals, openings: flights.figures, write, give, soon, takes };
}
