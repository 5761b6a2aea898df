import { hasRange, hasTraded, isOnSide, type PriceRanges } from '#market/rules/breadth.ts';
import type { Stock } from '#market/rules/stock.ts';
import { isOfSecurities, type Securities } from '#market/rules/stockState.ts';

/** How a set of stocks stands: counts, and AUD traded today. */
export type Totals = {
  stocks: number;
  /** Those that traded today. */
  traded: number;
  advancers: number;
  decliners: number;
  highs: number;
  lows: number;
  /** Those of which a range is known that a new high or low would leave. */
  ranged: number;
  value: number;
};

/** A sector as its source names it. */
export type SectorFigures = Totals & {
  name: string;
  /** AUD; of the stocks whose market cap is known. */
  marketCap: number;
  /** Percent: of those that traded today, weighted by market cap; null where none has both. */
  change: number | null;
};

/** Whole numbers only, so that what is added and taken away again leaves nothing behind. */
type Sums = Totals & {
  /** Thousand AUD; those of stocks with a change apart. */
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

/** Member by member: a loop over their names takes several times as long, for hundreds of stocks a tick. */
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

/** What one stock adds. */
function addsOf(stock: Stock, ranges: PriceRanges | null): Sums {
  const traded = hasTraded(stock);
  const cap = Math.round((stock.marketCap ?? 0) / 1000);
  const change = traded ? stock.change_percent : null;
  const weight = change === null ? 0 : cap;
  return {
    stocks: 1,
    traded: Number(traded),
    advancers: Number(isOnSide('advancers', stock, ranges)),
    decliners: Number(isOnSide('decliners', stock, ranges)),
    highs: Number(isOnSide('newHighs', stock, ranges)),
    lows: Number(isOnSide('newLows', stock, ranges)),
    ranged: Number(hasRange(stock, ranges)),
    value: Math.round(stock.value ?? 0),
    cap,
    weight,
    weighted: weight * Math.round((change ?? 0) * 1000),
  };
}

const totalsOf = ({ cap: _cap, weight: _weight, weighted: _weighted, ...totals }: Sums): Totals => totals;

/**
 * The market's sums, kept up stock by stock: after any puts and drops they are what they would be from scratch.
 * @param securities those that count; undefined counts all
 * @param ranges of stocks whose source states none; null where they are not known
 */
export class GlanceBook {
  readonly #entries = new Map<string, Entry>();
  readonly #sectors = new Map<string, Sums>();
  #all: Sums = { ...NOTHING };

  constructor(
    private readonly securities: Securities | undefined,
    private readonly ranges: PriceRanges | null,
  ) {}

  /** Takes a stock as it is now; one that does not count, or is gone, is dropped. */
  put(code: string, stock: Stock | undefined): void {
    const before = this.#entries.get(code);
    if (before) this.#add(before, -1);
    if (stock === undefined || !isOfSecurities(stock, this.securities)) {
      this.#entries.delete(code);
      return;
    }
    const entry = { sector: stock.sector, adds: addsOf(stock, this.ranges) };
    this.#entries.set(code, entry);
    this.#add(entry, 1);
  }

  /** Takes the place of all. */
  reset(stocks: ReadonlyMap<string, Stock>): void {
    this.#entries.clear();
    this.#sectors.clear();
    this.#all = { ...NOTHING };
    for (const [code, stock] of stocks) this.put(code, stock);
  }

  totals(): Totals {
    return totalsOf(this.#all);
  }

  /** The sectors that the source has, the largest by market cap first; stocks without one are in none. */
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
