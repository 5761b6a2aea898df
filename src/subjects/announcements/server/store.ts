import type { Db } from '../../../platform/db/open.ts';
import type { KeptAnnouncement } from '../rules/keptAnnouncement.ts';
import { wordsOfAnnouncement } from '../rules/searchWords.ts';
import { isRecord } from '../../../lib/json.ts';
import type { KeptSummary } from '../rules/stockNews.ts';

type Row = Omit<KeptAnnouncement, 'announcementTypes' | 'isPriceSensitive'> & {
  number: number;
  types: string;
  is_price_sensitive: number;
};

/** One announcement in its row. */
type Kept = { number: number; announcement: KeptAnnouncement };

/** Mostly the document has the address of the link, which is a fifth of the row. */
const SAME_AS_URL = '';

type Params = Record<string, string | number | null>;

const COLUMNS = 'number, id, code, date, time, headline, url, document, types, is_price_sensitive';

/** A number is the time of release so many times, and more when others have it. */
export const NUMBERS_A_MS = 1000;
/** Providers tell seconds, so all numbers of one are free for it. */
const NUMBERS_A_SECOND = 1000 * NUMBERS_A_MS;

const UPSERT = `INSERT INTO announcements (source, ${COLUMNS})
  VALUES ($source, $number, $id, $code, $date, $time, $headline, $url, $document, $types, $sensitive)
  ON CONFLICT (number) DO UPDATE SET code = $code, headline = $headline, url = $url, document = $document,
    types = $types, is_price_sensitive = $sensitive`;

/** The types of an announcement as its row holds them. @param json a list of texts */
export function readTypes(json: string): string[] {
  const types: unknown = JSON.parse(json);
  return Array.isArray(types) ? types.filter((type) => typeof type === 'string') : [];
}

function readRow({ number, types, is_price_sensitive, ...row }: Row): Kept {
  const isPriceSensitive = is_price_sensitive === 1;
  const document = row.document === SAME_AS_URL ? row.url : row.document;
  return {
    number,
    announcement: { ...row, document, announcementTypes: readTypes(types), isPriceSensitive },
  };
}

const sameAnnouncement = (a: KeptAnnouncement, b: KeptAnnouncement): boolean =>
  a.code === b.code &&
  a.time === b.time &&
  a.headline === b.headline &&
  a.isPriceSensitive === b.isPriceSensitive &&
  a.url === b.url &&
  a.document === b.document &&
  a.announcementTypes.join('\n') === b.announcementTypes.join('\n');

const isKept = (value: unknown): value is KeptAnnouncement =>
  isRecord(value) &&
  ['id', 'code', 'date', 'headline', 'url'].every((name) => typeof value[name] === 'string') &&
  (value['document'] === null || typeof value['document'] === 'string') &&
  typeof value['time'] === 'number' &&
  typeof value['isPriceSensitive'] === 'boolean' &&
  Array.isArray(value['announcementTypes']);

/**
 * Announcements that are shown and not in their table yet, in one small row: a page of the disk where each of theirs costs
 * fifteen.
 */
function heldNotes(client: Db['$client'], source: string) {
  const key = `announcements_held ${source}`;
  const read = client.query<{ value: string }, Params>('SELECT value FROM facts WHERE key = $key');
  const write = client.query<null, Params>('INSERT OR REPLACE INTO facts (key, value) VALUES ($key, $value)');
  const clear = client.query<null, Params>('DELETE FROM facts WHERE key = $key');
  return {
    /** Notes these, and only these. */
    noteHeld: (announcements: readonly KeptAnnouncement[]): void => {
      write.run({ key, value: JSON.stringify(announcements) });
    },
    /** What an earlier run noted; what is unreadable counts as not noted. */
    noted(): KeptAnnouncement[] {
      try {
        const kept: unknown = JSON.parse(read.get({ key })?.value ?? '[]');
        return Array.isArray(kept) ? kept.filter(isKept) : [];
      } catch {
        return [];
      }
    },
    clearNotes: (): void => void clear.run({ key }),
  };
}

export type Written = { before: KeptAnnouncement | null; after: KeptAnnouncement };

/** SQL of the announcements of one source, and of the words by which they are found. */
export function announcementStore({ $client: client }: Pick<Db, '$client'>, source: string) {
  const byId = client.query<Row, Params>(
    `SELECT ${COLUMNS} FROM announcements WHERE source = $source AND id = $id`,
  );
  const lastNumber = client.query<{ number: number | null }, Params>(
    'SELECT max(number) AS number FROM announcements WHERE number >= $first AND number < $first + $count',
  );
  const upsert = client.query<null, Params>(UPSERT);
  const addWords = client.query<null, Params>(
    'INSERT INTO announcement_words (rowid, words) VALUES ($number, $words)',
  );
  const removeRow = client.query<null, Params>('DELETE FROM announcements WHERE number = $number');
  const removeWords = client.query<null, Params>('DELETE FROM announcement_words WHERE rowid = $number');
  const since = client.query<Row, Params>(
    `SELECT ${COLUMNS} FROM announcements WHERE source = $source AND time >= $from`,
  );
  const summariesSince = client.query<KeptSummary & { id: string }, Params>(
    `SELECT announcement_id AS id, text, note, created_at AS at FROM announcement_summaries
     WHERE source = $source AND date >= $date`,
  );

  const find = (id: string): Kept | null => {
    const row = byId.get({ source, id });
    return row ? readRow(row) : null;
  };

  function remove(number: number): void {
    removeWords.run({ number });
    removeRow.run({ number });
  }

  function freeNumber(time: number): number {
    const first = time * NUMBERS_A_MS;
    const last = lastNumber.get({ first, count: NUMBERS_A_SECOND })?.number ?? null;
    return last === null ? first : last + 1;
  }

  function save(announcement: KeptAnnouncement): Written | null {
    const before = find(announcement.id);
    if (before && sameAnnouncement(before.announcement, announcement)) return null;
    const isInPlace = before?.announcement.time === announcement.time;
    if (before && !isInPlace) remove(before.number);
    if (before && isInPlace) removeWords.run({ number: before.number });
    const number = before && isInPlace ? before.number : freeNumber(announcement.time);
    const { id, code, date, time, headline, url, document, announcementTypes, isPriceSensitive } =
      announcement;
    upsert.run({
      ...{ source, number, id, code, date, time, headline, url },
      document: document !== null && document === url ? SAME_AS_URL : document,
      types: JSON.stringify(announcementTypes),
      sensitive: isPriceSensitive ? 1 : 0,
    });
    addWords.run({ number, words: wordsOfAnnouncement(announcement).join(' ') });
    return { before: before?.announcement ?? null, after: announcement };
  }

  const { clearNotes, ...notes } = heldNotes(client, source);
  return {
    ...notes,

    /** Writes announcements that were held, and clears the note of them. */
    saveHeld: client.transaction((announcements: readonly KeptAnnouncement[]): void => {
      for (const announcement of announcements) save(announcement);
      clearNotes();
    }),

    find: (id: string): KeptAnnouncement | null => find(id)?.announcement ?? null,

    /** Writes what is new or different, all or nothing. @returns what was written */
    save: client.transaction((announcements: readonly KeptAnnouncement[]): Written[] =>
      announcements.map(save).filter((written) => written !== null),
    ),

    /** @returns those that were there */
    remove: client.transaction((ids: readonly string[]): KeptAnnouncement[] =>
      ids.flatMap((id) => {
        const kept = find(id);
        if (kept) remove(kept.number);
        return kept ? [kept.announcement] : [];
      }),
    ),

    /** @param from epoch ms */
    since: (from: number): KeptAnnouncement[] =>
      since.all({ source, from }).map((row) => readRow(row).announcement),

    /** What models wrote of announcements since a date, by the id of the announcement. */
    summariesSince: (date: string): Map<string, KeptSummary> =>
      new Map(summariesSince.all({ source, date }).map(({ id, ...summary }) => [id, summary])),
  };
}

export type AnnouncementStore = ReturnType<typeof announcementStore>;
