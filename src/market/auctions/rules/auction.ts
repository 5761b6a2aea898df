import { lastAtMost } from '#lib/search.ts';
import type { SurplusFlip } from '../../rules/stock.ts';
import {
  boolean,
  choice,
  epochMs,
  list,
  number,
  or,
  orNull,
  readBy,
  text,
  type Wire,
} from '#lib/contract/fields.ts';
import { object, extension } from '#lib/contract/objects.ts';
import { readMembers, readNumber, readRecord } from '#lib/read.ts';
import type { SessionPhase } from '#market/rules/sessionClock.ts';
import type { Stock } from '#market/rules/stock.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';

/** Maximum length of a session; anything longer is invalid and would draw an endless axis. */
const MAX_LENGTH_MS = 2 * 86_400_000;
/** The last moment that a `Date` can hold, ms. */
const LATEST = 8.64e15;

/** Skips changes without a time or before their predecessor. */
function readColumns(value: unknown): AuctionColumns {
  const { time, price, volume, surplus } = readRecord(value);
  const [prices, volumes, surpluses] = [price, volume, surplus].map(readMembers);
  const columns = emptyAuction();
  readMembers(time).forEach((one, index) => {
    const moment = readNumber(one);
    if (moment === null || Math.abs(moment) > LATEST) return;
    const { [0]: first = moment, [columns.time.length - 1]: last = moment } = columns.time;
    if (moment < last || moment - first > MAX_LENGTH_MS) return;
    addAuctionPoint(columns, {
      time: moment,
      price: readNumber(prices?.[index]),
      volume: readNumber(volumes?.[index]),
      surplus: readNumber(surpluses?.[index]),
    });
  });
  return columns;
}

const figures = list(orNull(number));

const given = object({
  symbol: extension(or(text, '')),
  date: extension(or(text, '')),
  columns: readBy(
    object({ time: list(number), price: figures, volume: extension(figures), surplus: extension(figures) }),
    readColumns,
  ),
  thinned: extension(or(boolean, false)),
});

const isDate = (date: string): boolean => !Number.isNaN(Date.parse(`${date}T00:00:00Z`));

/** `GET /api/data/auction`. Callers may append to the columns. */
export const auctionAnswer = readBy(given, (value) => {
  const known = given.read(value);
  return (
    known && { ...known, date: isDate(known.date) ? known.date : sydneyDate(known.columns.time[0] ?? 0) }
  );
});

/** `GET /api/data/day-events`: a stock's statuses of today, and the trades of its auctions. */
export const dayEventsAnswer = object({
  symbol: or(text, ''),
  date: or(text, ''),
  knownSince: orNull(epochMs),
  statuses: list(object({ time: epochMs, status: text }, ['time', 'status'])),
  auctions: list(
    object({ time: epochMs, kind: choice(['open', 'close']), price: number, volume: orNull(number) }, [
      'time',
      'kind',
      'price',
    ]),
  ),
});

/**
 * Changes of a stock's auctions, oldest first, as columns: opening from 07:00, closing from 16:00. `time` is epoch ms on the
 * market's clock, `price` the match price in AUD, `volume` the match volume. `surplus` is in shares: positive
 * to buy, negative to sell. Null if unknown.
 */
export type AuctionColumns = {
  time: number[];
  price: (number | null)[];
  volume: (number | null)[];
  surplus: (number | null)[];
};

export type AuctionAnswer = Wire<typeof auctionAnswer>;
export type DayEventsAnswer = Wire<typeof dayEventsAnswer>;

export type AuctionPoint = {
  time: number;
  price: number | null;
  volume: number | null;
  surplus: number | null;
};

/**
 * A stock's opening or closing auction now; null if it is in none. The match price disappears when the auction trades,
 * which ends the series.
 * @param now epoch ms on the market's clock
 * @param phase the exchange's at that moment
 */
export function auctionPointOf(
  stock: Pick<Stock, 'status' | 'match_price' | 'match_vol' | 'buy_surplus'>,
  now: number,
  phase: SessionPhase,
): AuctionPoint | null {
  const { status, match_price: price, match_vol: volume, buy_surplus: surplus } = stock;
  const trades = phase === 'ospa' || phase === 'cspa';
  if ((status !== 'Pre Open' && status !== 'CSPA') || (trades && price === null)) return null;
  return { time: now, price, volume, surplus };
}

/** Maximum changes per stock and day; a full series is thinned to three quarters. */
export const MAX_AUCTION_POINTS = 360;

export const emptyAuction = (): AuctionColumns => ({ time: [], price: [], volume: [], surplus: [] });

export function auctionPointAt(columns: AuctionColumns, index: number): AuctionPoint | undefined {
  const time = columns.time[index];
  if (time === undefined) return undefined;
  const { price, volume, surplus } = columns;
  return {
    time,
    price: price[index] ?? null,
    volume: volume[index] ?? null,
    surplus: surplus[index] ?? null,
  };
}

const UNKNOWN = { price: null, volume: null, surplus: null };

const isSame = (a: Omit<AuctionPoint, 'time'>, b: AuctionPoint): boolean =>
  a.price === b.price && a.volume === b.volume && a.surplus === b.surplus;

/** A smaller step back of the clock counts as no movement; a larger one removes the later changes. */
const SMALL_STEP_BACK_MS = 60_000;

/**
 * Appends a change in place, and thins a full series. An equal change adds nothing; one at the same moment
 * replaces the last.
 * @returns whether the series changed, and whether changes were dropped
 */
export function addAuctionPoint(
  columns: AuctionColumns,
  point: AuctionPoint,
): { isNew: boolean; isThinned: boolean } {
  const { time: times } = columns;
  const newest = times.at(-1) ?? Number.NEGATIVE_INFINITY;
  if (newest - point.time >= SMALL_STEP_BACK_MS) cutAuction(columns, lastAtMost(times, point.time) + 1);
  const last = auctionPointAt(columns, times.length - 1);
  if (isSame(last ?? UNKNOWN, point)) return { isNew: false, isThinned: false };
  const time = Math.max(point.time, last?.time ?? point.time);
  if (last?.time === time) {
    cutAuction(columns, times.length - 1);
    const before = auctionPointAt(columns, times.length - 1);
    if (isSame(before ?? UNKNOWN, point)) return { isNew: true, isThinned: false };
  }
  times.push(time);
  columns.price.push(point.price);
  columns.volume.push(point.volume);
  columns.surplus.push(point.surplus);
  const isThinned = times.length > MAX_AUCTION_POINTS;
  if (isThinned) keepOnly(columns, thinnedIndexes(columns, (MAX_AUCTION_POINTS * 3) / 4));
  return { isNew: true, isThinned };
}

function cutAuction({ time, price, volume, surplus }: AuctionColumns, length: number): void {
  for (const column of [time, price, volume, surplus]) column.length = length;
}

function keepOnly(columns: AuctionColumns, indexes: readonly number[]): void {
  indexes.forEach((from, to) => {
    columns.time[to] = columns.time[from] ?? 0;
    columns.price[to] = columns.price[from] ?? null;
    columns.volume[to] = columns.volume[from] ?? null;
    columns.surplus[to] = columns.surplus[from] ?? null;
  });
  cutAuction(columns, indexes.length);
}

/** Changes that thinning keeps: first, last, flips, and where something became known or unknown. */
function landmarks(columns: AuctionColumns): Set<number> {
  const { time, price, surplus } = columns;
  const kept = new Set([0, time.length - 1]);
  for (const { index } of surplusFlips(columns)) kept.add(index);
  for (let index = 1; index < time.length; index += 1) {
    const isKnown = (price[index] ?? null) !== null;
    if (isKnown !== ((price[index - 1] ?? null) !== null)) kept.add(index);
    const hasSurplus = (surplus[index] ?? null) !== null;
    if (hasSurplus !== ((surplus[index - 1] ?? null) !== null)) kept.add(index);
  }
  return kept;
}

function extremes(values: readonly (number | null)[], from: number, until: number): number[] {
  let least = -1;
  let greatest = -1;
  for (let index = from; index < until; index += 1) {
    const value = values[index] ?? null;
    if (value === null) continue;
    if (least < 0 || value < (values[least] ?? 0)) least = index;
    if (greatest < 0 || value > (values[greatest] ?? 0)) greatest = index;
  }
  return least < 0 ? [] : [least, greatest];
}

function extremesOf(
  columns: AuctionColumns,
  values: readonly (number | null)[],
  stretches: number,
): number[] {
  const { time } = columns;
  const first = time[0] ?? 0;
  const span = Math.max(1, (time.at(-1) ?? 0) - first);
  const found: number[] = [];
  let from = 0;
  for (let stretch = 1; stretch <= stretches; stretch += 1) {
    const end = stretch === stretches ? time.length : lastAtMost(time, first + (span * stretch) / stretches);
    if (end <= from) continue;
    found.push(...extremes(values, from, end));
    from = end;
  }
  return found;
}

/**
 * The changes kept in a shorter series: landmarks, and the highest and lowest match price of equal stretches.
 * With too many flips, the extreme surplus of each stretch replaces them.
 * @returns ascending indexes, at most `limit` (4 at least)
 */
export function thinnedIndexes(columns: AuctionColumns, limit: number): number[] {
  const { time, price, surplus } = columns;
  if (time.length <= limit) return time.map((_, index) => index);
  let kept = landmarks(columns);
  if (kept.size > limit / 2) {
    const stretches = Math.floor((limit - 2) / 4);
    kept = new Set([0, time.length - 1, ...extremesOf(columns, surplus, stretches)]);
  }
  const stretches = Math.floor((limit - kept.size) / 2);
  for (const index of extremesOf(columns, price, stretches)) kept.add(index);
  return [...kept].sort((a, b) => a - b);
}

/** Longer than an auction, and shorter than the time between two of them, ms. */
const BETWEEN_MS = 3.5 * 3_600_000;

export function surplusFlips({ surplus, time }: Pick<AuctionColumns, 'surplus' | 'time'>) {
  const flips: { index: number; flip: SurplusFlip }[] = [];
  let side: SurplusSide = null;
  surplus.forEach((value, index) => {
    // The closing auction does not continue the opening one.
    if ((time[index] ?? 0) - (time[index - 1] ?? 0) > BETWEEN_MS) side = null;
    const next = nextSurplusSide(side, value);
    if (side !== null && next !== null && next !== side) flips.push({ index, flip: next });
    side = next;
  });
  return flips;
}

export type SurplusSide = SurplusFlip | null;

/**
 * A surplus of 0 keeps the side: +5, 0, −5 is one flip and +5, 0, +5 none. An unknown value resets it,
 * because flips in between are unknown.
 */
export function nextSurplusSide(side: SurplusSide, surplus: number | null): SurplusSide {
  if (surplus === null) return null;
  if (surplus === 0) return side;
  return surplus > 0 ? 1 : -1;
}
