import type { PriceRange } from '#market/rules/breadth.ts';
import type { Stock } from '#market/rules/stock.ts';
import { isOfSecurities, type Securities } from '#market/rules/stockState.ts';
import { GlanceBook, type SectorFigures, type Totals } from './book.ts';
import { type NewsLine, newsLinesOf } from './dayNews.ts';
import { type GlanceLists, glanceLists } from './lists.ts';

/** What a window wants to know of the market as a whole. */
export type GlanceAsk = {
  /** Undefined counts shares and funds. */
  securities: Securities | undefined;
  /** The ranges of stocks whose source states none, as [code, high, low]; null while they are not known. */
  ranges: readonly (readonly [string, number, number])[] | null;
  /** What is told besides the totals: the sectors with the lists, or the announcements; null for nothing. */
  part: 'map' | 'news' | null;
};

/** How the market stands. What a window did not ask for is null, as are announcements that did not change. */
export type GlanceTold = {
  /** Whether all stocks are there: the stream brings the first part of a market before the others. */
  isWhole: boolean;
  totals: Totals;
  map: ({ sectors: SectorFigures[] } & GlanceLists) | null;
  /** Those of these codes, in the place of what was known of them; of all stocks where `codes` is null. */
  news: { codes: string[] | null; lines: NewsLine[] } | null;
};

type Stocks = ReadonlyMap<string, Stock>;

/** Follows the market for one window. */
export type GlanceFollower = {
  /** @param changed the codes that changed since the last call; null begins again with all */
  follow(stocks: Stocks, changed: readonly string[] | null): Omit<GlanceTold, 'isWhole'>;
};

function* counted(stocks: Stocks, securities: Securities | undefined): Generator<Stock> {
  for (const stock of stocks.values()) if (isOfSecurities(stock, securities)) yield stock;
}

/** The announcements that changed, by the identity of the records that hold them. */
function createNewsDiff() {
  const known = new Map<string, Stock['news']>();
  return (stocks: Stocks, changed: readonly string[] | null): GlanceTold['news'] => {
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

/** Keeps sums up by what changed; lists are made of all stocks in one pass. */
export function createFollower({ securities, ranges, part }: GlanceAsk): GlanceFollower {
  const kept =
    ranges && new Map(ranges.map(([code, high, low]): [string, PriceRange] => [code, { high, low }]));
  const book = new GlanceBook(securities, kept);
  const newsOf = createNewsDiff();
  return {
    follow(stocks, changed) {
      if (changed === null) book.reset(stocks);
      else for (const code of changed) book.put(code, stocks.get(code));
      const totals = book.totals();
      if (part === 'news') return { totals, map: null, news: newsOf(stocks, changed) };
      if (part === null) return { totals, map: null, news: null };
      const map = { sectors: book.sectors(), ...glanceLists(counted(stocks, securities)) };
      return { totals, map, news: null };
    },
  };
}
