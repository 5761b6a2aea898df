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
