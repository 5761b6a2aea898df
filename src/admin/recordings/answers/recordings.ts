import { boolean, integer, type Known, list, or, orNull, readBy, text, words } from '#lib/contract/fields.ts';
import { always, object } from '#lib/contract/objects.ts';
import { readTime } from '#lib/read.ts';

/** Whole epoch ms on the recorded market's clock. */
const time = readBy(integer, readTime);

const recording = object(
  {
    name: words,
    /** Bytes. */
    size: or(integer, 0),
    /** The session's, YYYY-MM-DD. */
    date: orNull(text),
    source: orNull(text),
    from: orNull(time),
    until: orNull(time),
    isCutOff: or(boolean, false),
    /** Why it can't be played; null when it can. */
    problem: orNull(text),
  },
  ['name'],
);
export type RecordingRow = Known<typeof recording>;

/** `GET /api/admin/recordings`. */
export const recordingsAnswer = object({
  recordings: list(recording),
  running: orNull(
    object({ name: words, date: text, from: time, until: time, size: or(integer, 0) }, ['name']),
  ),
  /** Why the last one ended by itself. */
  failure: orNull(object({ name: or(text, ''), reason: words }, ['reason'])),
  /** Bytes. */
  disk: always(object({ free: orNull(integer), low: or(boolean, false) })),
  /** The recording that is played because it was chosen in the panel, and the words for the source it stands in for. */
  playing: orNull(object({ name: words, instead: or(words, 'the market') }, ['name'])),
  /** Why none can be played from the panel; null when one can. */
  noPlay: orNull(words),
  /** A name that is free. */
  suggestion: or(text, ''),
});
export type RecordingsView = Known<typeof recordingsAnswer>;
