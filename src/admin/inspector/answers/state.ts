import {
  anyOf,
  anything,
  boolean,
  count,
  integer,
  type Known,
  list,
  map,
  nothing,
  number,
  or,
  orNull,
  readBy,
  text,
  words,
} from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { readRecord, readText, readTime } from '#lib/read.ts';

export type Figure = number | string | boolean | null;
export type Figures = Record<string, Figure>;

const isFigure = (value: unknown): value is Figure =>
  value === null || ['number', 'string', 'boolean'].includes(typeof value);

const figure = anyOf<typeof number | typeof text | typeof boolean | typeof nothing, Figure>(
  [number, text, boolean, nothing],
  (value) => (isFigure(value) ? value : (JSON.stringify(value) ?? '')),
);

/** Figures by name; a plain text becomes a figure without a name. */
const figures = readBy(map(figure), (value): Figures => {
  const alone = readText(value);
  if (alone) return { '': alone };
  return Object.fromEntries(Object.entries(readRecord(value)).map(([name, one]) => [name, figure.read(one)]));
});

/** Whole epoch ms. */
const time = readBy(integer, readTime);

const inspection = object(
  {
    key: words,
    label: words,
    description: or(text, ''),
    type: or(text, ''),
    stats: figures,
    error: orNull(words),
  },
  ['key'],
);
const section = readBy(inspection, (value) => {
  const known = inspection.read(value);
  return known && { ...known, label: known.label ?? known.key };
});
export type StateSection = Known<typeof section>;

export const sectionsAnswer = object({ sections: list(section), fetchedAt: time });
export type StateSections = Known<typeof sectionsAnswer>;

/** Answer of `GET /api/admin/internal-state/:key`: the state of a part. */
export const snapshotAnswer = object({
  key: text,
  label: text,
  description: or(text, ''),
  type: or(text, ''),
  data: anything,
  summary: figures,
  approxBytes: count,
  approxHumanSize: or(text, ''),
  fetchedAt: time,
});
export type StateSnapshot = Known<typeof snapshotAnswer>;
