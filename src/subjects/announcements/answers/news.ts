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
import { object, extension } from '#lib/contract/objects.ts';

const found = object(
  {
    id: text,
    code: capitals,
    headline: trimmed,
    url: extension(orNull(text)),
    time: extension(or(isoTime, '')),
    isPriceSensitive: extension(or(boolean, false)),
    announcementTypes: extension(list(text)),
  },
  ['code', 'headline'],
);

export const headline = readBy(found, (value) => {
  const known = found.read(value);
  return known && { ...known, id: known.id ?? `${known.code} ${known.headline}` };
});

/** Answer of `GET /api/data/news/search`, newest first. */
export const searchAnswer = object({ announcements: list(headline) });

export const updateAnswer = object({ success: extension(done), message: extension(words) });

export const summariseAnswer = object({
  success: extension(done),
  state: extension(choice(['ready', 'queued', 'running'])),
  /** Null while the summary is being written; the stream delivers it. */
  summary: extension(orNull(words)),
  message: extension(words),
});
