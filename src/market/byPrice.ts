import { livePrice } from './rules/livePrice.ts';
import type { Stock } from './rules/stock.ts';

/**
 * Puts stocks, or what belongs to them, into the order in which they are sent: neighbours with similar prices share
 * digits, which compresses 3 % better. Each price is worked out once, as this is done for every tick.
 */
export const byPrice = <Item>(items: readonly Item[], stockOf: (item: Item) => Stock): Item[] =>
  items
    .map((item) => ({ item, price: livePrice(stockOf(item)) ?? 0 }))
    .sort((a, b) => a.price - b.price)
    .map(({ item }) => item);
