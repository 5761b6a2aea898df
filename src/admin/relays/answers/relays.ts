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
    /** Version and commit are the primary's. */
    isSameVersion: or(boolean, true),
    /** It speaks the primary's protocol: another one serves no streams. */
    speaksProtocol: or(boolean, true),
    /** Open streams of the market, and of alerts. */
    pages: count,
    alertPages: count,
    /** Frames that were published after the one it gave last; null while it gave none of this run. */
    lagFrames: orNull(count),
    /** Age of the oldest of these, by the primary's stopwatch; 0 while there are none, null where it is not known. */
    lagMs: orNull(number),
    /** Bytes given to pages since its start. */
    bytes: count,
    /** Epoch ms of its start, by its own clock. */
    since: epochMs,
  },
  ['id'],
);
export type RelayRow = Known<typeof relay>;

/** `GET /api/admin/relays`. */
export const relaysAnswer = object({
  /** Whether a message engine is set; without one everything else is empty. */
  isSet: or(boolean, false),
  engine: always(object({ isUp: or(boolean, false), problem: orNull(words) })),
  /** Frames reach the relays: the engine is up, the lease is held and the run has its snapshot. */
  isPublishing: or(boolean, false),
  /** Why nothing is published although the engine is up. */
  problem: orNull(words),
  /** Of this connection to the engine; null before the first. */
  run: orNull(count),
  /** Published since the start of the primary, over all runs. */
  frames: count,
  bytes: count,
  relays: list(relay),
});
export type RelaysAnswer = Known<typeof relaysAnswer>;
