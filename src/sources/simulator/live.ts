import type { StockStatus, StockUpdate } from '../../domain/stock.ts';
import { priceAtStep } from '../../domain/priceStep.ts';
import type { AuctionResult } from '../../domain/auction.ts';
import { type Book, createBook } from './book.ts';

/** One listing as its day stands now. Prices in AUD; null before the first trade. */
export type Live = {
  status: StockStatus | null;
  open: number | null;
  high: number | null;
  low: number | null;
  last: number | null;
  volume: number;
  value: number;
  /** The slot that is running; all before it are included in the base figures. */
  slot: number;
  baseVolume: number;
  baseValue: number;
  /** Trades of the running slot that are done. */
  trade: number;
  /** How far the opening or closing order flow has come, and into which book. */
  flowed: number;
  book: Book;
  match: AuctionResult | null;
  opened: boolean;
  closed: boolean;
  /** Announcements that are out, and how many of them are price sensitive. */
  released: number;
  sensitive: number;
};

/** A listing before its day begins. */
export const newLive = (): Live => ({
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
  flowed: 0,
  book: createBook(),
  match: null,
  opened: false,
  closed: false,
  released: 0,
  sensitive: 0,
});

/** Takes a printed price into last, open, high and low. */
export const print = (live: Live, price: number): void => {
  live.last = price;
  live.open ??= price;
  if (live.high === null || price > live.high) live.high = price;
  if (live.low === null || price < live.low) live.low = price;
};

/** An auction's or the post close's trades: a price and what traded at it. */
export const tradeAt = (live: Live, price: number, volume: number): void => {
  print(live, price);
  live.baseVolume += volume;
  live.baseValue += volume * price;
  live.volume = live.baseVolume;
  live.value = live.baseValue;
};

export const aud = priceAtStep;

const round = (value: number, factor: number): number => Math.round(value * factor) / factor;

/** The traded figures as an update carries them. */
export const tradedFields = (live: Live): Partial<StockUpdate> => {
  const { open, high, low, last, volume, value } = live;
  const mean = volume > 0 ? value / volume : null;
  return {
    open,
    high,
    low,
    last,
    volume,
    value: round(value, 100),
    // A running minute is counted at its mean price, which may lie a hair outside what was printed so far.
    vwap:
      mean === null || high === null || low === null
        ? null
        : round(Math.min(high, Math.max(low, mean)), 10_000),
  };
};

/** The indicative auction as an update carries it. */
export const matchFields = (match: AuctionResult | null): Partial<StockUpdate> => ({
  match_price: match?.price ?? null,
  match_vol: match?.volume ?? null,
  buy_surplus: match?.surplus ?? null,
});
