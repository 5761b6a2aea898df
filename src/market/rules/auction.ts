export type PriceLevel = { price: number; volume: number };

export type AuctionResult = {
  price: number;
  volume: number;
  /** Buy minus sell volume at the match price, shares: positive if buyers are left over. */
  surplus: number;
};

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/**
 * The price in four steps: maximum executable volume; among those the minimum surplus; market pressure, which is the
 * highest price if all have a surplus of buyers and the lowest for sellers; otherwise the reference price, or the
 * nearest price between both groups. One pass from the lowest price, without objects, because simulated sessions run
 * millions of auctions.
 */
function priceOf(bids: readonly PriceLevel[], asks: readonly PriceLevel[], reference: number | null): number {
  let [buy, sell] = [0, 0];
  for (const bid of bids) buy += bid.volume;
  let [most, least] = [0, Number.POSITIVE_INFINITY];
  // These are about the best prices so far, which are equal. The surplus never rises with the price, so its sign
  // changes once.
  let [lowest, highest] = [Number.NaN, Number.NaN];
  let [lastOfBuyers, firstOfSellers] = [Number.NaN, Number.NaN];
  let bidAt = bids.length - 1;
  let askAt = 0;
  while (bidAt >= 0 || askAt < asks.length) {
    const bid = bids[bidAt];
    const ask = asks[askAt];
    const price = Math.min(bid?.price ?? Number.POSITIVE_INFINITY, ask?.price ?? Number.POSITIVE_INFINITY);
    if (ask?.price === price) {
      sell += ask.volume;
      askAt += 1;
    }
    const executable = Math.min(buy, sell);
    const surplus = buy - sell;
    const left = Math.abs(surplus);
    if (executable > most || (executable === most && left < least)) {
      most = executable;
      least = left;
      lowest = price;
      lastOfBuyers = Number.NaN;
      firstOfSellers = Number.NaN;
    }
    if (executable === most && left === least) {
      highest = price;
      if (surplus > 0) lastOfBuyers = price;
      else if (surplus < 0 && Number.isNaN(firstOfSellers)) firstOfSellers = price;
    }
    if (bid?.price === price) {
      buy -= bid.volume;
      bidAt -= 1;
    }
  }
  if (lastOfBuyers === highest) return highest;
  if (firstOfSellers === lowest || reference === null) return lowest;
  const below = Number.isNaN(lastOfBuyers) ? lowest : lastOfBuyers;
  const above = Number.isNaN(firstOfSellers) ? highest : firstOfSellers;
  return clamp(reference, below, above);
}

function volumesAt(
  bids: readonly PriceLevel[],
  asks: readonly PriceLevel[],
  price: number,
): { buy: number; sell: number } {
  let buy = 0;
  let sell = 0;
  for (const bid of bids) if (bid.price >= price) buy += bid.volume;
  for (const ask of asks) if (ask.price <= price) sell += ask.volume;
  return { buy, sell };
}

/**
 * The exchange's single price auction for open, close and resumption: maximum executable volume, minimum
 * surplus, market pressure, reference price. Source: ASX, "Equity market: closing and settlement price
 * determination". The result is between two price steps only if the reference is.
 * @param bids buy orders by price, best (highest) first
 * @param asks sell orders by price, best (lowest) first
 * @param reference last traded price in AUD, at the open the previous close; if null, the lowest of equal
 * prices is taken
 * @returns price in AUD, volume and surplus in shares; null if nothing would trade
 */
export function runAuction(
  bids: readonly PriceLevel[],
  asks: readonly PriceLevel[],
  reference: number | null,
): AuctionResult | null {
  const bestBid = bids[0];
  const bestAsk = asks[0];
  if (!bestBid || !bestAsk || bestBid.price < bestAsk.price) return null;
  const price = priceOf(bids, asks, reference);
  const { buy, sell } = volumesAt(bids, asks, price);
  return { price, volume: Math.min(buy, sell), surplus: buy - sell };
}
