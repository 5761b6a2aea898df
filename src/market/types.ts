import type { SurplusFlip, PreOpenSnapshot, Stock, StockUpdate } from './rules/stock.ts';
import type { StockPatch } from './rules/stream.ts';
import type { MarketSink, QuoteFacts } from './sources/quotes.ts';

export type ChangeSet = {
  seq: number;
  upsert: Record<string, StockPatch>;
  delete: string[];
};

export type KeptStock = StockUpdate & { facts: QuoteFacts };

export type Market = MarketSink & {
  get(code: string): Stock | undefined;
  /**
   * Replaces a listed stock's computed values. Only for the engine, whose thousands of values per tick are
   * valid; other data goes through `apply`.
   * @param patch the merge patch from the old to the new indicators, if known; saves the next flush a
   * comparison. Its objects must not change
   */
  setValues(
    code: string,
    values: Pick<Stock, 'indicators' | 'htf'>,
    patch?: NonNullable<Stock['indicators']>,
  ): void;
  /** Replaces a stock's announcements. Quote times stay, and an unlisted code stays unlisted. */
  setNews(code: string, change: Pick<Stock, 'news' | 'sensitiveAnnouncements'>): void;
  setSurplusFlip(code: string, flip: SurplusFlip | null): void;
  all(): ReadonlyMap<string, Stock>;
  /** The stocks at the last change set, so that a snapshot of them agrees with later ones. */
  flushed(): Iterable<Stock>;
  flush(): ChangeSet | null;
  facts(code: string): QuoteFacts | null;
  /** Time of the last quote, or when the Market received it, epoch ms. */
  quoteTime(code: string): number | null;
  statedQuoteTime(code: string): number | null;
  /** The session shown, YYYY-MM-DD in Sydney: it stays until the next begins at 07:00. */
  date(): string;
  /**
   * Restores pre-open snapshots of the same session. Other dates, future or older ones are ignored. Unlisted
   * stocks get theirs when they are listed.
   */
  restorePreOpen(date: string, snapshots: ReadonlyMap<string, PreOpenSnapshot>): void;
  /** Restores stocks of the same session that are not listed yet. @returns the restored codes */
  restoreStocks(date: string, stocks: Iterable<KeptStock>): string[];
};

export type TickListener = (changes: ChangeSet | null) => void;
