import { SCANNER_KEYS, type ScannerKey } from '#market/scanners/rules/scanners.ts';
import { belongsTo } from '#market/scanners/rules/membership.ts';
import type { Action } from '#web/shared/actions.ts';
import { nameRank } from '#market/rules/symbolSearch.ts';
import type { Stock } from '#market/rules/stock.ts';
import { wordsOf } from '#lib/text.ts';

/** Something to jump to or to do. */
export type PaletteEntry = {
  id: string;
  label: string;
  /** What stands muted behind it. */
  about: string;
  /** Other words it is found by. */
  words?: string;
  /** It puts the focus somewhere itself. */
  takesFocus?: boolean;
  /** What has the focus then, instead of what had it before. */
  focus?: Action['focus'];
  /** It closes the palette itself. */
  closesItself?: boolean;
  run(): void;
};

/** So that screens and actions stay in sight below them. */
const MAX_STOCKS = 8;

const normal = (text: string): string => text.trim().toLocaleLowerCase('en-AU');

/** Screens and actions that have every typed word in their label, what is behind it or their other words, in their own order. */
export function findEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const words = wordsOf(normal(typed));
  return entries.filter(({ label, about, words: more = '' }) => {
    const text = normal(`${label} ${about} ${more}`);
    return words.every((word) => text.includes(word));
  });
}

/** How well a stock answers to what was typed: its code, the start of it, a word of its name; null when not at all. */
function rankOf({ code, name }: Stock, typed: string): number | null {
  const lower = normal(code);
  if (lower === typed) return 0;
  if (lower.startsWith(typed)) return 1;
  const byName = nameRank(normal(name), typed);
  return byName === null ? null : byName + 2;
}

/** The stocks that are meant, the best first, then by code; none before something is typed. */
export function findStocks(stocks: Iterable<Stock>, typed: string): Stock[] {
  const text = normal(typed);
  if (text === '') return [];
  const found: { stock: Stock; rank: number }[] = [];
  for (const stock of stocks) {
    const rank = rankOf(stock, text);
    if (rank !== null) found.push({ stock, rank });
  }
  found.sort((a, b) => a.rank - b.rank || (a.stock.code < b.stock.code ? -1 : 1));
  return found.slice(0, MAX_STOCKS).map(({ stock }) => stock);
}

/**
 * The scanner that shows a stock: the one in sight when it does, else the first that does. The custom one shows all.
 * @param shown the scanner in sight; null elsewhere
 */
export function scannerFor(stock: Stock, shown: ScannerKey | null, ignoreStatus: boolean): ScannerKey {
  if (shown !== null && belongsTo(shown, stock, ignoreStatus)) return shown;
  return SCANNER_KEYS.find((key) => belongsTo(key, stock, ignoreStatus)) ?? 'custom';
}
