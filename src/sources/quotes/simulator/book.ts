import { type AuctionResult, type PriceLevel, runAuction } from '#market/rules/auction.ts';
import { priceAtStep } from '#market/rules/priceStep.ts';

/** An order book by price levels. */
export type Book = {
  /** Adds shares at a price step, or takes them out when negative; a level that is used up is gone. */
  add(buy: boolean, step: number, volume: number): void;
  /** Prices in AUD, best first. */
  levels(): { bids: PriceLevel[]; asks: PriceLevel[] };
  /** The result of an auction now. @param reference last traded price in AUD, null when there is none */
  match(reference: number | null): AuctionResult | null;
};

type Level = PriceLevel & { step: number };

/** The index at which a step belongs among levels sorted best first. */
function placeOf(levels: readonly Level[], step: number, buy: boolean): number {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = levels[middle]?.step ?? 0;
    if (buy ? at > step : at < step) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function createBook(): Book {
  const bids: Level[] = [];
  const asks: Level[] = [];
  return {
    add(buy, step, volume) {
      const levels = buy ? bids : asks;
      const place = placeOf(levels, step, buy);
      const level = levels[place];
      if (level?.step === step) {
        level.volume += volume;
        if (level.volume <= 0) levels.splice(place, 1);
      } else if (volume > 0) {
        levels.splice(place, 0, { step, price: priceAtStep(step), volume });
      }
    },
    levels: () => ({ bids: bids.map(plain), asks: asks.map(plain) }),
    match: (reference) => runAuction(bids, asks, reference),
  };
}

const plain = ({ price, volume }: Level): PriceLevel => ({ price, volume });
