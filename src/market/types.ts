import type { Delta, Snapshot, StockPatch, StreamMeta } from '../domain/stream.ts';
import type { Stock } from '../domain/stock.ts';
import type { MarketSink, MarketSource } from '../sources/source.ts';

/** What changed since the last flush: the smallest merge patches. Built once, given to every listener. */
export type ChangeSet = {
  /** Counts up by one per change set. */
  seq: number;
  upsert: Record<string, StockPatch>;
  delete: string[];
};

export type Market = MarketSink & {
  get(code: string): Stock | undefined;
  all(): ReadonlyMap<string, Stock>;
  /** Collects what changed since the last call; null when nothing did. */
  flush(): ChangeSet | null;
  /** Last quote time of a stock, epoch ms, else when the Market took it. */
  quoteTime(code: string): number | null;
};

export type BuildMeta = (market: Market, source: MarketSource) => StreamMeta;
export type { Delta, Snapshot };
