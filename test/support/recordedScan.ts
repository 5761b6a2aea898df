import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Recorded figures of the real market. */
export type Recordings = { name: string; folder: string; isWhole: boolean };

export const EXCERPT: Recordings = {
  name: 'the excerpt',
  folder: join(import.meta.dir, '..', 'fixtures', 'recordings'),
  isWhole: false,
};
const WHOLE: Recordings = {
  name: 'the whole recordings',
  folder: join(import.meta.dir, '..', '..', '..', 'shared', 'data'),
  isWhole: true,
};

/** The excerpt in the project; and the whole, an extra run if it is next to the checkout. */
export const recordings = (): Recordings[] => (existsSync(WHOLE.folder) ? [EXCERPT, WHOLE] : [EXCERPT]);

/** One recorded listing: its symbol and its cells by column, in the platform’s types. */
export type RecordedRow = { symbol: string; cells: ReadonlyMap<string, unknown> };

const TEXT_COLUMNS = new Set([
  'name',
  'description',
  'logoid',
  'exchange',
  'type',
  'sector',
  'industry',
  'country',
]);

/** Splits one CSV line; quoted fields may contain commas and doubled quotes. */
function splitLine(line: string): string[] {
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] ?? '';
    if (char === '"') {
      if (quoted && line[at + 1] === '"') {
        field += '"';
        at += 1;
      } else quoted = !quoted;
    } else if (char === ',' && !quoted) {
      fields.push(field);
      field = '';
    } else field += char;
  }
  return [...fields, field];
}

function cellOf(column: string, text: string): unknown {
  if (column === 'typespecs') return [...text.matchAll(/'([^']*)'/g)].map((match) => match[1]);
  if (text === '') return null;
  return TEXT_COLUMNS.has(column) ? text : Number(text);
}

/**
 * Reads a recorded whole-market scan.
 * @param folder the recordings’ folder
 * @param date 2026-01-19 or 2026-01-20
 * @returns the rows in recorded order, repeated symbols included
 */
export function readRecordedScan(folder: string, date: string): RecordedRow[] {
  const file = join(folder, 'tradingview', 'scan-daily-all', `${date}.csv.gz`);
  const text = new TextDecoder().decode(Bun.gunzipSync(readFileSync(file)));
  const [header = '', ...lines] = text.split(/\r?\n/).filter((line) => line !== '');
  const columns = splitLine(header);
  return lines.map((line) => {
    const fields = splitLine(line);
    const cells = columns.map((column, index): [string, unknown] => [
      column,
      cellOf(column, fields[index] ?? ''),
    ]);
    return { symbol: fields[0] ?? '', cells: new Map(cells) };
  });
}
