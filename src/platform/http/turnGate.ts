/** Runs a function in the next turn of the event loop, after what came in between. */
export type Later = (run: () => void) => void;

/** Lets requests begin so that those of all callers together do not hold the event loop for long. */
export type TurnGate = {
  /** Numbers the turns of the loop; those in which nobody asks are left out. */
  turn(): number;
  /** Notes that requests held the loop for so long in this turn, ms. */
  held(ms: number): void;
  /**
   * @returns null when a request may begin at once; else a promise of its caller's turn. Addresses take turns, and so do
   *   those who share one
   */
  wait(address: string, name: string): Promise<void> | null;
  waiting(): number;
};

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
function createRow() {
  const lanes = new Map<string, Lane>();
  let size = 0;
  return {
    size: () => size,
    add(address: string, name: string, begin: () => void): void {
      const lane: Lane = lanes.get(address) ?? new Map();
      const own = lane.get(name) ?? [];
      own.push(begin);
      lane.set(name, own);
      lanes.set(address, lane);
      size += 1;
    },
    next(): (() => void) | undefined {
      let begin: (() => void) | undefined;
      rotate(lanes, (lane) => {
        rotate(lane, (own) => {
          begin = own.shift();
          return own.length > 0;
        });
        return lane.size > 0;
      });
      if (begin) size -= 1;
      return begin;
    },
  };
}

export function createTurnGate(later: Later = setImmediate): TurnGate {
  const row = createRow();
  let turn = 0;
  let heldMs = 0;
  let isCounted = false;
  let isReleasing = false;

  function current(): number {
    if (!isCounted) {
      isCounted = true;
      later(() => {
        isCounted = false;
        turn += 1;
        heldMs = 0;
      });
    }
    return turn;
  }

  /** One a turn: what it is about to hold the loop for is known only afterwards. */
  function release(): void {
    row.next()?.();
    if (row.size() > 0) later(release);
    else isReleasing = false;
  }

  return {
    turn: current,
    held(ms) {
      current();
      heldMs += ms;
    },
    wait(address, name) {
      current();
      // Who comes while others wait waits as well.
      if (heldMs < MAX_HELD_MS && row.size() === 0) return null;
      const { promise, resolve } = Promise.withResolvers<void>();
      row.add(address, name, resolve);
      if (!isReleasing) {
        isReleasing = true;
        later(release);
      }
      return promise;
    },
    waiting: row.size,
  };
}
