import type { StockStatus, StockUpdate } from '#market/rules/stock.ts';
import { priceAtStep } from '#market/rules/priceStep.ts';
import type { AuctionResult } from '#market/rules/auction.ts';
import { type Book, createBook, type OrderFlow } from './auctionFlow.ts';

/** Prices in AUD; null before the first trade. */
export type Live = {
  /** Second of the day until which nothing changes within the market's phase. */
  due: number;
  status: StockStatus | null;
  open: number | null;
  high: number | null;
  low: number | null;
  last: number | null;
  volume: number;
  /** Thousandths of AUD, so that sums are exact in any steps. */
  value: number;
  /** The running slot; earlier ones are included in the figures. */
  slot: number;
  baseVolume: number;
  baseValue: number;
  trade: number;
  /** The orders of the coming auction, created when needed, and how many are in the book. */
  flow: OrderFlow | null;
  flowed: number;
  book: Book;
  match: AuctionResult | null;
  opened: boolean;
  /** The opening auction's result; null before it, or if nothing crossed. */
  opening: AuctionResult | null;
  closed: boolean;
};

export const newLive = (): Live => ({
  due: Number.NEGATIVE_INFINITY,
  status: null,
  open: null,
  high: null,
  low: null,
  last: null,
  volume: 0,
  value: 0,
  slot: 0,
  baseVolume: 0,
  baseValue: 0,
  trade: 0,
  flow: null,
  flowed: 0,
  book: createBook(),
  match: null,
  opened: false,
  opening: null,
  closed: false,
});

export function applyPrice(live: Live, price: number): void {
  live.last = price;
  live.open ??= price;
  if (live.high === null || price > live.high) live.high = price;
  if (live.low === null || price < live.low) live.low = price;
}

export function tradeAt(live: Live, price: number, volume: number): void {
  applyPrice(live, price);
  live.baseVolume += volume;
  live.baseValue += volume * mils(price);
  live.volume = live.baseVolume;
  live.value = live.baseValue;
}

export const aud = priceAtStep;

export const mils = (price: number): number => Math.round(price * 1000);

const round = (value: number, factor: number): number => Math.round(value * factor) / factor;

export function tradedFields(live: Live): Partial<StockUpdate> {
  const { open, high, low, last, volume, value } = live;
  return {
    open,
    high,
    low,
    last,
    volume,
    value: round(value / 1000, 100),
    vwap: volume > 0 ? round(value / 1000 / volume, 10_000) : null,
  };
}

export const matchFields = (match: AuctionResult | null): Partial<StockUpdate> => ({
  match_price: match?.price ?? null,
  match_vol: match?.volume ?? null,
  buy_surplus: match?.surplus ?? null,
});
