import { isOnSide } from '../../../market/rules/breadth.ts';
import type { Stock } from '../../../market/rules/stock.ts';
import { Greatest } from './greatest.ts';

/** A stock as the map shows it. */
export type MapStock = { code: string; name: string; marketCap: number; change: number | null };

/** A stock in the list of unusual volume. */
export type BusyStock = {
  code: string;
  name: string;
  relativeVolume: number;
  last: number | null;
  change: number | null;
  value: number | null;
};

/** Stocks that a sector of the map shows, and those in the list of unusual volume. */
export const LARGEST = 12;
export const BUSIEST = 20;

const mapStock = ({ code, name, marketCap, change_percent: change }: Stock): MapStock => ({
  code,
  name,
  change,
  marketCap: marketCap ?? 0,
});

const busyStock = ({
  code,
  name,
  relativeVolume,
  last,
  change_percent: change,
  value,
}: Stock): BusyStock => ({
  code,
  name,
  last,
  change,
  value,
  relativeVolume: relativeVolume ?? 0,
});

/** What is listed of a market: the largest stocks of each sector, and those of the most unusual volume. */
export type GlanceLists = { largest: Record<string, MapStock[]>; busiest: BusyStock[] };

// As they are told: a stock is looked at when it has changed, and not again each time that the lists are.
const createLargest = () => new Greatest<MapStock>(({ marketCap }) => marketCap, LARGEST);
const createBusiest = () => new Greatest<BusyStock>(({ relativeVolume }) => relativeVolume, BUSIEST);

/** What is listed of a market, kept up stock by stock. */
export class ListKeeper {
  /** By sector, of stocks with a market cap. */
  readonly #largest = new Map<string, Greatest<MapStock>>();
  readonly #sectorOf = new Map<string, string>();
  #busiest = createBusiest();

  /** Takes a stock as it is now; undefined where it does not count, or is gone. */
  put(code: string, stock: Stock | undefined): void {
    if (stock !== undefined && isOnSide('unusualVolume', stock, null)) this.#busiest.put(busyStock(stock));
    else this.#busiest.drop(code);
    const before = this.#sectorOf.get(code);
    const sector = stock?.marketCap ? stock.sector : null;
    if (before !== undefined && before !== sector) this.#leave(before, code);
    if (stock === undefined || sector === null) return;
    let list = this.#largest.get(sector);
    if (list === undefined) this.#largest.set(sector, (list = createLargest()));
    list.put(mapStock(stock));
    if (before !== sector) this.#sectorOf.set(code, sector);
  }

  clear(): void {
    this.#largest.clear();
    this.#sectorOf.clear();
    this.#busiest = createBusiest();
  }

  lists(): GlanceLists {
    const largest: Record<string, MapStock[]> = {};
    for (const [sector, list] of this.#largest) largest[sector] = list.list();
    return { largest, busiest: this.#busiest.list() };
  }

  #leave(sector: string, code: string): void {
    this.#sectorOf.delete(code);
    const list = this.#largest.get(sector);
    list?.drop(code);
    if (list?.size === 0) this.#largest.delete(sector);
  }
}
