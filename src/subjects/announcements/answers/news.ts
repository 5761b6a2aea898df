import {
  boolean,
  capitals,
  choice,
  done,
  isoTime,
  list,
  or,
  orNull,
  readBy,
  text,
  trimmed,
  words,
} from '#lib/contract/fields.ts';
import { object, ours } from '#lib/contract/objects.ts';

const found = object(
  {
    id: text,
    code: capitals,
    headline: trimmed,
    url: ours(orNull(text)),
    time: ours(or(isoTime, '')),
    isPriceSensitive: ours(or(boolean, false)),
    announcementTypes: ours(list(text)),
  },
  ['code', 'headline'],
);

export const headline = readBy(found, (value) => {
  const known = found.read(value);
  return known && { ...known, id: known.id ?? `${known.code} ${known.headline}` };
});

/** `GET /api/data/news/search`, newest first. */
export const searchAnswer = object({ announcements: list(headline) });

export const updateAnswer = object({ success: ours(done), message: ours(words) });

export const summariseAnswer = object({
  success: ours(done),
  state: ours(choice(['ready', 'queued', 'running'])),
  /** Null while it is being written; the stream delivers it. */
  summary: ours(orNull(words)),
  message: ours(words),
});
