import type { Stopwatch } from '../../lib/clock.ts';
import type { SseChannel } from '../sse/channel.ts';
import type { Message } from '../sse/message.ts';
import { packParts, packWhole, type State } from './snapshot.ts';

/** An older snapshot is given with the deltas after it while these cost less than this share of it. */
const WORTH_REUSING = 1 / 8;
/** A snapshot tells the market's time, so it is not given much later, ms. */
const MAX_AGE_MS = 2_000;

export type Snapshots = {
  /** The messages that bring any client to the present. */
  whole(): Message[];
  /** The same in parts: the first for now, the others for later, then with what happened meanwhile. */
  parts(): { first: Message[]; later: () => Message[] };
  /** How many snapshots were built since the start. */
  built(): number;
};

export type SnapshotsDeps = {
  read(): State;
  /** The deltas: those sent so far are what `read` includes. */
  channel: Pick<SseChannel<unknown>, 'seq' | 'idOf' | 'after'>;
  clock: Stopwatch;
};

type Built = { seq: number; at: number; messages: Message[]; bytes: number };

const bytesOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, { block }) => sum + block.byteLength, 0);

/**
 * Builds and compresses snapshots only when somebody needs one, and shares them: everyone who joins at the same
 * version gets the same bytes, and who joins shortly after gets them with the few deltas since.
 */
export function createSnapshots({ read, channel, clock }: SnapshotsDeps): Snapshots {
  const kept = new Map<typeof packWhole, Built>();
  let built = 0;

  /** A snapshot that is fresh enough, built when there is none, and the deltas after it. */
  function take(packer: typeof packWhole): { messages: Message[]; since: Message[]; seq: number } {
    const now = clock.monotonic();
    const known = kept.get(packer);
    const since = known && now - known.at <= MAX_AGE_MS ? channel.after(known.seq) : null;
    if (known && since && bytesOf(since) <= known.bytes * WORTH_REUSING) {
      return { messages: known.messages, since, seq: known.seq };
    }
    const seq = channel.seq();
    const messages = packer(read(), channel.idOf(seq));
    built += 1;
    kept.set(packer, { seq, at: now, messages, bytes: bytesOf(messages) });
    return { messages, since: [], seq };
  }

  function whole(): Message[] {
    const { messages, since } = take(packWhole);
    return [...messages, ...since];
  }

  return {
    whole,
    parts() {
      const { messages, seq: version } = take(packParts);
      return {
        first: messages.slice(0, 1),
        later() {
          const since = channel.after(version);
          return since ? [...messages.slice(1), ...since] : whole();
        },
      };
    },
    built: () => built,
  };
}
