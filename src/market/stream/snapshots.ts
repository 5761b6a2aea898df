import type { Stopwatch } from '#lib/clock.ts';
import { inSlices } from '#lib/turns.ts';
import type { Greeting } from '#platform/sse/answer.ts';
import type { SseChannel } from '#platform/sse/channel.ts';
import type { OpeningStep } from '#platform/sse/client.ts';
import type { Message } from '#platform/sse/message.ts';
import { SCANNER_KEYS, type ScannerKey } from '../scanners/rules/scanners.ts';
import { packParts, packWhole, type Parts, type State } from './snapshot.ts';

/** An older snapshot is reused with its deltas while these are smaller than this share of it. */
const WORTH_REUSING = 1 / 8;
/** Maximum age of a reused snapshot, ms, because it contains the market's time. */
const MAX_AGE_MS = 2_000;
/** While slow clients hold this many bytes, an older snapshot is reused with all deltas. */
const MAX_HELD_BYTES = 24 << 20;
type SnapshotsDeps = {
  read(): State;
  /** `read` includes all deltas sent so far. */
  channel: Pick<SseChannel<unknown>, 'seq' | 'idOf' | 'after'>;
  clock: Stopwatch;
};

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

class HeldSnapshots {
  private readonly held = new Set<Built<unknown>>();

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

/** One kind of snapshot: reuses a fresh one or packs a new one, and adds the deltas after it. */
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

  built(): number {
    return this.count;
  }

  take(give: (given: Given<Packed>) => OpeningStep): OpeningStep {
    const given = this.usable();
    if (given) return give(given);
    this.running ??= this.renew();
    // Waiting clients get the result even if it took long.
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

  /** Packs the present state in steps, during which the market may change. */
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
 * Builds and compresses snapshots on demand, in slices, and shares them: clients of one version get the same
 * bytes, later ones with a few deltas. The versions held by slow clients are limited.
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

  whole(): OpeningStep {
    return this.wholes.take(({ built, since }) => ({
      messages: [...built.packed, ...since],
      next: null,
      hold: this.holding.hold(built),
    }));
  }

  /**
   * The same in parts: the first now, the others later, followed by the changes since the first.
   * @param scanner whose rows come first; null if unknown
   */
  parts(scanner: ScannerKey | null): OpeningStep {
    return this.inParts.take(({ built }) => {
      const beginning = scanner === null ? null : built.packed.ofScanner(scanner);
      const next = (): OpeningStep => this.later(built, beginning !== null);
      return { messages: [beginning ?? built.packed.first], next, hold: this.holding.hold(built) };
    });
  }

  built(): number {
    return this.wholes.built() + this.inParts.built();
  }

  held(): number {
    return this.holding.bytes();
  }

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

/** In parts for our own page, to show rows early; the page may name its first scanner. */
function opening(request: Request, snapshots: Snapshots): OpeningStep {
  const { searchParams } = new URL(request.url);
  if (searchParams.get('parts') !== '1') return snapshots.whole();
  const named = searchParams.get('scanner');
  return snapshots.parts(SCANNER_KEYS.find((key) => key === named) ?? null);
}

export const marketGreeting = (snapshots: Snapshots): Greeting => ({
  opening: (request) => opening(request, snapshots),
  refresh: () => snapshots.whole(),
});
