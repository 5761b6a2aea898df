import {
  type AuctionColumns,
  type AuctionPoint,
  type SurplusFlip,
  surplusFlips,
} from '#market/auctions/rules/auction.ts';
import { DASH, formatClock, formatNumber, formatSigned } from '#texts/format.ts';

export const flipText = (flip: SurplusFlip): string =>
  flip > 0 ? 'Surplus flipped to buyers' : 'Surplus flipped to sellers';

/** One change of an auction in words. */
export type AuctionValues = {
  time: string;
  price: string;
  /** Against the previous close; a dash where one of the two is not known. */
  gap: string;
  volume: string;
  surplus: string;
  direction: 'up' | 'down' | 'flat';
};

/** @param close previous close, AUD; null when it is not known */
export function auctionValues(
  { time, price, volume, surplus }: AuctionPoint,
  close: number | null,
): AuctionValues {
  const gap = price === null || close === null || close <= 0 ? null : (price / close - 1) * 100;
  return {
    time: formatClock(time),
    price: formatNumber(price, 3),
    gap: gap === null ? DASH : `${formatSigned(gap, 1)} %`,
    volume: formatNumber(volume, 0),
    surplus: formatSigned(surplus, 0),
    direction: surplus === null || surplus === 0 ? 'flat' : surplus > 0 ? 'up' : 'down',
  };
}

/** '09:41:07, match 0.540, gap +8.0 %, volume 100,000, surplus +1,200'. */
export const auctionSentence = (values: AuctionValues): string =>
  `${values.time}, match ${values.price}, gap ${values.gap}, volume ${values.volume}, surplus ${values.surplus}`;

/** When the surplus changed sides, the newest first. */
export function flipSentences({ time, surplus }: AuctionColumns, count: number): string[] {
  return surplusFlips(surplus)
    .slice(-count)
    .reverse()
    .map(({ index, flip }) => `${flipText(flip)} at ${formatClock(time[index])}.`);
}
