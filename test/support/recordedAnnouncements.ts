import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AsxItem } from './fakeAsx.ts';

type Recorded = {
  data: { items: AsxItem[]; summaryCounts: { announcements: number; priceSensitive: number } };
};

/**
 * Every announcement of a recorded Sydney day, newest first, with the counts that the exchange gave.
 * @param folder the recordings' folder
 * @param date 2026-01-19 or 2026-01-20
 */
export function readRecordedDay(folder: string, date: string): Recorded['data'] {
  const file = join(folder, 'announcements', `markit-${date}.json`);
  return (JSON.parse(readFileSync(file, 'utf8')) as Recorded).data;
}
