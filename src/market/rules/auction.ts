export type PriceLevel = { price: number; volume: number };

export type AuctionResult = {
  price: number;
  volume: number;
  /** Buy minus sell volume at the match price, shares: positive if buyers are left over. */
  surplus: number;
};

type Candidate = { price: number; buy: number; sell: number };

function candidatesOf(bids: readonly PriceLevel[], asks: readonly PriceLevel[]): Candidate[] {
  const candidates: Candidate[] = [];
  let buy = 0;
  for (const bid of bids) buy += bid.volume;
  let sell = 0;
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
    candidates.push({ price, buy, sell });
    if (bid?.price === price) {
      buy -= bid.volume;
      bidAt -= 1;
    }
  }
  return candidates;
}

const executable = (at: Candidate): number => Math.min(at.buy, at.sell);
const surplusOf = (at: Candidate): number => at.buy - at.sell;

/** Steps 1 and 2: prices with the maximum executable volume and, among them, the minimum surplus. */
function byVolumeAndSurplus(candidates: readonly Candidate[]): Candidate[] {
  let volume = 0;
  let surplus = Number.POSITIVE_INFINITY;
  for (const at of candidates) volume = Math.max(volume, executable(at));
  for (const at of candidates) {
    if (executable(at) === volume) surplus = Math.min(surplus, Math.abs(surplusOf(at)));
  }
  return candidates.filter((at) => executable(at) === volume && Math.abs(surplusOf(at)) === surplus);
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/**
 * Steps 3 and 4, ascending. Market pressure: the highest price if all have a surplus of buyers, the lowest
 * for sellers. Otherwise the reference price, or the nearest price between both groups.
 */
function byPressureAndReference(left: readonly Candidate[], reference: number | null): number | null {
  const lowest = left[0];
  const highest = left.at(-1);
  if (!lowest || !highest) return null;
  if (surplusOf(highest) > 0) return highest.price;
  if (surplusOf(lowest) < 0) return lowest.price;
  if (reference === null) return lowest.price;
  // The surplus never rises with the price, so its sign changes once: buyers are left below, sellers above.
  const below = left.findLast((at) => surplusOf(at) > 0) ?? lowest;
  const above = left.find((at) => surplusOf(at) < 0) ?? highest;
  return clamp(reference, below.price, above.price);
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
  const price = byPressureAndReference(byVolumeAndSurplus(candidatesOf(bids, asks)), reference);
  if (price === null) return null;
  const { buy, sell } = volumesAt(bids, asks, price);
  return { price, volume: Math.min(buy, sell), surplus: buy - sell };
}
