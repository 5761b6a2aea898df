import type { SurplusFlip } from './auctions/rules/auction.ts';
import type { PreOpenSnapshot, Stock, StockUpdate } from './rules/stock.ts';
import type { StockPatch } from './rules/stream.ts';
import type { MarketSink, QuoteFacts } from '../sources/quotes/source.ts';

/** What changed since the last flush: the smallest merge patches. Built once, given to every listener. */
export type ChangeSet = {
  /** Counts up by one per change set. */
  seq: number;
  upsert: Record<string, StockPatch>;
  delete: string[];
};

/** A stock as it is kept over a restart: the update that lists it, and what is known of it besides. */
export type KeptStock = StockUpdate & { facts: QuoteFacts };

export type Market = MarketSink & {
  get(code: string): Stock | undefined;
  /**
   * Puts computed values into a listed stock, whole: they take the place of what was there. For the engine, which makes
   * thousands a tick and never a wrong one; whatever comes from outside goes through `apply`.
   * @param patch the merge patch from the stock's indicators to the new ones, where the caller knows it: it saves the
   *   next flush from looking for what changed. Its objects must not change any more
   */
  setValues(
    code: string,
    values: Pick<Stock, 'indicators' | 'htf'>,
    patch?: NonNullable<Stock['indicators']>,
  ): void;
  /**
   * Puts a stock's announcements into its record, whole: they take the place of what was there. No quote comes with
   * them, so they make no quote fresh, and a code that is not listed stays unlisted.
   */
  setNews(code: string, change: Pick<Stock, 'news' | 'sensitiveAnnouncements'>): void;
  /** Marks a listed stock whose auction's surplus changed sides; null takes the mark away. */
  setSurplusFlip(code: string, flip: SurplusFlip | null): void;
  all(): ReadonlyMap<string, Stock>;
  /**
   * The stocks as the last change set left them, without what came since; before the first change set, as
   * they are. A snapshot made of these and the change sets after it never disagree.
   */
  flushed(): Iterable<Stock>;
  /** Collects what changed since the last call; null when nothing did. */
  flush(): ChangeSet | null;
  /** What is known of a stock besides its record; null for one that is not listed. A recording keeps it. */
  facts(code: string): QuoteFacts | null;
  /** Last quote time of a stock, epoch ms, else when the Market took it. */
  quoteTime(code: string): number | null;
  /** When the provider says that a stock's last quote with a price was made, epoch ms; null when it does not say. */
  statedQuoteTime(code: string): number | null;
  /** The Sydney date of the session that is shown, YYYY-MM-DD: it stays until the next one begins at 07:00. */
  date(): string;
  /**
   * Gives back pre-open snapshots of an earlier run in the same session; those of another date, from the
   * market's future, or older than what is known are ignored. Stocks not listed yet get theirs when they are.
   */
  restorePreOpen(date: string, snapshots: ReadonlyMap<string, PreOpenSnapshot>): void;
  /**
   * Lists stocks as an earlier run had them, if the session of that date is still the one that is shown. Stocks that are
   * listed already stay as they are, and quotes of the market's future are ignored. @returns the codes that were listed
   */
  restoreStocks(date: string, stocks: Iterable<KeptStock>): string[];
};

/** Given every change set as it is flushed; null on a tick in which no stock changed. */
export type TickListener = (changes: ChangeSet | null) => void;
