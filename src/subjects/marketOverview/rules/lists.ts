import { isOnSide } from '#market/rules/breadth.ts';
import type { Stock } from '#market/rules/stock.ts';

export type MapStock = { code: string; name: string; marketCap: number; change: number | null };

export type BusyStock = {
  code: string;
  name: string;
  relativeVolume: number;
  last: number | null;
  change: number | null;
  value: number | null;
};

/** Limits of stocks: per sector of the map, and in the list of unusual volume. */
export const LARGEST = 12;
export const BUSIEST = 20;

function putGreatest<T>(list: T[], item: T, before: (a: T, b: T) => boolean, most: number): void {
  const last = list.at(-1);
  if (list.length === most && last !== undefined && !before(item, last)) return;
  let place = list.length;
  for (; place > 0; place -= 1) {
    const other = list[place - 1];
    if (other === undefined || !before(item, other)) break;
  }
  list.splice(place, 0, item);
  if (list.length > most) list.pop();
}

const isLarger = (a: Stock, b: Stock): boolean =>
  (a.marketCap ?? 0) > (b.marketCap ?? 0) || (a.marketCap === b.marketCap && a.code < b.code);

const isBusier = (a: Stock, b: Stock): boolean =>
  (a.relativeVolume ?? 0) > (b.relativeVolume ?? 0) ||
  (a.relativeVolume === b.relativeVolume && a.code < b.code);

const mapStock = (stock: Stock, byMatchPrice: boolean): MapStock => ({
  code: stock.code,
  name: stock.name,
  change: byMatchPrice ? stock.indicativeChangePercent : stock.change_percent,
  marketCap: stock.marketCap ?? 0,
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

export type OverviewLists = { largest: Record<string, MapStock[]>; busiest: BusyStock[] };

export function overviewLists(stocks: Iterable<Stock>, byMatchPrice: boolean): OverviewLists {
  const largest = new Map<string, Stock[]>();
  const busiest: Stock[] = [];
  for (const stock of stocks) {
    if (isOnSide('unusualVolume', stock, null)) putGreatest(busiest, stock, isBusier, BUSIEST);
    if (stock.sector === null || !stock.marketCap) continue;
    const list = largest.get(stock.sector);
    if (list === undefined) largest.set(stock.sector, [stock]);
    else putGreatest(list, stock, isLarger, LARGEST);
  }
  const lists = [...largest].map(
    ([sector, list]) => [sector, list.map((stock) => mapStock(stock, byMatchPrice))] as const,
  );
  return { largest: Object.fromEntries(lists), busiest: busiest.map(busyStock) };
}
