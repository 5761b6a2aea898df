/** A position: long, or short, which gains when the price falls. */
export type Side = { isShort: boolean };

/** 1 for a long position, −1 for a short one. */
export const signOf = ({ isShort }: Side): 1 | -1 => (isShort ? -1 : 1);

/** The price at which a position has gained most: the highest, or for a short one the lowest. */
export const bestOf = ({ isShort }: Side, ...prices: number[]): number =>
  isShort ? Math.min(...prices) : Math.max(...prices);

/** The price at which a position has gained least. */
export const worstOf = ({ isShort }: Side, ...prices: number[]): number =>
  bestOf({ isShort: !isShort }, ...prices);

/** The gain from an entry to a price, in percent of the entry. */
export const percentGained = (side: Side, entry: number, price: number): number =>
  signOf(side) * (price / entry - 1) * 100 + 0;

/** A result minus what the same position in the whole market would have gained; all in percent. */
export const againstMarket = (side: Side, percent: number, market: number): number =>
  percent - signOf(side) * market;
