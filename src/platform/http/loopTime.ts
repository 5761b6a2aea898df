import { addressKey } from '#lib/addresses.ts';
import type { Stopwatch } from '#lib/clock.ts';
import { waitText } from '#lib/rateLimit.ts';
import { createTimeBudget } from '#lib/timeBudget.ts';
import type { App, Part } from '#platform/app.ts';
import type { Connections } from './connections.ts';
import { refusalResponse, refusedFor } from './errors.ts';
import { isIngest, MAX_KB } from './requestBody.ts';

/** Runs a function in the next turn of the event loop, after what came in between. */
type Later = (run: () => void) => void;

/** After so long requests wait for the next turn: streams, health checks and the market come in between. */
const MAX_HELD_MS = 5;

type Lane = Map<string, (() => void)[]>;

/** Takes the first of a map out and puts it behind the others, unless it is used up. */
function rotate<T>(map: Map<string, T>, take: (value: T) => boolean): void {
  const [first] = map;
  if (!first) return;
  const [key, value] = first;
  map.delete(key);
  if (take(value)) map.set(key, value);
}

/** Callers by address and name, the one whose turn is next first. */
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

/** Lets requests begin so that those of all callers together do not hold the event loop for long. */
export class TurnGate {
  readonly #row = new Row();
  #turn = 0;
  #heldMs = 0;
  #isCounted = false;
  #isReleasing = false;

  constructor(private readonly later: Later = setImmediate) {}

  /** Numbers the turns of the loop; those in which nobody asks are left out. */
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

  /** Notes that requests held the loop for so long in this turn, ms. */
  held(ms: number): void {
    this.turn();
    this.#heldMs += ms;
  }

  /**
   * @returns null when a request may begin at once; else a promise of its caller's turn. Addresses take turns, and so do
   *   those who share one
   */
  wait(address: string, name: string): Promise<void> | null {
    this.turn();
    // Who comes while others wait waits as well.
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

  /** One a turn: what it is about to hold the loop for is known only afterwards. */
  #release(): void {
    this.#row.next()?.();
    if (this.#row.size > 0) this.later(() => this.#release());
    else this.#isReleasing = false;
  }
}

/** What a login session's requests are let in by, before anything is done for them. */
export type UserGate = {
  /** Waits for the user's turn. @throws AppError 429 with `Retry-After` when the user's time is used up */
  enter(request: Request, userId: number): Promise<void> | void;
};

/**
 * Time in which requests hold the event loop, by the stopwatch. Five windows that open at once after a restart take a fifth
 * of a second, on a small board one: a tenth of what a user has. Behind one address there may be an office of hundreds.
 */
const OF_USER = { capacityMs: 10_000, refillMs: 100 };
const OF_ADDRESS = { capacityMs: 60_000, refillMs: 400 };

/** No request holds the loop for longer by itself: then the machine stood still, which is nobody's fault. */
const MAX_PIECE_MS = 250;

/**
 * What every request costs beside what is measured: to be read, its token to be verified, to be answered. A body is checked
 * and copied four times until it is a value; the heap is cleared of some 80 of the largest at once, which takes 40 ms.
 */
const OVERHEAD_MS = { request: 0.2, body: 0.3, bodyKb: 0.02 };

/** Of a body whose length is not told as much as it may have. */
function overheadOf({ body, headers }: Request): number {
  if (body === null) return OVERHEAD_MS.request;
  const kb = Number(headers.get('content-length') ?? MAX_KB * 1024) / 1024;
  return OVERHEAD_MS.request + OVERHEAD_MS.body + OVERHEAD_MS.bodyKb * Math.min(MAX_KB, kb || 0);
}

type Visit = {
  address: string;
  user: string | null;
  /** Where the piece began that is running, and in which turn of the loop. */
  from: number;
  turn: number;
  spentMs: number;
};

const tooMuch = (whose: string, seconds: number): string =>
  `Too many heavy requests from ${whose}. Try again in ${waitText(seconds)}.`;

/**
 * How long each user and each address hold the event loop with what they ask for. What is done in one piece is measured;
 * while much is asked for at once, callers take turns; and who used up what one may have is refused until there is more.
 * Long reads are measured and take turns in the read queue. The bridge of a market is never refused: it has a key.
 */
class LoopTime implements UserGate {
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

  /** Waits for the address' turn. @returns the refusal when its time is used up, else null */
  admit = async (request: Request): Promise<Response | null> => {
    if (isIngest(request)) return null;
    const address = this.#addressOf(request);
    const seconds = address === '' ? 0 : this.#byAddress.wait(address, this.clock.monotonic());
    if (seconds > 0) {
      const headers = { 'retry-after': String(seconds) };
      return refusalResponse(429, tooMuch('your address', seconds), { headers });
    }
    // Who need not wait goes on at once, so that the next one sees what was held.
    const waiting = this.#gate.wait(address, '');
    if (waiting !== null) await waiting;
    this.#gate.held(overheadOf(request));
    return null;
  };

  /** Looks at what was sent, when it is the address' turn. */
  inTurn = async <T>(request: Request, look: () => T): Promise<T> => {
    const address = this.#addressOf(request);
    const waiting = this.#gate.wait(address, '');
    if (waiting !== null) await waiting;
    const from = this.clock.monotonic();
    try {
      return look();
    } finally {
      const now = this.clock.monotonic();
      const piece = Math.min(MAX_PIECE_MS, now - from);
      this.#gate.held(piece);
      if (address !== '') this.#byAddress.spend(address, piece, now);
    }
  };

  /** Measures how long a request holds the loop. */
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
    // What follows may come in another turn.
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
    const piece = Math.min(MAX_PIECE_MS, now - visit.from);
    visit.from = now;
    visit.spentMs += piece;
    this.#gate.held(piece);
  }

  #settle(visit: Visit): void {
    // In another turn it is unknown what of the time since then was its own.
    if (visit.turn === this.#gate.turn()) this.#take(visit);
    const now = this.clock.monotonic();
    if (visit.address !== '') this.#byAddress.spend(visit.address, visit.spentMs, now);
    if (visit.user !== null) this.#byUser.spend(visit.user, visit.spentMs, now);
  }
}

/** The part that measures the time of callers. */
export function createLoopTime(app: App, { later }: { later?: Later } = {}) {
  const service = new LoopTime(app.clock, app, later);
  return {
    name: 'loopTime',
    service,
    inspect() {
      const summary = service.figures();
      return {
        label: 'Time of callers',
        description:
          'Users and addresses whose requests held the event loop of late, and requests that wait.',
        summary,
        data: () => ({ ...summary, ofUser: OF_USER, ofAddress: OF_ADDRESS }),
      };
    },
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    loopTime: LoopTime;
  }
}
