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
