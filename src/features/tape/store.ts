import type { Db } from '../../db/open.ts';

/** Some minutes of a tape: `first` inclusive, `until` exclusive, minutes since the epoch. */
export type SegmentSpan = { first: number; until: number };
export type SavedSegment = SegmentSpan & { minutes: Uint8Array };

/** The tape of one source in the database. Dates are those of sessions in Sydney, YYYY-MM-DD. */
export type TapeStore = {
  /** Puts a segment in the place of the one that began at the same minute. */
  save(date: string, segment: SavedSegment): void;
  /** What of a day is from a minute on does not count any more. */
  cut(date: string, minute: number): void;
  /** Oldest first. */
  spans(date: string): SegmentSpan[];
  /** The segment in which a minute is, else the last before it; null when there is none. */
  at(date: string, minute: number): SavedSegment | null;
  /** Bytes of a day. */
  sizeOf(date: string): number;
  /** Newest first. */
  dates(): string[];
  /** Removes the days that are too old, of every source. @returns how many segments */
  prune(keptDays: number): number;
};

/** @param source its name; tapes of other sources are neither read nor changed */
export function tapeStore({ $client: client }: Db, source: string): TapeStore {
  const save = client.query(
    'INSERT INTO tape_segments (source, date, first, until, minutes) VALUES (?, ?, ?, ?, ?) ' +
      'ON CONFLICT (source, date, first) DO UPDATE SET until = excluded.until, minutes = excluded.minutes',
  );
  const drop = client.query('DELETE FROM tape_segments WHERE source = ? AND date = ? AND first >= ?');
  const shorten = client.query(
    'UPDATE tape_segments SET until = ?3 WHERE source = ?1 AND date = ?2 AND until > ?3',
  );
  const spans = client.query<SegmentSpan, [string, string]>(
    'SELECT first, until FROM tape_segments WHERE source = ? AND date = ? ORDER BY first',
  );
  const at = client.query<SavedSegment, [string, string, number]>(
    'SELECT first, until, minutes FROM tape_segments WHERE source = ? AND date = ? AND first <= ? ORDER BY first DESC LIMIT 1',
  );
  const size = client.query<{ bytes: number | null }, [string, string]>(
    'SELECT sum(length(minutes)) AS bytes FROM tape_segments WHERE source = ? AND date = ?',
  );
  const dates = client.query<{ date: string }, [string]>(
    'SELECT DISTINCT date FROM tape_segments WHERE source = ? ORDER BY date DESC',
  );
  const sources = client.query<{ source: string }, []>('SELECT DISTINCT source FROM tape_segments');
  const dropDay = client.query('DELETE FROM tape_segments WHERE source = ? AND date = ?');
  return {
    save: (date, { first, until, minutes }) => void save.run(source, date, first, until, minutes),
    cut: client.transaction((date: string, minute: number) => {
      drop.run(source, date, minute);
      shorten.run(source, date, minute);
    }),
    spans: (date) => spans.all(source, date),
    at: (date, minute) => at.get(source, date, minute),
    sizeOf: (date) => size.get(source, date)?.bytes ?? 0,
    dates: () => dates.all(source).map(({ date }) => date),
    prune: client.transaction((keptDays: number) => {
      let removed = 0;
      for (const { source: one } of sources.all()) {
        for (const { date } of dates.all(one).slice(keptDays)) removed += dropDay.run(one, date).changes;
      }
      return removed;
    }),
  };
}
