import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FxItem, WeekItem } from './fakeFxStreet.ts';

const parse = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/**
 * A recorded week of ForexFactory.
 * @param folder the recordings' folder
 * @param date YYYY-MM-DD, the Sunday that it begins with
 */
export const readRecordedWeek = (folder: string, date: string): WeekItem[] =>
  parse(join(folder, 'calendar', `ff_calendar_thisweek.${date}.json`)) as WeekItem[];

const COUNTRIES: Readonly<Record<string, string>> = { AUD: 'AU', EUR: 'EMU', JPY: 'JP', USD: 'US' };

/** '10/02/2026 12:30:00', UTC, as ISO 8601. */
function isoOf(start: string): string {
  const [, month, day, year, time] = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d:\d\d:\d\d)$/.exec(start) ?? [];
  return `${year}-${month}-${day}T${time}Z`;
}

function itemOf(line: string): FxItem {
  const [id = '', start = '', ...rest] = line.split(',');
  const currencyCode = rest.pop() ?? '';
  const volatility = rest.pop() ?? '';
  const name = rest.join(',').replace(/^"|"$/g, '');
  const countryCode = COUNTRIES[currencyCode] ?? currencyCode;
  return { id, dateUtc: isoOf(start), name, countryCode, currencyCode, volatility };
}

/**
 * FXStreet's schedule of all recorded countries, without figures.
 * @param folder the recordings' folder
 */
export function readRecordedSchedule(folder: string): FxItem[] {
  const schedule = join(folder, 'calendar', 'fxstreet-schedule');
  return readdirSync(schedule)
    .sort()
    .flatMap((file) => readFileSync(join(schedule, file), 'utf8').trim().split(/\r?\n/).slice(1).map(itemOf));
}
