import type { Message } from '#platform/sse/message.ts';
import type { Placed } from '../engine/frame.ts';
import type { KeptSnapshot } from '../engine/types.ts';
import { isAfter, isNext } from './position.ts';

/** A frame as it was read: the message of a block of the market; null where there is none, or it could not be read. */
export type ReadFrame = Placed & { message: Message | null };

/** Of what is kept until a snapshot fits: more than is told between two snapshots. */
const MAX_FRAMES = 5000;
const MAX_BYTES = 32 << 20;

/** The newest frames that were read, oldest first. */
export class ReadFrames {
  #frames: ReadFrame[] = [];
  #bytes = 0;

  add(frame: ReadFrame): void {
    this.#frames.push(frame);
    this.#bytes += frame.message?.bytes() ?? 0;
    while (this.#frames.length > MAX_FRAMES || this.#bytes > MAX_BYTES) {
      this.#bytes -= this.#frames.shift()?.message?.bytes() ?? 0;
    }
  }

  all(): readonly ReadFrame[] {
    return this.#frames;
  }
}

/** What leads from a snapshot to the present. */
export type Fit = {
  /** Events that the snapshot includes, right before it without a gap: kept for those who come back. */
  before: { seq: number; message: Message }[];
  /** Frames that come after it. */
  after: ReadFrame[];
};

type Of = Pick<KeptSnapshot, 'position' | 'epoch' | 'seq'>;

/** Whether frames go on right behind a snapshot, each of them whole. */
function goOn({ position, epoch, seq }: Of, frames: readonly ReadFrame[]): boolean {
  let last = position;
  let number = seq;
  for (const { position: next, frame, message } of frames) {
    if (!isNext(next, last) || frame.kind === 'closing') return false;
    last = next;
    if (frame.kind !== 'market') continue;
    if (frame.epoch !== epoch || message === null) return false;
    if (frame.seq === null) continue;
    if (frame.seq !== number + 1) return false;
    number = frame.seq;
  }
  return true;
}

/** The events right before a snapshot, oldest first; null when those of its own run contradict it. */
function eventsBefore({ position: at, epoch, seq }: Of, frames: readonly ReadFrame[]): Fit['before'] | null {
  const events: Fit['before'] = [];
  let number = seq;
  for (const { position, frame, message } of frames.toReversed()) {
    if (frame.kind !== 'market' || frame.seq === null) continue;
    if (frame.epoch !== epoch || message === null) break;
    if (frame.seq !== number) {
      // Between two runs the primary could publish nothing: then nobody who comes back can go on from before.
      if (events.length === 0 && position.run === at.run) return null;
      break;
    }
    events.unshift({ seq: frame.seq, message });
    number -= 1;
  }
  return events;
}

/**
 * Puts a snapshot and the frames that are kept together.
 *
 * @param frames all that are kept, oldest first, each position once
 * @returns null when they do not lead from the snapshot to the present
 */
export function fit(snapshot: Of, frames: readonly ReadFrame[]): Fit | null {
  const after = frames.filter(({ position }) => isAfter(position, snapshot.position));
  const before = eventsBefore(snapshot, frames.slice(0, frames.length - after.length));
  return before && goOn(snapshot, after) ? { before, after } : null;
}
