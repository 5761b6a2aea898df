import type { Entry } from './entries.ts';

/** Entries without the conditions, and without the book, which holds all others of the stock. */
export function* shownEntries(entries: Iterable<Entry>): Iterable<unknown> {
  for (const {
    id,
    userId,
    book,
    name,
    version,
    persistent,
    lastTriggeredAt,
    snoozedUntil,
    isWaiting,
  } of entries) {
    yield {
      id,
      userId,
      symbol: book.symbol,
      name,
      version,
      persistent,
      lastTriggeredAt,
      snoozedUntil,
      isWaiting,
    };
  }
}
