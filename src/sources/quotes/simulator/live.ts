import type { StockStatus, StockUpdate } from '#market/rules/stock.ts';
import { priceAtStep } from '#market/rules/priceStep.ts';
import type { AuctionResult } from '#market/rules/auction.ts';
import { type Book, createBook, type OrderFlow } from './auctionFlow.ts';

/** The present state of one listing's day. Prices in AUD; null before the first trade. */
export type Live = {
  /** Second of the day before which nothing of it changes while the market's phase stays. */
  due: number;
  status: StockStatus | null;
  open: number | null;
  high: number | null;
  low: number | null;
  last: number | null;
  volume: number;
  /** Thousandths of AUD, so that sums stay exact in whatever steps they are made. */
  value: number;
  /** The slot that is running; the slots before it are included in the base figures. */
  slot: number;
  baseVolume: number;
  baseValue: number;
  /** Trades of the running slot that are done. */
  trade: number;
  /** The orders of the coming auction, created when they are needed, and how many of them are in the book. */
  flow: OrderFlow | null;
  flowed: number;
  book: Book;
  match: AuctionResult | null;
  opened: boolean;
  /** The opening auction's result; null before it, or when nothing crossed. */
  opening: AuctionResult | null;
  closed: boolean;
};

/** A listing before its day begins. */
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

/** Takes a traded price into last, open, high and low. */
export function takePrice(live: Live, price: number): void {
  live.last = price;
  live.open ??= price;
  if (live.high === null || price > live.high) live.high = price;
  if (live.low === null || price < live.low) live.low = price;
}

/** Takes in the trades of an auction or of the post close: shares traded at one price. */
export function tradeAt(live: Live, price: number, volume: number): void {
  takePrice(live, price);
  live.baseVolume += volume;
  live.baseValue += volume * mils(price);
  live.volume = live.baseVolume;
  live.value = live.baseValue;
}

/** A price in steps as AUD. */
export const aud = priceAtStep;

/** A price in thousandths of AUD; every price step is a whole number of them. */
export const mils = (price: number): number => Math.round(price * 1000);

const round = (value: number, factor: number): number => Math.round(value * factor) / factor;

/** The fields of an update that come from trading. */
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

/** The fields of an update that come from the indicative auction. */
export const matchFields = (match: AuctionResult | null): Partial<StockUpdate> => ({
  match_price: match?.price ?? null,
  match_vol: match?.volume ?? null,
  buy_surplus: match?.surplus ?? null,
});
