/** Runs a function in the next turn of the event loop, after what came in between. */
export type Later = (run: () => void) => void;

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
