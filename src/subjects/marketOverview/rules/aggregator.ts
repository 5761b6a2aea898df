import type { PriceRange } from '#market/rules/breadth.ts';
import type { Stock } from '#market/rules/stock.ts';
import { isOfSecurities, type Securities } from '#market/rules/stockState.ts';
import { OverviewTotals, type SectorFigures, type Totals } from './totals.ts';
import { type NewsLine, newsLinesOf } from './dayNews.ts';
import { type OverviewLists, overviewLists } from './lists.ts';

/** A window's request for the market overview. */
export type OverviewRequest = {
  securities: Securities | undefined;
  /** True before the open, to compare match prices instead of last prices with the previous close. */
  byMatchPrice: boolean;
  /** Ranges of stocks for which the source has none, as [code, high, low]; null if unknown. */
  ranges: readonly (readonly [string, number, number])[] | null;
  /** What to send in addition to the totals: sectors with their lists, or announcements; null for nothing. */
  part: 'map' | 'news' | null;
};

/** An answer to a window. Members that it did not request are null, and so are unchanged announcements. */
export type OverviewFigures = {
  /** Whether all stocks have arrived, because the stream sends a market in parts. */
  isWhole: boolean;
  byMatchPrice: boolean;
  totals: Totals;
  map: ({ sectors: SectorFigures[] } & OverviewLists) | null;
  /** Announcements that replace those of these codes, or of all stocks if `codes` is null. */
  news: { codes: string[] | null; lines: NewsLine[] } | null;
};

type Stocks = ReadonlyMap<string, Stock>;

export type OverviewAggregator = {
  /** @param changed the codes that changed since the last call; null starts again with all stocks */
  follow(stocks: Stocks, changed: readonly string[] | null): Omit<OverviewFigures, 'isWhole'>;
};

function* counted(stocks: Stocks, securities: Securities | undefined): Generator<Stock> {
  for (const stock of stocks.values()) if (isOfSecurities(stock, securities)) yield stock;
}

function createNewsDiff() {
  const known = new Map<string, Stock['news']>();
  return (stocks: Stocks, changed: readonly string[] | null): OverviewFigures['news'] => {
    if (changed === null) known.clear();
    const codes: string[] = [];
    for (const code of changed ?? stocks.keys()) {
      const news = stocks.get(code)?.news;
      if (news === known.get(code)) continue;
      if (news) known.set(code, news);
      else known.delete(code);
      codes.push(code);
    }
    if (changed !== null && codes.length === 0) return null;
    const lines = codes.flatMap((code) => {
      const stock = stocks.get(code);
      return stock ? newsLinesOf(stock) : [];
    });
    return { codes: changed === null ? null : codes, lines };
  };
}

/** Computes market overviews. Sums are updated incrementally; lists are rebuilt in one pass over all stocks. */
export function createAggregator(request: OverviewRequest): OverviewAggregator {
  const { securities, byMatchPrice, ranges, part } = request;
  const kept =
    ranges && new Map(ranges.map(([code, high, low]): [string, PriceRange] => [code, { high, low }]));
  const book = new OverviewTotals(securities, kept, byMatchPrice);
  const newsOf = createNewsDiff();
  return {
    follow(stocks, changed) {
      if (changed === null) book.reset(stocks);
      else for (const code of changed) book.put(code, stocks.get(code));
      const figures = { byMatchPrice, totals: book.totals(), map: null, news: null };
      if (part === 'news') return { ...figures, news: newsOf(stocks, changed) };
      if (part === null) return figures;
      const lists = overviewLists(counted(stocks, securities), byMatchPrice);
      return { ...figures, map: { sectors: book.sectors(), ...lists } };
    },
  };
}
