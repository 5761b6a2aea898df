import type { Db } from '#platform/db/open.ts';
import { nextTurn } from '#lib/nextTurn.ts';
import { folderOf, type TapeFiles } from './files.ts';
import { partRecord, type TapePart } from './pack/records.ts';

type Day = { source: string; date: string };
type Row = TapePart & { minutes: Uint8Array };

/**
 * Brings the tape that an earlier version kept in the database into files, a day a turn, the running one before it returns;
 * only what is a file leaves the database, so that a kill loses nothing.
 * @returns how many days
 */
export async function takeEarlierTape({ $client: client }: Db, files: TapeFiles): Promise<number> {
  const days = client
    .query<Day, []>('SELECT DISTINCT source, date FROM tape_segments ORDER BY date DESC')
    .all();
  const rowsOf = client.query<Row, [string, string]>(
    'SELECT first, goes_on_from AS goesOnFrom, until, minutes FROM tape_segments WHERE source = ? AND date = ? ORDER BY first',
  );
  const drop = client.query('DELETE FROM tape_segments WHERE source = ? AND date = ?');
  for (const { source, date } of days) {
    const folder = folderOf(source);
    // Where an update was rolled back and came again, what the file has is not told twice.
    if (files.read(folder, date) === null) {
      const records = rowsOf.all(source, date).map(({ minutes, ...part }) => partRecord(part, minutes));
      files.write(folder, date, 0, Buffer.concat(records));
    }
    drop.run(source, date);
    await nextTurn();
  }
  return days.length;
}
