import { hasRange, hasTraded, isOnSide, type PriceRanges } from '#market/rules/breadth.ts';
import type { Stock } from '#market/rules/stock.ts';
import { isOfSecurities, type Securities } from '#market/rules/stockState.ts';

/** Counts of stocks, and AUD traded today; by match price, AUD that the auction would trade. */
export type Totals = {
  stocks: number;
  /** Stocks that traded today; by match price, stocks that have one. */
  traded: number;
  advancers: number;
  decliners: number;
  highs: number;
  lows: number;
  /** Number of stocks whose range for new highs and lows is known. */
  ranged: number;
  value: number;
};

export type SectorFigures = Totals & {
  name: string;
  /** AUD, of stocks whose market cap is known. */
  marketCap: number;
  /** Percent, weighted by market cap, of stocks that traded today; null if none did. */
  change: number | null;
};

/** Sums as integers, so that adding and subtracting leaves no rounding errors. */
type Sums = Totals & {
  /** Thousand AUD, of stocks with a known change. */
  cap: number;
  weight: number;
  /** Thousand AUD times thousandths of a percent. */
  weighted: number;
};

type Entry = { sector: string | null; adds: Sums };

const NOTHING: Sums = {
  stocks: 0,
  traded: 0,
  advancers: 0,
  decliners: 0,
  highs: 0,
  lows: 0,
  ranged: 0,
  value: 0,
  cap: 0,
  weight: 0,
  weighted: 0,
};

/** Written member by member, because a loop over names takes several times as long, for hundreds of stocks per tick. */
function addTo(sums: Sums, adds: Sums, sign: 1 | -1): void {
  sums.stocks += sign * adds.stocks;
  sums.traded += sign * adds.traded;
  sums.advancers += sign * adds.advancers;
  sums.decliners += sign * adds.decliners;
  sums.highs += sign * adds.highs;
  sums.lows += sign * adds.lows;
  sums.ranged += sign * adds.ranged;
  sums.value += sign * adds.value;
  sums.cap += sign * adds.cap;
  sums.weight += sign * adds.weight;
  sums.weighted += sign * adds.weighted;
}

/** The change that counts, percent; null for none. */
export function changeOf(stock: Stock, byMatchPrice: boolean): number | null {
  if (byMatchPrice) return stock.indicativeChangePercent;
  return hasTraded(stock) ? stock.change_percent : null;
}

function addsOf(stock: Stock, ranges: PriceRanges | null, byMatchPrice: boolean): Sums {
  const change = changeOf(stock, byMatchPrice);
  const traded = byMatchPrice ? change !== null : hasTraded(stock);
  const cap = Math.round((stock.marketCap ?? 0) / 1000);
  const weight = change === null ? 0 : cap;
  return {
    stocks: 1,
    traded: Number(traded),
    advancers: Number(isOnSide(byMatchPrice ? 'gappingUp' : 'advancers', stock, ranges)),
    decliners: Number(isOnSide(byMatchPrice ? 'gappingDown' : 'decliners', stock, ranges)),
    highs: Number(isOnSide('newHighs', stock, ranges)),
    lows: Number(isOnSide('newLows', stock, ranges)),
    ranged: Number(hasRange(stock, ranges)),
    value: Math.round((byMatchPrice ? stock.match_value : stock.value) ?? 0),
    cap,
    weight,
    weighted: weight * Math.round((change ?? 0) * 1000),
  };
}

const totalsOf = ({ cap: _cap, weight: _weight, weighted: _weighted, ...totals }: Sums): Totals => totals;

/**
 * The market's sums, updated stock by stock. They always equal a computation from scratch.
 * @param securities the kinds that count; undefined for all
 * @param ranges of stocks for which the source has none; null if unknown
 * @param byMatchPrice whether match prices count instead of last prices
 */
export class OverviewTotals {
  readonly #entries = new Map<string, Entry>();
  readonly #sectors = new Map<string, Sums>();
  #all: Sums = { ...NOTHING };

  constructor(
    private readonly securities: Securities | undefined,
    private readonly ranges: PriceRanges | null,
    private readonly byMatchPrice: boolean,
  ) {}

  /** Updates a stock; drops it if it is gone or does not count. */
  put(code: string, stock: Stock | undefined): void {
    const before = this.#entries.get(code);
    if (before) this.#add(before, -1);
    if (stock === undefined || !isOfSecurities(stock, this.securities)) {
      this.#entries.delete(code);
      return;
    }
    const entry = { sector: stock.sector, adds: addsOf(stock, this.ranges, this.byMatchPrice) };
    this.#entries.set(code, entry);
    this.#add(entry, 1);
  }

  reset(stocks: ReadonlyMap<string, Stock>): void {
    this.#entries.clear();
    this.#sectors.clear();
    this.#all = { ...NOTHING };
    for (const [code, stock] of stocks) this.put(code, stock);
  }

  totals(): Totals {
    return totalsOf(this.#all);
  }

  /** Sectors, largest market cap first. Stocks without a sector are left out. */
  sectors(): SectorFigures[] {
    const sectors = [...this.#sectors].map(([name, sums]) => ({
      name,
      ...totalsOf(sums),
      marketCap: sums.cap * 1000,
      change: sums.weight === 0 ? null : sums.weighted / sums.weight / 1000,
    }));
    return sectors.sort((a, b) => b.marketCap - a.marketCap || (a.name < b.name ? -1 : 1));
  }

  #add({ sector, adds }: Entry, sign: 1 | -1): void {
    addTo(this.#all, adds, sign);
    if (sector === null) return;
    const sums = this.#sectors.get(sector) ?? { ...NOTHING };
    addTo(sums, adds, sign);
    if (sums.stocks === 0) this.#sectors.delete(sector);
    else this.#sectors.set(sector, sums);
  }
}
