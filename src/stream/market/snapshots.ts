import type { Stopwatch } from '../../lib/clock.ts';
import type { SseChannel } from '../sse/channel.ts';
import type { Message } from '../sse/message.ts';
import type { ScannerKey } from '../../domain/scanners/scanners.ts';
import { packParts, packWhole, type State } from './snapshot.ts';

/** An older snapshot is given with the deltas after it while these cost less than this share of it. */
const WORTH_REUSING = 1 / 8;
/** A snapshot tells the market's time, so it is not given much later, ms. */
const MAX_AGE_MS = 2_000;

export type Snapshots = {
  /** The messages that bring any client to the present. */
  whole(): Message[];
  /**
   * The same in parts: the first for now, the others for later, then with what happened meanwhile.
   * @param scanner the one whose rows are shown first; null when that is not known
   */
  parts(scanner: ScannerKey | null): { first: Message[]; later: () => Message[] };
  /** How many snapshots were built since the start. */
  built(): number;
};

export type SnapshotsDeps = {
  read(): State;
  /** The deltas: those sent so far are what `read` includes. */
  channel: Pick<SseChannel<unknown>, 'seq' | 'idOf' | 'after'>;
  clock: Stopwatch;
};

type Built<Packed> = { seq: number; at: number; packed: Packed; bytes: number };

const bytesOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, { block }) => sum + block.byteLength, 0);

/**
 * Builds and compresses snapshots only when somebody needs one, and shares them: everyone who joins at the same
 * version gets the same bytes, and who joins shortly after gets them with the few deltas since.
 */
export function createSnapshots({ read, channel, clock }: SnapshotsDeps): Snapshots {
  let built = 0;

  /** Gives what is fresh enough, packed anew when there is none, and the deltas after it. */
  function shared<Packed>(pack: (state: State, id: string) => Packed, sizeOf: (packed: Packed) => number) {
    let known: Built<Packed> | null = null;
    return (): { packed: Packed; since: Message[]; seq: number } => {
      const now = clock.monotonic();
      const since = known && now - known.at <= MAX_AGE_MS ? channel.after(known.seq) : null;
      if (known && since && bytesOf(since) <= known.bytes * WORTH_REUSING) {
        return { packed: known.packed, since, seq: known.seq };
      }
      const seq = channel.seq();
      const packed = pack(read(), channel.idOf(seq));
      built += 1;
      known = { seq, at: now, packed, bytes: sizeOf(packed) };
      return { packed, since: [], seq };
    };
  }
  const takeWhole = shared(packWhole, bytesOf);
  const takeParts = shared(packParts, ({ first, others }) => bytesOf([first, ...others]));

  function whole(): Message[] {
    const { packed, since } = takeWhole();
    return [...packed, ...since];
  }

  return {
    whole,
    parts(scanner) {
      const { packed, seq: version } = takeParts();
      const { first, firstLater, others } = packed;
      const beginning = scanner === null ? null : packed.ofScanner(scanner);
      return {
        first: [beginning ?? first],
        later() {
          const since = channel.after(version);
          if (!since) return whole();
          return [...(beginning ? [firstLater()] : []), ...others, ...since];
        },
      };
    },
    built: () => built,
  };
}
