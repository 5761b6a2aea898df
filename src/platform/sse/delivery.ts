import type { Stopwatch } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { type Client, type Flight, type Opening, type OpeningStep, waitingBytes } from './client.ts';
import { bytesFor, type Message } from './message.ts';

/** Steps in one turn of the loop take at most about this long, ms. */
const SLICE_MS = 4;

/** Steps of openings in their order, spread over turns of the loop. */
type OpeningTurns = {
  /** Runs a step in a later turn of the loop; it must catch its errors. The returned function cancels it. */
  add(step: () => void): () => void;
};

function createOpeningTurns(clock: Stopwatch, later: (run: () => void) => void = setImmediate): OpeningTurns {
  const queue = new Set<{ step: () => void }>();
  let isPlanned = false;

  function plan(): void {
    if (isPlanned || queue.size === 0) return;
    isPlanned = true;
    later(work);
  }

  function work(): void {
    isPlanned = false;
    const until = clock.monotonic() + SLICE_MS;
    for (const entry of queue) {
      queue.delete(entry);
      entry.step();
      if (clock.monotonic() >= until) break;
    }
    plan();
  }

  return {
    add(step) {
      const entry = { step };
      queue.add(entry);
      plan();
      return () => void queue.delete(entry);
    },
  };
}

/** Openings in flight. Each uses memory for its snapshot and the part that the connection copied. */
class Flights {
  readonly #byAddress = new Map<string, number>();
  readonly #queue = new Set<{ client: Client; run: () => void }>();
  #all = 0;
  #isPlanned = false;

  constructor(
    private readonly limits: { all: number; perAddress: number },
    private readonly turns: OpeningTurns,
  ) {}

  hasRoom({ address }: Client): boolean {
    const { all, perAddress } = this.limits;
    return this.#all < all && (address === null || (this.#byAddress.get(address) ?? 0) < perAddress);
  }

  /** Calls `run` when there is room, in order. The returned function cancels it. */
  whenRoom(client: Client, run: () => void): () => void {
    const entry = { client, run };
    this.#queue.add(entry);
    return () => void this.#queue.delete(entry);
  }

  /** Takes a place. @returns a function that frees it, safe to call twice */
  take({ address }: Client): () => void {
    let isCounted = true;
    this.#count(address, 1);
    return () => {
      if (!isCounted) return;
      isCounted = false;
      this.#count(address, -1);
      this.#plan();
    };
  }

  figures(): { inFlight: number; waitingToOpen: number } {
    return { inFlight: this.#all, waitingToOpen: this.#queue.size };
  }

  #count(address: string | null, change: number): void {
    this.#all += change;
    if (address === null) return;
    const own = (this.#byAddress.get(address) ?? 0) + change;
    if (own > 0) this.#byAddress.set(address, own);
    else this.#byAddress.delete(address);
  }

  #plan(): void {
    if (this.#isPlanned || this.#queue.size === 0) return;
    this.#isPlanned = true;
    this.turns.add(() => this.#goOn());
  }

  /** Continues one opening at a time, because only afterwards is it known whether it takes a place. */
  #goOn(): void {
    this.#isPlanned = false;
    if (this.#all >= this.limits.all) return;
    for (const entry of this.#queue) {
      if (!this.hasRoom(entry.client)) continue;
      this.#queue.delete(entry);
      entry.run();
      this.#plan();
      return;
    }
  }
}

export type DeliveryLimits = {
  /** Bytes that may wait for one client before it misses messages. */
  waitingBytes: number;
  /** How long a client may miss messages before it is cut off, ms. */
  fullMs: number;
  openingMs: number;
  /** How long an opening may take, and how long without progress, ms. */
  flightMs: number;
  stuckMs: number;
  flights: { all: number; perAddress: number };
};

export type DeliveryDeps = {
  clock: Stopwatch;
  log: Log;
  limits: DeliveryLimits;
  cutOff(request: Request): void;
};

export type DeliveryTotals = {
  dropped: number;
  resynchronised: number;
  cutOff: number;
  bytes: number;
};

/** The largest piece for a connection, which copies unsent bytes: megabytes for each client otherwise. */
const CHUNK_BYTES = 64 * 1024;

/** Writes bytes to a client's connection. While it is full, they wait as references. */
class Queue {
  constructor(
    private readonly deps: Pick<DeliveryDeps, 'clock' | 'log'>,
    private readonly totals: DeliveryTotals,
  ) {}

  write(client: Client, bytes: Uint8Array, isCounted = true): void {
    this.totals.bytes += bytes.byteLength;
    this.#put(client, bytes, isCounted);
  }

  #put(client: Client, bytes: Uint8Array, isCounted: boolean): void {
    const { waiting } = client;
    if (waiting !== null) {
      waiting.blocks.push({ bytes, isCounted });
      if (isCounted) waiting.bytes += bytes.byteLength;
      return;
    }
    if (bytes.byteLength <= CHUNK_BYTES) {
      this.#send(client, bytes, isCounted);
      return;
    }
    for (let from = 0; from < bytes.byteLength; from += CHUNK_BYTES) {
      this.#put(client, bytes.subarray(from, from + CHUNK_BYTES), isCounted);
    }
  }

  #send(client: Client, bytes: Uint8Array, isCounted: boolean): void {
    try {
      // A promise means that the connection is full. It has copied the unsent part of this block.
      const written = client.connection?.write(bytes) ?? 0;
      if (typeof written === 'number') return;
      client.waiting = { blocks: [], bytes: isCounted ? bytes.byteLength : 0 };
      const lost = (error: unknown): void => this.#lose(client, error);
      written.then(() => this.#goOn(client), lost);
    } catch (error) {
      this.#lose(client, error);
    }
  }

  #goOn(client: Client): void {
    const blocks = client.waiting?.blocks ?? [];
    client.waiting = null;
    for (const { bytes, isCounted } of blocks) this.#put(client, bytes, isCounted);
    if (client.flight) client.flight.progressAt = this.deps.clock.monotonic();
    if (client.waiting === null) client.flight?.end();
  }

  #lose(client: Client, error: unknown): void {
    this.deps.log.debug('A stream client disconnected before its message was sent', { error });
    client.release();
  }
}

/** Sends openings step by step, as many as there is room for. */
class Openings {
  constructor(
    private readonly deps: DeliveryDeps,
    private readonly flights: Flights,
    private readonly turns: OpeningTurns,
    private readonly queue: Queue,
  ) {}

  soon(client: Client, step: Opening): void {
    client.opening = { cancel: this.turns.add(() => this.#open(client, step)) };
  }

  #open(client: Client, step: Opening): void {
    client.opening = null;
    if (client.flight === null && !this.flights.hasRoom(client)) {
      client.opening = { cancel: this.flights.whenRoom(client, () => this.#open(client, step)) };
      return;
    }
    try {
      const done = step();
      for (const message of done.messages) this.queue.write(client, bytesFor(client, message), false);
      this.#fly(client, done.hold);
      this.#runAfter(client, done);
    } catch (error) {
      this.#fail(client, error);
    }
  }

  #fly(client: Client, hold: OpeningStep['hold']): void {
    if (client.waiting === null) return;
    client.flight ??= this.#begin(client);
    if (hold) client.flight.holds.push(hold());
  }

  #begin(client: Client): Flight {
    const now = this.deps.clock.monotonic();
    const holds = [this.flights.take(client)];
    const end = (): void => {
      client.flight = null;
      for (const letGo of holds.splice(0)) letGo();
    };
    return { since: now, progressAt: now, holds, end };
  }

  #runAfter(client: Client, { next, after }: OpeningStep): void {
    if (!next) return;
    const go = (): void => this.soon(client, next);
    if (!after) {
      const timer = setTimeout(go, this.deps.limits.openingMs);
      client.opening = { cancel: () => clearTimeout(timer) };
      return;
    }
    const waiting = { cancel: () => {} };
    client.opening = waiting;
    after.then(
      () => {
        if (client.opening === waiting) go();
      },
      (error: unknown) => {
        if (client.opening === waiting) this.#fail(client, error);
      },
    );
  }

  #fail(client: Client, error: unknown): void {
    this.deps.log.error('Could not open a stream; its client will try again', { error });
    client.release();
    client.connection?.close();
  }
}

const isStuck = ({ flight }: Client, now: number, { stuckMs, flightMs }: DeliveryLimits): boolean =>
  flight !== null && (now - flight.progressAt >= stuckMs || now - flight.since >= flightMs);

/** Sends messages to single clients, and handles those that read too slowly. */
export class Delivery {
  readonly totals: DeliveryTotals = { dropped: 0, resynchronised: 0, cutOff: 0, bytes: 0 };
  readonly #queue: Queue;
  readonly #flights: Flights;
  readonly #openings: Openings;

  constructor(private readonly deps: DeliveryDeps) {
    const turns = createOpeningTurns(deps.clock);
    this.#queue = new Queue(deps, this.totals);
    this.#flights = new Flights(deps.limits.flights, turns);
    this.#openings = new Openings(deps, this.#flights, turns, this.#queue);
  }

  openings(): ReturnType<Flights['figures']> {
    return this.#flights.figures();
  }

  write(client: Client, bytes: Uint8Array): void {
    this.#queue.write(client, bytes);
  }

  send(client: Client, message: Message): void {
    this.#queue.write(client, bytesFor(client, message));
  }

  /** Sends the client its opening from this step on. It gets nothing else until then. */
  soon(client: Client, step: Opening): void {
    this.#openings.soon(client, step);
  }

  /** Whether the client can take a message now (by the stopwatch, ms). A full one misses it. */
  takes(client: Client, now: number): boolean {
    const { limits } = this.deps;
    if (client.connection === null) return false;
    if (isStuck(client, now, limits)) {
      this.#cut(client, { openingMs: now - (client.flight?.since ?? now) });
      return false;
    }
    if (client.opening) return false;
    if (client.fullSince !== null) {
      this.#recover(client, client.fullSince, now);
      return false;
    }
    if (waitingBytes(client) <= limits.waitingBytes) return true;
    client.fullSince = now;
    this.totals.dropped += 1;
    return false;
  }

  /** A client that caught up gets a fresh state. One that stays full is cut off. */
  #recover(client: Client, fullSince: number, now: number): void {
    if (client.waiting === null) {
      client.fullSince = null;
      this.totals.resynchronised += 1;
      this.soon(client, client.refresh);
      return;
    }
    this.totals.dropped += 1;
    if (now - fullSince >= this.deps.limits.fullMs) this.#cut(client, { fullMs: now - fullSince });
  }

  #cut(client: Client, about: Record<string, number>): void {
    this.totals.cutOff += 1;
    client.release();
    this.deps.cutOff(client.request);
    this.deps.log.info('Disconnected a stream client that did not read', about);
  }
}
