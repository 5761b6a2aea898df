import type { Db } from '#platform/db/open.ts';
import { WRITE_FACT } from '#platform/db/facts.ts';
import type { KeptAnnouncement, KeptSummary } from '../rules/stockNews.ts';
import { wordsOfAnnouncement } from '../rules/searchWords.ts';
import { isRecord, parseJson } from '#lib/json.ts';

type Row = Omit<KeptAnnouncement, 'announcementTypes' | 'isPriceSensitive'> & {
  number: number;
  types: string;
  is_price_sensitive: number;
};

type Kept = { number: number; announcement: KeptAnnouncement };

/** Stored if the document has the same address as the link, as usual; an address is a fifth of the row. */
const SAME_AS_URL = '';

type Params = Record<string, string | number | null>;

const COLUMNS = 'number, id, code, date, time, headline, url, document, types, is_price_sensitive';

/** A row's number is its release time in ms times this, plus one for each collision. */
export const NUMBERS_A_MS = 1000;
/** Row numbers of one second, because providers give times in seconds. */
const NUMBERS_A_SECOND = 1000 * NUMBERS_A_MS;

const UPSERT = `INSERT INTO announcements (source, ${COLUMNS})
  VALUES ($source, $number, $id, $code, $date, $time, $headline, $url, $document, $types, $sensitive)
  ON CONFLICT (number) DO UPDATE SET code = $code, headline = $headline, url = $url, document = $document,
    types = $types, is_price_sensitive = $sensitive`;

/** Reads the types of an announcement. @param json a list of texts */
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

/** Statements for announcements that are not in their table yet: one row and one page on disk for all. */
const prepareNotes = (client: Db['$client']) => ({
  read: client.query<{ value: string }, Params>('SELECT value FROM facts WHERE key = $key'),
  write: client.query<null, [key: string, value: string]>(WRITE_FACT),
  clear: client.query<null, Params>('DELETE FROM facts WHERE key = $key'),
});

const prepareRows = (client: Db['$client']) => ({
  byId: client.query<Row, Params>(`SELECT ${COLUMNS} FROM announcements WHERE source = $source AND id = $id`),
  since: client.query<Row, Params>(
    `SELECT ${COLUMNS} FROM announcements WHERE source = $source AND time >= $from`,
  ),
  lastNumber: client.query<{ number: number | null }, Params>(
    'SELECT max(number) AS number FROM announcements WHERE number >= $first AND number < $first + $count',
  ),
  upsert: client.query<null, Params>(UPSERT),
  remove: client.query<null, Params>('DELETE FROM announcements WHERE number = $number'),
  addWords: client.query<null, Params>(
    'INSERT INTO announcement_words (rowid, words) VALUES ($number, $words)',
  ),
  removeWords: client.query<null, Params>('DELETE FROM announcement_words WHERE rowid = $number'),
});

export type Written = { before: KeptAnnouncement | null; after: KeptAnnouncement };

export class AnnouncementStore {
  readonly #rows: ReturnType<typeof prepareRows>;
  readonly #notes: ReturnType<typeof prepareNotes>;
  readonly #client: Db['$client'];
  readonly #notesKey: string;

  constructor(
    { $client: client }: Db,
    private readonly source: string,
  ) {
    this.#client = client;
    this.#rows = prepareRows(client);
    this.#notes = prepareNotes(client);
    this.#notesKey = `announcements_held ${source}`;
  }

  find(id: string): KeptAnnouncement | null {
    return this.#find(id)?.announcement ?? null;
  }

  /** @param from epoch ms */
  since(from: number): KeptAnnouncement[] {
    return this.#rows.since.all({ source: this.source, from }).map((row) => readRow(row).announcement);
  }

  /** Writes new and changed announcements in one transaction. @returns the written ones */
  save(announcements: readonly KeptAnnouncement[]): Written[] {
    return this.#inTransaction(() =>
      announcements.map((announcement) => this.#save(announcement)).filter((written) => written !== null),
    );
  }

  remove(ids: readonly string[]): KeptAnnouncement[] {
    return this.#inTransaction(() =>
      ids.flatMap((id) => {
        const kept = this.#find(id);
        if (kept) this.#remove(kept.number);
        return kept ? [kept.announcement] : [];
      }),
    );
  }

  /** Replaces the stored list of announcements that are shown but not in their table yet. */
  noteHeld(announcements: readonly KeptAnnouncement[]): void {
    this.#notes.write.run(this.#notesKey, JSON.stringify(announcements));
  }

  /** The announcements that an earlier run noted; an unreadable list is ignored. */
  noted(): KeptAnnouncement[] {
    const kept = parseJson(this.#notes.read.get({ key: this.#notesKey })?.value ?? '[]');
    return kept.ok && Array.isArray(kept.value) ? kept.value.filter(isKept) : [];
  }

  saveHeld(announcements: readonly KeptAnnouncement[]): void {
    this.#inTransaction(() => {
      for (const announcement of announcements) this.#save(announcement);
      this.#notes.clear.run({ key: this.#notesKey });
    });
  }

  summariesSince(date: string): Map<string, KeptSummary> {
    const summaries = this.#client.query<KeptSummary & { id: string }, Params>(
      `SELECT announcement_id AS id, text, note, created_at AS at FROM announcement_summaries
       WHERE source = $source AND date >= $date`,
    );
    const rows = summaries.all({ source: this.source, date });
    return new Map(rows.map(({ id, ...summary }) => [id, summary]));
  }

  #inTransaction<T>(work: () => T): T {
    return this.#client.transaction(work)();
  }

  #find(id: string): Kept | null {
    const row = this.#rows.byId.get({ source: this.source, id });
    return row ? readRow(row) : null;
  }

  /** @returns null if it is unchanged */
  #save(announcement: KeptAnnouncement): Written | null {
    const before = this.#find(announcement.id);
    if (before && sameAnnouncement(before.announcement, announcement)) return null;
    const isInPlace = before?.announcement.time === announcement.time;
    if (before && !isInPlace) this.#remove(before.number);
    if (before && isInPlace) this.#rows.removeWords.run({ number: before.number });
    const number = before && isInPlace ? before.number : this.#freeNumber(announcement.time);
    const { id, code, date, time, headline, url, document, announcementTypes, isPriceSensitive } =
      announcement;
    this.#rows.upsert.run({
      source: this.source,
      number,
      id,
      code,
      date,
      time,
      headline,
      url,
      document: document !== null && document === url ? SAME_AS_URL : document,
      types: JSON.stringify(announcementTypes),
      sensitive: isPriceSensitive ? 1 : 0,
    });
    this.#rows.addWords.run({ number, words: wordsOfAnnouncement(announcement).join(' ') });
    return { before: before?.announcement ?? null, after: announcement };
  }

  #remove(number: number): void {
    this.#rows.removeWords.run({ number });
    this.#rows.remove.run({ number });
  }

  #freeNumber(time: number): number {
    const first = time * NUMBERS_A_MS;
    const last = this.#rows.lastNumber.get({ first, count: NUMBERS_A_SECOND })?.number ?? null;
    return last === null ? first : last + 1;
  }
}
