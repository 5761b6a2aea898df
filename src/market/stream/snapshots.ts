import type { Stopwatch } from '#lib/clock.ts';
import { inSlices } from '#lib/turns.ts';
import type { Greeting } from '#platform/sse/answer.ts';
import type { SseChannel } from '#platform/sse/channel.ts';
import type { OpeningStep } from '#platform/sse/client.ts';
import type { Message } from '#platform/sse/message.ts';
import { SCANNER_KEYS, type ScannerKey } from '../scanners/rules/scanners.ts';
import { packParts, packWhole, type Parts, type State } from './snapshot.ts';

/** An older snapshot is given with the deltas after it while these cost less than this share of it. */
const WORTH_REUSING = 1 / 8;
/** A snapshot tells the market's time, so it is not given much later, ms. */
const MAX_AGE_MS = 2_000;
/** While clients that read slowly hold this many bytes of snapshots, an older one is given with all deltas after it. */
const MAX_HELD_BYTES = 24 << 20;
type SnapshotsDeps = {
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
class HeldSnapshots {
  private readonly held = new Set<Built<unknown>>();

  /** @returns what holds it, and in turn what lets it go */
  hold(built: Built<unknown>): () => () => void {
    return () => {
      this.held.add(built);
      built.holders += 1;
      return () => {
        built.holders -= 1;
        if (built.holders === 0) this.held.delete(built);
      };
    };
  }

  bytes(): number {
    return [...this.held].reduce((sum, { messages }) => sum + memoryBytes(messages), 0);
  }
}

/** One kind of snapshot: gives what is fresh enough, packed again when there is none, and the deltas after it. */
class SharedSnapshot<Packed> {
  private known: Built<Packed> | null = null;
  private running: Promise<void> | null = null;
  private count = 0;

  constructor(
    private readonly deps: SnapshotsDeps,
    private readonly held: HeldSnapshots,
    private readonly pack: Pack<Packed>,
    private readonly messagesOf: (packed: Packed) => readonly Message[],
  ) {}

  /** How many were built. */
  built(): number {
    return this.count;
  }

  /** @param give what is given of it */
  take(give: (given: Given<Packed>) => OpeningStep): OpeningStep {
    const given = this.usable();
    if (given) return give(given);
    this.running ??= this.renew();
    // Also when it took long: who waited is given what came of it.
    const next = (): OpeningStep => {
      const made = this.withSince();
      return made ? give(made) : this.take(give);
    };
    return { messages: [], next, after: this.running };
  }

  private withSince(): Given<Packed> | null {
    const built = this.known;
    const since = built && this.deps.channel.after(built.seq);
    return built && since ? { built, since } : null;
  }

  private usable(): Given<Packed> | null {
    const given = this.withSince();
    if (!given) return null;
    const { built, since } = given;
    const isFresh =
      this.deps.clock.monotonic() - built.at <= MAX_AGE_MS &&
      blockBytes(since) <= blockBytes(built.messages) * WORTH_REUSING;
    return isFresh || this.held.bytes() > MAX_HELD_BYTES ? given : null;
  }

  private async renew(): Promise<void> {
    try {
      this.known = await this.build();
    } finally {
      this.running = null;
    }
  }

  /** Makes one of the present, between whose steps the market may go on: what it tells is from before. */
  private async build(): Promise<Built<Packed>> {
    const { read, channel, clock } = this.deps;
    const seq = channel.seq();
    const at = clock.monotonic();
    const { stocks, ...state } = read();
    const steps = this.pack({ ...state, stocks: [...stocks] }, channel.idOf(seq));
    this.count += 1;
    const packed = await inSlices(clock, steps);
    return { seq, at, packed, messages: this.messagesOf(packed), holders: 0 };
  }
}

/**
 * Builds and compresses snapshots only when somebody needs one, in slices, and shares them: everyone who joins at the
 * same version gets the same bytes, and who joins shortly after gets them with the few deltas since. How many versions
 * slow clients can keep in memory has a limit.
 */
export class Snapshots {
  private readonly holding = new HeldSnapshots();
  private readonly wholes: SharedSnapshot<Message[]>;
  private readonly inParts: SharedSnapshot<Parts>;

  constructor(private readonly deps: SnapshotsDeps) {
    this.wholes = new SharedSnapshot(deps, this.holding, packWhole, (messages) => messages);
    const allOf = ({ first, others }: Parts) => [first, ...others];
    this.inParts = new SharedSnapshot(deps, this.holding, packParts, allOf);
  }

  /** The messages that bring any client to the present, once they are made. */
  whole(): OpeningStep {
    return this.wholes.take(({ built, since }) => ({
      messages: [...built.packed, ...since],
      next: null,
      hold: this.holding.hold(built),
    }));
  }

  /**
   * The same in parts: the first for now, the others for later, then with what happened meanwhile.
   * @param scanner the one whose rows are shown first; null when that is not known
   */
  parts(scanner: ScannerKey | null): OpeningStep {
    return this.inParts.take(({ built }) => {
      const beginning = scanner === null ? null : built.packed.ofScanner(scanner);
      const next = (): OpeningStep => this.later(built, beginning !== null);
      return { messages: [beginning ?? built.packed.first], next, hold: this.holding.hold(built) };
    });
  }

  /** How many snapshots were built since the start. */
  built(): number {
    return this.wholes.built() + this.inParts.built();
  }

  /** Bytes of the snapshots that clients hold who have not read them yet. */
  held(): number {
    return this.holding.bytes();
  }

  /** What comes after the first part. */
  private later(built: Built<Parts>, isBegun: boolean): OpeningStep {
    const since = this.deps.channel.after(built.seq);
    if (!since) return this.whole();
    const { firstLater, others } = built.packed;
    return {
      messages: [...(isBegun ? [firstLater()] : []), ...others, ...since],
      next: null,
      hold: this.holding.hold(built),
    };
  }
}

/** A snapshot: in parts for our own page, whose first rows shall show soon; it may name the scanner that it begins with. */
function opening(request: Request, snapshots: Snapshots): OpeningStep {
  const { searchParams } = new URL(request.url);
  if (searchParams.get('parts') !== '1') return snapshots.whole();
  const named = searchParams.get('scanner');
  return snapshots.parts(SCANNER_KEYS.find((key) => key === named) ?? null);
}

/** What a client of the market's stream is given that can't just go on where it was. */
export const marketGreeting = (snapshots: Snapshots): Greeting => ({
  opening: (request) => opening(request, snapshots),
  refresh: () => snapshots.whole(),
});
