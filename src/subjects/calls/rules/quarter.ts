import { fromSydney, sydneyDate } from '#lib/sydneyTime.ts';
import { twoDigits } from '#lib/text.ts';

/** Quarters in answers and lists. */
export const MAX_QUARTERS = 8;

const QUARTER = /^(20\d{2})-Q([1-4])$/;

/** '2026-Q4': the quarter of a calendar date in Sydney. @param time epoch ms */
export function quarterOf(time: number): string {
  const date = sydneyDate(time);
  return `${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`;
}

/** A quarter's start and end, epoch ms; the end is exclusive. Null if the text names no quarter. */
export function quarterSpan(quarter: string): { from: number; until: number } | null {
  const [, year, number] = QUARTER.exec(quarter) ?? [];
  if (year === undefined) return null;
  const begin = (index: number): number => {
    const month = twoDigits((index % 4) * 3 + 1);
    return fromSydney(`${Number(year) + Math.floor(index / 4)}-${month}-01`, 0, 0);
  };
  return { from: begin(Number(number) - 1), until: begin(Number(number)) };
}

/** The quarters between two times (epoch ms), newest first, at most `MAX_QUARTERS`. */
export function quartersBetween(from: number, until: number): string[] {
  const quarters: string[] = [];
  for (let time = until; time >= from && quarters.length < MAX_QUARTERS; ) {
    const quarter = quarterOf(time);
    quarters.push(quarter);
    time = (quarterSpan(quarter)?.from ?? from) - 1;
  }
  return quarters;
}

const MONTHS = ['January to March', 'April to June', 'July to September', 'October to December'] as const;

/** 'October to December 2026'; the text itself if it names no quarter. */
export function quarterName(quarter: string): string {
  const [, year, number] = QUARTER.exec(quarter) ?? [];
  return year === undefined ? quarter : `${MONTHS[Number(number) - 1] ?? ''} ${year}`;
}
