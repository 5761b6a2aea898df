import type { Db } from '../../../../platform/db/open.ts';

/** Some minutes of a tape: `first` inclusive, `until` exclusive, minutes since the epoch. */
export type SegmentSpan = { first: number; until: number };
/** Minutes that go on from those of earlier rows; `goesOnFrom` is the first minute of the first of them, null for that itself. */
export type SavedPart = SegmentSpan & { goesOnFrom: number | null; minutes: Uint8Array };
/** A piece of the tape with its rows, oldest first: their bytes stand one behind the other. */
export type SavedSegment = SegmentSpan & { parts: Uint8Array[] };

/** The tape of one source in the database. Dates are those of sessions in Sydney, YYYY-MM-DD. */
export type TapeStore = {
  /** Puts a part in the place of the one that began at the same minute. */
  save(date: string, part: SavedPart): void;
  /** What of a day is from a minute on does not count any more. */
  cut(date: string, minute: number): void;
  /** Oldest first. */
  spans(date: string): SegmentSpan[];
  /** The segment in which a minute is, until then, else the last before it; null when there is none. */
  at(date: string, minute: number): SavedSegment | null;
  /** Bytes of a day. */
  sizeOf(date: string): number;
  /** Newest first. */
  dates(): string[];
  /** Removes the days that are too old, of every source. @returns how many segments */
  prune(keptDays: number): number;
};

const statementsOf = (client: Db['$client']) => ({
  save: client.query(
    'INSERT INTO tape_segments (source, date, first, goes_on_from, until, minutes) VALUES (?, ?, ?, ?, ?, ?) ' +
      'ON CONFLICT (source, date, first) DO UPDATE SET goes_on_from = excluded.goes_on_from, ' +
      'until = excluded.until, minutes = excluded.minutes',
  ),
  drop: client.query('DELETE FROM tape_segments WHERE source = ? AND date = ? AND first >= ?'),
  shorten: client.query('UPDATE tape_segments SET until = ?3 WHERE source = ?1 AND date = ?2 AND until > ?3'),
  spans: client.query<SegmentSpan, [string, string]>(
    'SELECT first, until FROM tape_segments WHERE source = ? AND date = ? ORDER BY first',
  ),
  at: client.query<SavedPart, [string, string, number]>(
    'SELECT first, goes_on_from AS goesOnFrom, until, minutes FROM tape_segments ' +
      'WHERE source = ? AND date = ? AND first <= ? ORDER BY first DESC LIMIT 1',
  ),
  before: client.query<{ minutes: Uint8Array }, [string, string, number, number]>(
    'SELECT minutes FROM tape_segments WHERE source = ? AND date = ? AND first >= ? AND first < ? ORDER BY first',
  ),
  size: client.query<{ bytes: number | null }, [string, string]>(
    'SELECT sum(length(minutes)) AS bytes FROM tape_segments WHERE source = ? AND date = ?',
  ),
  dates: client.query<{ date: string }, [string]>(
    'SELECT DISTINCT date FROM tape_segments WHERE source = ? ORDER BY date DESC',
  ),
  sources: client.query<{ source: string }, []>('SELECT DISTINCT source FROM tape_segments'),
  dropDay: client.query('DELETE FROM tape_segments WHERE source = ? AND date = ?'),
});

/** @param source its name; tapes of other sources are neither read nor changed */
export function tapeStore({ $client: client }: Db, source: string): TapeStore {
  const { save, drop, shorten, spans, at, before, size, dates, sources, dropDay } = statementsOf(client);
  return {
    save: (date, { first, goesOnFrom, until, minutes }) =>
      void save.run(source, date, first, goesOnFrom, until, minutes),
    cut: client.transaction((date: string, minute: number) => {
      drop.run(source, date, minute);
      shorten.run(source, date, minute);
    }),
    spans: (date) => spans.all(source, date),
    at(date, minute) {
      const last = at.get(source, date, minute);
      if (!last) return null;
      const first = last.goesOnFrom ?? last.first;
      const parts = first === last.first ? [] : before.all(source, date, first, last.first);
      return { first, until: last.until, parts: [...parts, last].map(({ minutes }) => minutes) };
    },
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
