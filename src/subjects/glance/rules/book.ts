import { hasRange, hasTraded, isOnSide, type PriceRanges } from '../../../market/rules/breadth.ts';
import type { Stock } from '../../../market/rules/stock.ts';

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

/**
 * What a set of stocks adds up to: the members of `Totals` in their order, then the market cap of all in thousand AUD, that of
 * those with a change (`WEIGHT`), and of these thousand AUD times thousandths of a percent. Whole numbers only, so that what is
 * added and taken away again leaves nothing behind. An object's members take several times as long, for hundreds of stocks a
 * tick.
 */
type Sums = Float64Array;

const [CAP, WEIGHT, WEIGHTED, LENGTH] = [8, 9, 10, 11];

const nothing = (): Sums => new Float64Array(LENGTH);

type Entry = { sector: string | null; adds: Sums };

function addTo(sums: Sums, adds: Sums, sign: 1 | -1): void {
  for (let at = 0; at < LENGTH; at += 1) sums[at] = (sums[at] ?? 0) + sign * (adds[at] ?? 0);
}

/** Puts down what one stock adds, in the place of what it added before. */
function setAdds(adds: Sums, stock: Stock, ranges: PriceRanges | null): void {
  const traded = hasTraded(stock);
  const cap = Math.round((stock.marketCap ?? 0) / 1000);
  const change = traded ? stock.change_percent : null;
  const weight = change === null ? 0 : cap;
  adds[0] = 1;
  adds[1] = Number(traded);
  adds[2] = Number(isOnSide('advancers', stock, ranges));
  adds[3] = Number(isOnSide('decliners', stock, ranges));
  adds[4] = Number(isOnSide('newHighs', stock, ranges));
  adds[5] = Number(isOnSide('newLows', stock, ranges));
  adds[6] = Number(hasRange(stock, ranges));
  adds[7] = Math.round(stock.value ?? 0);
  adds[CAP] = cap;
  adds[WEIGHT] = weight;
  adds[WEIGHTED] = weight * Math.round((change ?? 0) * 1000);
}

function totalsOf(sums: Sums): Totals {
  const [stocks = 0, traded = 0, advancers = 0, decliners = 0, highs = 0, lows = 0, ranged = 0, value = 0] =
    sums;
  return { stocks, traded, advancers, decliners, highs, lows, ranged, value };
}

function sectorOf(name: string, sums: Sums): SectorFigures {
  const [cap, weight, weighted] = [sums[CAP] ?? 0, sums[WEIGHT] ?? 0, sums[WEIGHTED] ?? 0];
  const change = weight === 0 ? null : weighted / weight / 1000;
  return { name, ...totalsOf(sums), marketCap: cap * 1000, change };
}

/**
 * The market's sums, kept up stock by stock: after any puts and drops they are what they would be from scratch.
 * @param ranges of stocks whose source states none; null where they are not known
 */
export class GlanceBook {
  readonly #entries = new Map<string, Entry>();
  readonly #sectors = new Map<string, Sums>();
  #all = nothing();

  constructor(private readonly ranges: PriceRanges | null) {}

  /** Takes a stock as it is now; undefined where it does not count, or is gone. */
  put(code: string, stock: Stock | undefined): void {
    const before = this.#entries.get(code);
    if (before) this.#add(before, -1);
    if (stock === undefined) {
      this.#entries.delete(code);
      return;
    }
    const entry = before ?? { sector: null, adds: nothing() };
    entry.sector = stock.sector;
    setAdds(entry.adds, stock, this.ranges);
    if (!before) this.#entries.set(code, entry);
    this.#add(entry, 1);
  }

  clear(): void {
    this.#entries.clear();
    this.#sectors.clear();
    this.#all = nothing();
  }

  totals(): Totals {
    return totalsOf(this.#all);
  }

  /** The sectors that the source has, the largest by market cap first; stocks without one are in none. */
  sectors(): SectorFigures[] {
    const sectors = [...this.#sectors].map(([name, sums]) => sectorOf(name, sums));
    return sectors.sort((a, b) => b.marketCap - a.marketCap || (a.name < b.name ? -1 : 1));
  }

  #add({ sector, adds }: Entry, sign: 1 | -1): void {
    addTo(this.#all, adds, sign);
    if (sector === null) return;
    const sums = this.#sectors.get(sector) ?? nothing();
    addTo(sums, adds, sign);
    if (sums[0] === 0) this.#sectors.delete(sector);
    else this.#sectors.set(sector, sums);
  }
}
