import { statSync } from 'node:fs';
import type { Db } from './open.ts';

export type DatabaseSize = {
  file: number;
  free: number;
  writeAheadLog: number;
  pages: number;
  pageSize: number;
};

const pragma = ({ $client }: Db, name: 'page_count' | 'page_size' | 'freelist_count'): number => {
  const row = $client.query<Record<string, number>, []>(`PRAGMA ${name}`).get();
  return row?.[name] ?? 0;
};

const fileSize = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

export function databaseSize(db: Db): DatabaseSize {
  const pages = pragma(db, 'page_count');
  const pageSize = pragma(db, 'page_size');
  const { filename } = db.$client;
  return {
    pages,
    pageSize,
    file: pages * pageSize,
    free: pragma(db, 'freelist_count') * pageSize,
    writeAheadLog: filename === '' || filename === ':memory:' ? 0 : fileSize(`${filename}-wal`),
  };
}

type Table = { name: string; type: string; wr: number };

/** Upper bound of each table's rows, by row numbers, because counting would read a million rows. */
export function rowsAtMost({ $client }: Db): Record<string, number> {
  const tables = $client.query<Table, []>(
    `SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main'`,
  );
  const own = tables
    .all()
    .filter(({ name, type, wr }) => type === 'table' && wr === 0 && !name.startsWith('sqlite_'));
  const counts = own.map(({ name }) => {
    const table = `"${name.replaceAll('"', '""')}"`;
    const range = $client.query<{ first: number | null; last: number | null }, []>(
      `SELECT (SELECT min(rowid) FROM ${table}) AS first, (SELECT max(rowid) FROM ${table}) AS last`,
    );
    const { first, last } = range.get() ?? { first: null, last: null };
    return [name, first === null || last === null ? 0 : last - first + 1] as const;
  });
  return Object.fromEntries(counts.sort(([a], [b]) => (a < b ? -1 : 1)));
}
