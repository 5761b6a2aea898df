import type { Stopwatch } from '../../lib/clock.ts';
import { nextTurn } from '../../lib/nextTurn.ts';
import type { ScannerKey } from '../../subjects/scanners/rules/scanners.ts';
import type { SseChannel } from '../../platform/sse/channel.ts';
import type { OpeningStep } from '../../platform/sse/client.ts';
import type { Message } from '../../platform/sse/message.ts';
import { packParts, packWhole, type Parts, type State } from './snapshot.ts';

/** An older snapshot is given with the deltas after it while these cost less than this share of it. */
const WORTH_REUSING = 1 / 8;
/** A snapshot tells the market's time, so it is not given much later, ms. */
const MAX_AGE_MS = 2_000;
/** While clients that read slowly hold so many bytes of snapshots, an older one is given with all deltas after it. */
const MAX_HELD_BYTES = 24 << 20;
/** After so long the making of a snapshot lets others have their turn, ms. */
const SLICE_MS = 4;

export type Snapshots = {
  /** The messages that bring any client to the present, once they are made. */
  whole(): OpeningStep;
  /**
   * The same in parts: the first for now, the others for later, then with what happened meanwhile.
   * @param scanner the one whose rows are shown first; null when that is not known
   */
  parts(scanner: ScannerKey | null): OpeningStep;
  /** How many snapshots were built since the start. */
  built(): number;
  /** Bytes of the snapshots that clients hold who have not read them yet. */
  held(): number;
};

export type SnapshotsDeps = {
  /** The state of now; its records never change. */
  read(): State;
  /** The deltas: those sent so far are what `read` includes. */
  channel: Pick<SseChannel<unknown>, 'seq' | 'idOf' | 'after'>;
  clock: Stopwatch;
};

/** Steps in which a snapshot is made of a state. */
type Pack<Packed> = (state: State, id: string) => Generator<undefined, Packed>;
type Built<Packed> = {
  seq: number;
  at: number;
  packed: Packed;
  messages: readonly Message[];
  holders: number;
};
type Given<Packed> = { built: Built<Packed>; since: Message[] };

const blockBytes = (messages: readonly Message[]): number =>
  messages.reduce((sum, { block }) => sum + block.byteLength, 0);
const memoryBytes = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + message.bytes(), 0);

/** The snapshots that clients hold who have not read them yet. */
function createHeld() {
  const held = new Set<Built<unknown>>();
  return {
    hold: (built: Built<unknown>) => (): (() => void) => {
      held.add(built);
      built.holders += 1;
      return () => {
        built.holders -= 1;
        if (built.holders === 0) held.delete(built);
      };
    },
    bytes: (): number => [...held].reduce((sum, { messages }) => sum + memoryBytes(messages), 0),
  };
}

/**
 * Builds and compresses snapshots only when somebody needs one, in slices, and shares them: everyone who joins at the
 * same version gets the same bytes, and who joins shortly after gets them with the few deltas since. How many versions
 * slow clients can keep in memory has a limit.
 */
export function createSnapshots({ read, channel, clock }: SnapshotsDeps): Snapshots {
  const held = createHeld();
  let count = 0;

  /** Makes one of the present, between whose steps the market may go on: what it tells is from before. */
  async function build<Packed>(
    pack: Pack<Packed>,
    messagesOf: (packed: Packed) => readonly Message[],
  ): Promise<Built<Packed>> {
    const seq = channel.seq();
    const at = clock.monotonic();
    const { stocks, ...state } = read();
    const steps = pack({ ...state, stocks: [...stocks] }, channel.idOf(seq));
    count += 1;
    for (let until = at + SLICE_MS; ; ) {
      const step = steps.next();
      if (step.done === true) {
        const packed = step.value;
        return { seq, at, packed, messages: messagesOf(packed), holders: 0 };
      }
      if (clock.monotonic() < until) continue;
      await nextTurn();
      until = clock.monotonic() + SLICE_MS;
    }
  }

  /** Gives what is fresh enough, packed anew when there is none, and the deltas after it. */
  function shared<Packed>(pack: Pack<Packed>, messagesOf: (packed: Packed) => readonly Message[]) {
    let known: Built<Packed> | null = null;
    let running: Promise<void> | null = null;

    function usable(): Given<Packed> | null {
      const since = known && channel.after(known.seq);
      if (!known || !since) return null;
      const isFresh =
        clock.monotonic() - known.at <= MAX_AGE_MS &&
        blockBytes(since) <= blockBytes(known.messages) * WORTH_REUSING;
      return isFresh || held.bytes() > MAX_HELD_BYTES ? { built: known, since } : null;
    }

    async function renew(): Promise<void> {
      try {
        known = await build(pack, messagesOf);
      } finally {
        running = null;
      }
    }

    /** @param give what is given of it */
    function take(give: (given: Given<Packed>) => OpeningStep): OpeningStep {
      const given = usable();
      if (given) return give(given);
      running ??= renew();
      // Also when it took long: who waited is given what came of it.
      const next = (): OpeningStep => {
        const since = known && channel.after(known.seq);
        return known && since ? give({ built: known, since }) : take(give);
      };
      return { messages: [], next, after: running };
    }
    return take;
  }
  const takeWhole = shared(packWhole, (messages) => messages);
  const takeParts = shared(packParts, ({ first, others }) => [first, ...others]);

  const whole = (): OpeningStep =>
    takeWhole(({ built, since }) => ({
      messages: [...built.packed, ...since],
      next: null,
      hold: held.hold(built),
    }));

  /** What comes after the first part. */
  function later(built: Built<Parts>, isBegun: boolean): OpeningStep {
    const since = channel.after(built.seq);
    if (!since) return whole();
    const { firstLater, others } = built.packed;
    return {
      messages: [...(isBegun ? [firstLater()] : []), ...others, ...since],
      next: null,
      hold: held.hold(built),
    };
  }

  return {
    whole,
    parts: (scanner) =>
      takeParts(({ built }) => {
        const beginning = scanner === null ? null : built.packed.ofScanner(scanner);
        const next = (): OpeningStep => later(built, beginning !== null);
        return { messages: [beginning ?? built.packed.first], next, hold: held.hold(built) };
      }),
    built: () => count,
    held: held.bytes,
  };
}
