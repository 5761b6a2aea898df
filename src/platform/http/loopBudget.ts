import { addressKey } from '#lib/addresses.ts';
import type { Stopwatch } from '#lib/clock.ts';
import { waitText } from '#lib/rateLimit.ts';
import { createTimeBudget } from '#lib/timeBudget.ts';
import type { App, Part } from '#platform/app.ts';
import type { Connections } from './connections.ts';
import { refusalResponse, refusedFor } from './errors.ts';
import { isIngest, MAX_KB } from './requestBody.ts';

type Later = (run: () => void) => void;

/** Once requests blocked a turn this long, others wait for the next, so that streams and the market run in between. */
const MAX_HELD_MS = 5;

type Lane = Map<string, (() => void)[]>;

/** Moves the first entry of a map to its end, or removes it if it is used up. */
function rotate<T>(map: Map<string, T>, take: (value: T) => boolean): void {
  const [first] = map;
  if (!first) return;
  const [key, value] = first;
  map.delete(key);
  if (take(value)) map.set(key, value);
}

class Row {
  readonly #lanes = new Map<string, Lane>();
  size = 0;

  add(address: string, name: string, begin: () => void): void {
    const lane: Lane = this.#lanes.get(address) ?? new Map();
    const own = lane.get(name) ?? [];
    own.push(begin);
    lane.set(name, own);
    this.#lanes.set(address, lane);
    this.size += 1;
  }

  next(): (() => void) | undefined {
    let begin: (() => void) | undefined;
    rotate(this.#lanes, (lane) => {
      rotate(lane, (own) => {
        begin = own.shift();
        return own.length > 0;
      });
      return lane.size > 0;
    });
    if (begin) this.size -= 1;
    return begin;
  }
}

/** Starts requests at a rate that does not block the event loop. */
export class TurnGate {
  readonly #row = new Row();
  #turn = 0;
  #heldMs = 0;
  #isCounted = false;
  #isReleasing = false;

  constructor(private readonly later: Later = setImmediate) {}

  turn(): number {
    if (!this.#isCounted) {
      this.#isCounted = true;
      this.later(() => {
        this.#isCounted = false;
        this.#turn += 1;
        this.#heldMs = 0;
      });
    }
    return this.#turn;
  }

  held(ms: number): void {
    this.turn();
    this.#heldMs += ms;
  }

  /**
   * @returns null if a request may begin now; otherwise a promise of its turn. Addresses take turns, and so do
   *   callers of one address
   */
  wait(address: string, name: string): Promise<void> | null {
    this.turn();
    // While others wait, new callers wait too.
    if (this.#heldMs < MAX_HELD_MS && this.#row.size === 0) return null;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#row.add(address, name, resolve);
    if (!this.#isReleasing) {
      this.#isReleasing = true;
      this.later(() => this.#release());
    }
    return promise;
  }

  waiting(): number {
    return this.#row.size;
  }

  /** Releases one request per turn, because the time that it blocks is known only afterwards. */
  #release(): void {
    this.#row.next()?.();
    if (this.#row.size > 0) this.later(() => this.#release());
    else this.#isReleasing = false;
  }
}

export type UserGate = {
  /** Waits for the user's turn. @throws AppError 429 with `Retry-After` if the user's time is used up */
  enter(request: Request, userId: number): Promise<void> | void;
};

/**
 * Time that a user's requests may block the event loop, by the stopwatch. Reloading five windows after a
 * restart takes 0.2 s, on a small board 1 s. An address may be an office of hundreds.
 */
const OF_USER = { capacityMs: 10_000, refillMs: 100 };
const OF_ADDRESS = { capacityMs: 60_000, refillMs: 400 };

/** No request blocks the loop longer. Beyond it the machine was suspended. */
const MAX_SLICE_MS = 250;

/**
 * Unmeasured cost of each request: reading, verifying its token, answering. A body is copied four times until it
 * is a value; garbage collection of 80 of the largest takes 40 ms.
 */
const OVERHEAD_MS = { request: 0.2, body: 0.3, bodyKb: 0.02 };

/** A body of unknown length counts as the largest. */
function overheadOf({ body, headers }: Request): number {
  if (body === null) return OVERHEAD_MS.request;
  const kb = Number(headers.get('content-length') ?? MAX_KB * 1024) / 1024;
  return OVERHEAD_MS.request + OVERHEAD_MS.body + OVERHEAD_MS.bodyKb * Math.min(MAX_KB, kb || 0);
}

type Visit = {
  address: string;
  user: string | null;
  from: number;
  turn: number;
  spentMs: number;
};

const tooMuch = (whose: string, seconds: number): string =>
  `Too many heavy requests from ${whose}. Try again in ${waitText(seconds)}.`;

/**
 * Measures how long users and addresses block the event loop, lets callers take turns, and refuses those whose
 * time is used up. The read queue measures long reads itself. The bridge of a market is never refused, because it
 * has a key.
 */
class LoopBudget implements UserGate {
  readonly #gate: TurnGate;
  readonly #byUser = createTimeBudget(OF_USER);
  readonly #byAddress = createTimeBudget(OF_ADDRESS);
  readonly #visits = new WeakMap<Request, Visit>();

  constructor(
    private readonly clock: Stopwatch,
    private readonly connections: Connections,
    later?: Later,
  ) {
    this.#gate = new TurnGate(later);
  }

  enter = (request: Request, userId: number): Promise<void> | void => {
    const user = String(userId);
    const seconds = this.#byUser.wait(user, this.clock.monotonic());
    if (seconds > 0) throw refusedFor(seconds, 429, tooMuch('this account', seconds));
    const visit = this.#visits.get(request);
    if (!visit) return;
    const begin = (): void => {
      Object.assign(visit, { user, from: this.clock.monotonic(), turn: this.#gate.turn() });
    };
    const turn = this.#gate.wait(visit.address, user);
    return turn === null ? begin() : turn.then(begin);
  };

  /** Waits for the address' turn. @returns the refusal if its time is used up, otherwise null */
  admit = async (request: Request): Promise<Response | null> => {
    if (isIngest(request)) return null;
    const address = this.#addressOf(request);
    const seconds = address === '' ? 0 : this.#byAddress.wait(address, this.clock.monotonic());
    if (seconds > 0) {
      const headers = { 'retry-after': String(seconds) };
      return refusalResponse(429, tooMuch('your address', seconds), { headers });
    }
    // Continues without waiting, so that the next caller sees the time.
    const waiting = this.#gate.wait(address, '');
    if (waiting !== null) await waiting;
    this.#gate.held(overheadOf(request));
    return null;
  };

  inTurn = async <T>(request: Request, work: () => T): Promise<T> => {
    const address = this.#addressOf(request);
    const waiting = this.#gate.wait(address, '');
    if (waiting !== null) await waiting;
    const from = this.clock.monotonic();
    try {
      return work();
    } finally {
      const now = this.clock.monotonic();
      const sliceMs = Math.min(MAX_SLICE_MS, now - from);
      this.#gate.held(sliceMs);
      if (address !== '') this.#byAddress.spend(address, sliceMs, now);
    }
  };

  measured = async (request: Request, answer: () => Promise<Response>): Promise<Response> => {
    if (isIngest(request)) return answer();
    const visit: Visit = {
      from: this.clock.monotonic(),
      turn: this.#gate.turn(),
      address: this.#addressOf(request),
      user: null,
      spentMs: overheadOf(request),
    };
    this.#visits.set(request, visit);
    const answered = answer();
    this.#take(visit);
    try {
      return await answered;
    } finally {
      this.#settle(visit);
    }
  };

  figures(): { users: number; addresses: number; waiting: number } {
    return { users: this.#byUser.size(), addresses: this.#byAddress.size(), waiting: this.#gate.waiting() };
  }

  #addressOf(request: Request): string {
    return addressKey(this.connections.clientAddress(request));
  }

  #take(visit: Visit): void {
    const now = this.clock.monotonic();
    const sliceMs = Math.min(MAX_SLICE_MS, now - visit.from);
    visit.from = now;
    visit.spentMs += sliceMs;
    this.#gate.held(sliceMs);
  }

  #settle(visit: Visit): void {
    // In another turn the request's own share of the time is unknown.
    if (visit.turn === this.#gate.turn()) this.#take(visit);
    const now = this.clock.monotonic();
    if (visit.address !== '') this.#byAddress.spend(visit.address, visit.spentMs, now);
    if (visit.user !== null) this.#byUser.spend(visit.user, visit.spentMs, now);
  }
}

export function createLoopBudget(app: App, { later }: { later?: Later } = {}) {
  const service = new LoopBudget(app.clock, app, later);
  return {
    name: 'loopBudget',
    service,
    inspect() {
      const summary = service.figures();
      return {
        label: 'Time of callers',
        description:
          'Users and addresses whose requests recently delayed the event loop, and waiting requests.',
        summary,
        data: () => ({ ...summary, ofUser: OF_USER, ofAddress: OF_ADDRESS }),
      };
    },
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    loopBudget: LoopBudget;
  }
}
