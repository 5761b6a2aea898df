import { boolean, count, type Known, list, number, or, text, words } from '#lib/contract/fields.ts';
import { object, extension } from '#lib/contract/objects.ts';

const logFile = object(
  {
    name: words,
    size: count,
    mtimeMs: number,
    current: extension(or(boolean, false)),
  },
  ['name'],
);
export type LogFile = Known<typeof logFile>;

/** Answer of `GET /api/admin/logs`: the current file first, then by last change. */
export const logsAnswer = object({ logs: list(logFile) });

export const tailAnswer = object({
  text: or(text, ''),
  /** The file and the byte offset: send them as `file` and `after` of the next request. */
  file: extension(words),
  end: extension(count),
  /** True if requested lines are missing because the answer would be too large. */
  cut: extension(or(boolean, false)),
  /** True if the file was emptied, so that earlier lines are gone. */
  restarted: extension(or(boolean, false)),
});
export type LogTail = Known<typeof tailAnswer>;

/** Terminal control characters, and characters that change the text direction. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export const shownText = (text: string): string => text.replace(UNSEEN, '\ufffd');

export function lastLines(text: string, limit: number): string {
  let at = text.endsWith('\n') ? text.length - 1 : text.length;
  for (let count = 0; count < limit; count += 1) {
    at = at === 0 ? -1 : text.lastIndexOf('\n', at - 1);
    if (at === -1) return text;
  }
  return text.slice(at + 1);
}

/** Number of lines to read (specification, section 9). */
export const TAIL_LINES = { min: 1, max: 5000, default: 30 } as const;
