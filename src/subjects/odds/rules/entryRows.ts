import type { Wire } from '#lib/contract/fields.ts';
import type { oddsEntry } from '../answers/odds.ts';
import type { OddsEntries } from './result.ts';

export type OddsEntry = Wire<typeof oddsEntry>;

const NONE: OddsEntries = {
  total: 0,
  symbols: [],
  dates: [],
  minutes: [],
  fillMinutes: [],
  fills: [],
  exitDates: [],
  exitMinutes: [],
  exits: [],
  reasons: [],
  results: [],
  resultsBefore: [],
  hasNews: [],
};

/** The entries of several lists, in their order. */
export function joined(lists: readonly OddsEntries[]): OddsEntries {
  const all = structuredClone(NONE);
  for (const { total, ...columns } of lists) {
    all.total += total;
    for (const [name, column] of Object.entries(columns)) {
      const target: unknown[] = all[name as keyof typeof columns];
      for (const value of column) target.push(value);
    }
  }
  return all;
}

/** Some rows of a list, in their order. */
export function pickRows({ total: _, ...columns }: OddsEntries, rows: readonly number[]): OddsEntries {
  const picked = Object.entries(columns).map(([name, column]) => [name, rows.map((row) => column[row])]);
  return { total: rows.length, ...(Object.fromEntries(picked) as typeof columns) };
}

export const ENTRY_SORTS = [
  ...(['symbol', 'name', 'date', 'minute', 'fill', 'sold', 'exit', 'result', 'hasNews'] as const),
] as const;
export type EntrySort = { by: (typeof ENTRY_SORTS)[number]; isDescending: boolean };

/** Sorts as text, because minutes have up to four digits. */
const momentText = (date: string | undefined, minute = 0): string => `${date} ${minute + 1000}`;

/** Rows in an order; those with equal values stay as they were. @param nameOf a company's name by its code */
export function sortedRows(
  {
    symbols,
    dates,
    minutes,
    fillMinutes,
    fills,
    exitDates,
    exitMinutes,
    exits,
    results,
    hasNews,
  }: OddsEntries,
  { by, isDescending }: EntrySort,
  nameOf: (code: string) => string,
): number[] {
  const keys: Record<EntrySort['by'], () => readonly (string | number)[]> = {
    symbol: () => symbols,
    name: () => symbols.map(nameOf),
    date: () => dates.map((date, row) => momentText(date, fillMinutes[row])),
    minute: () => minutes,
    fill: () => fills,
    sold: () => exitDates.map((date, row) => momentText(date, exitMinutes[row])),
    exit: () => exits,
    result: () => results,
    hasNews: () => hasNews.map(Number),
  };
  const values = keys[by]();
  const sign = isDescending ? -1 : 1;
  return Array.from(symbols, (_, row) => row).sort((a, b) => {
    const [one = 0, other = 0] = [values[a], values[b]];
    return one === other ? 0 : one < other ? -sign : sign;
  });
}

/** @param nameOf a company's name by its code */
export function entryRows(entries: OddsEntries, nameOf: (code: string) => string): OddsEntry[] {
  return entries.symbols.map((symbol, row) => ({
    symbol,
    name: nameOf(symbol),
    date: entries.dates[row] ?? '',
    minute: entries.minutes[row] ?? 0,
    fillMinute: entries.fillMinutes[row] ?? 0,
    fill: entries.fills[row] ?? 0,
    exitDate: entries.exitDates[row] ?? '',
    exitMinute: entries.exitMinutes[row] ?? 0,
    exit: entries.exits[row] ?? 0,
    reason: entries.reasons[row] ?? 'time',
    result: entries.results[row] ?? 0,
    before: entries.resultsBefore[row] ?? 0,
    hasNews: entries.hasNews[row] ?? false,
  }));
}
