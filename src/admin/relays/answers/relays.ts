import {
  boolean,
  count,
  epochMs,
  type Known,
  list,
  number,
  or,
  orNull,
  text,
  words,
} from '#lib/contract/fields.ts';
import { always, object } from '#lib/contract/objects.ts';

export const relay = object(
  {
    id: words,
    name: or(text, ''),
    version: or(text, ''),
    /** Version and commit equal those of the primary. */
    isSameVersion: or(boolean, true),
    /** It speaks the primary's protocol; otherwise it serves no streams. */
    speaksProtocol: or(boolean, true),
    /** Open market streams and alert streams. */
    pages: count,
    alertPages: count,
    /** Frames published after the last one it sent; null if it sent none of this run. */
    lagFrames: orNull(count),
    /** Age of the oldest of these by the primary's stopwatch; 0 for none, null if unknown. */
    lagMs: orNull(number),
    bytes: count,
    /** Epoch ms of its start, by its own clock. */
    since: epochMs,
  },
  ['id'],
);
export type RelayRow = Known<typeof relay>;

export const relaysAnswer = object({
  /** Whether a message engine is set; without one the other members are empty. */
  isSet: or(boolean, false),
  engine: always(object({ isUp: or(boolean, false), problem: orNull(words) })),
  /** Frames reach the relays: the engine is up, the lease is held and the run has its snapshot. */
  isPublishing: or(boolean, false),
  problem: orNull(words),
  /** Of this connection to the engine; null before the first. */
  run: orNull(count),
  /** Published since the primary's start, over all runs. */
  frames: count,
  bytes: count,
  relays: list(relay),
});
export type RelaysAnswer = Known<typeof relaysAnswer>;
