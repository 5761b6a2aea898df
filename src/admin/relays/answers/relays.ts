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
    /** Whether version and commit equal those of the primary. */
    isSameVersion: or(boolean, true),
    /** Whether the relay speaks the primary's protocol; otherwise it serves no streams. */
    speaksProtocol: or(boolean, true),
    /** Numbers of open market streams and alert streams. */
    pages: count,
    alertPages: count,
    /** Number of messages published after the relay's last one; null if the relay sent none of this epoch. */
    lagFrames: orNull(count),
    /** Age of the oldest of these messages by the primary's monotonic clock; 0 for none, null if unknown. */
    lagMs: orNull(number),
    bytes: count,
    /** Epoch ms of the relay's start, by its own clock. */
    since: epochMs,
  },
  ['id'],
);
export type RelayRow = Known<typeof relay>;

export const relaysAnswer = object({
  /** Whether Redis/Valkey is configured; otherwise the other members are empty. */
  isSet: or(boolean, false),
  engine: always(object({ isUp: or(boolean, false), problem: orNull(words) })),
  /** Whether messages reach the relays: Redis/Valkey is up, the lock is held and the epoch has its snapshot. */
  isPublishing: or(boolean, false),
  problem: orNull(words),
  /** Number of the epoch of this connection to Redis/Valkey; null before the first. */
  run: orNull(count),
  /** Number of messages published since the primary's start, over all epochs. */
  frames: count,
  bytes: count,
  relays: list(relay),
});
export type RelaysAnswer = Known<typeof relaysAnswer>;
