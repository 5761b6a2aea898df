import { boolean, integer, type Known, list, or, orNull, readBy, text, words } from '#lib/contract/fields.ts';
import { always, object } from '#lib/contract/objects.ts';
import { readTime } from '#lib/read.ts';

/** Epoch ms by the clock of the recorded market. */
const time = readBy(integer, readTime);

const recording = object(
  {
    name: words,
    size: or(integer, 0),
    /** Date of the session, YYYY-MM-DD. */
    date: orNull(text),
    source: orNull(text),
    from: orNull(time),
    until: orNull(time),
    isCutOff: or(boolean, false),
    problem: orNull(text),
  },
  ['name'],
);
export type RecordingRow = Known<typeof recording>;

export const recordingsAnswer = object({
  recordings: list(recording),
  running: orNull(
    object({ name: words, date: text, from: time, until: time, size: or(integer, 0) }, ['name']),
  ),
  /** Why the last recording ended although nobody stopped it; null if that did not happen. */
  failure: orNull(object({ name: or(text, ''), reason: words }, ['reason'])),
  disk: always(object({ free: orNull(integer), low: or(boolean, false) })),
  /** The recording chosen in the panel, and the name of the source that it replaces. */
  playing: orNull(object({ name: words, instead: or(words, 'the market') }, ['name'])),
  /** Why the panel cannot play recordings; null if it can. */
  noPlay: orNull(words),
  suggestion: or(text, ''),
});
export type RecordingsView = Known<typeof recordingsAnswer>;
