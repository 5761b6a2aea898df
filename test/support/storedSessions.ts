import { folderOf } from '#lib/dayFiles.ts';
import { COLUMN_SCALE, WholeRows, wholeOf } from '#market/sessions/codec.ts';
import { framed, sessionFiles } from '#market/sessions/files.ts';
import { SessionWriter } from '#market/sessions/parts.ts';
import { SESSION_COLUMNS } from '#market/sessions/rules/sessionDay.ts';
import { previousTradingDay } from '#market/rules/tradingDay.ts';
import { type RecordedDay, recordedSession } from './recordedSessions.ts';

const HOURS = { from: 420, until: 982 };

/** The file of a session. Data is missing in the gaps. */
function sessionBytes(day: RecordedDay): Uint8Array {
  const writer = new SessionWriter(true);
  for (const stock of recordedSession(day).stocks()) {
    const rows = new WholeRows();
    for (let row = 0; row < stock.rows; row += 1) {
      rows.minutes[row] = stock.minutes[row] ?? 0;
      rows.traded[row] = Number(!Number.isNaN(stock.column('open')[row]));
      for (const name of SESSION_COLUMNS) {
        rows.column(name)[row] = wholeOf(stock.column(name)[row] ?? Number.NaN, COLUMN_SCALE[name]);
      }
      rows.rows += 1;
    }
    writer.add(stock, rows);
  }
  const covered: { from: number; until: number }[] = [];
  let from = HOURS.from;
  for (const gap of day.gaps ?? []) {
    covered.push({ from, until: gap.from });
    from = gap.until;
  }
  covered.push({ from, until: HOURS.until });
  return framed(writer.part({ hours: HOURS, covered }));
}

/** Writes sessions into a history. @param source its name there */
export function storeSessions(folder: string, source: string, days: readonly RecordedDay[]): void {
  const files = sessionFiles(folder);
  for (const day of days) files.replace(folderOf(source), day.date, sessionBytes(day));
}

/** Writes the same session for several dates. */
export function storeCopies(
  folder: string,
  source: string,
  day: Omit<RecordedDay, 'date'>,
  dates: readonly string[],
): void {
  const files = sessionFiles(folder);
  const bytes = sessionBytes({ ...day, date: dates[0] ?? '' });
  for (const date of dates) files.replace(folderOf(source), date, bytes);
}

/** Trading days before a date, oldest first. */
export function tradingDaysBefore(date: string, count: number): string[] {
  const dates: string[] = [];
  for (let day = date; dates.length < count; ) {
    day = previousTradingDay(day);
    dates.unshift(day);
  }
  return dates;
}
