import { boolean, count, type Known, list, number, or, text, words } from '#lib/contract/fields.ts';
import { object, ours } from '#lib/contract/objects.ts';

const logFile = object(
  {
    name: words,
    /** Bytes. */
    size: count,
    /** Epoch ms of its last change. */
    mtimeMs: number,
    /** It is being written by this process. */
    current: ours(or(boolean, false)),
  },
  ['name'],
);
export type LogFile = Known<typeof logFile>;

/** `GET /api/admin/logs`: the one that is written now first, then by their last change. */
export const logsAnswer = object({ logs: list(logFile) });

/** `GET /api/admin/logs/:name/tail`. */
export const tailAnswer = object({
  text: or(text, ''),
  /** Which file was read, and up to which byte: what `file` and `after` of the next request are. */
  file: ours(words),
  end: ours(count),
  /** Lines that were asked for are left out, because they are too many bytes for one answer. */
  cut: ours(or(boolean, false)),
  /** The file was emptied since: what was read of it before is not in it any more. */
  restarted: ours(or(boolean, false)),
});
export type LogTail = Known<typeof tailAnswer>;

/** What a terminal would obey, and the marks that turn the direction of what follows them. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text of a log with what can't be seen in it made visible. */
export const shownText = (text: string): string => text.replace(UNSEEN, '\ufffd');

/**
 * The last lines of a text that grows at its end.
 * @param limit most lines
 */
export function lastLines(text: string, limit: number): string {
  let at = text.endsWith('\n') ? text.length - 1 : text.length;
  for (let count = 0; count < limit; count += 1) {
    at = at === 0 ? -1 : text.lastIndexOf('\n', at - 1);
    if (at === -1) return text;
  }
  return text.slice(at + 1);
}

/** How many lines of a log file are read at once (specification, section 9). */
export const TAIL_LINES = { min: 1, max: 5000, default: 30 } as const;
