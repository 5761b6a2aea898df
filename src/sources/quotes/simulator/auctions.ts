import type { AuctionPoint } from '#market/auctions/rules/auction.ts';
import type { AuctionResult } from '#market/rules/auction.ts';
import {
  arrivalOf,
  auctionFlow,
  countOrders,
  createBook,
  enterOrder,
  type OrderFlow,
  packOrders,
} from './auctionFlow.ts';
import { aud, type Live, newLive, tradeAt } from './live.ts';
import { ROUNDING_S, type Schedule } from './phases.ts';
import type { SessionPlan } from './stockDay.ts';
import { DRAW, mix } from './random.ts';
import { closeShareOf, openShareOf } from './record.ts';

/** Number of an auction's orders: more for listings that trade often, and with news. */
const ordersOf = (day: SessionPlan): number =>
  Math.round(Math.min(140, 14 + 2.6 * day.listing.tradesPerMinute) * (day.record.outline.news ? 1.6 : 1));

function openFlowOf(day: SessionPlan, schedule: Schedule): OrderFlow {
  const { listing, record, halt } = day;
  if (listing.suspended || record.outline.halt === 'day') return packOrders([]);
  const goal = {
    reference: record.previousStep,
    target: record.openStep,
    volume: record.openVolume,
    surplus: record.openSurplus,
    from: halt?.from === 0 ? halt.until : schedule.preOpen,
    until: schedule.ospa,
    orders: ordersOf(day),
  };
  const usual = listing.usualVolume * openShareOf(listing);
  return packOrders(auctionFlow(goal, usual, mix(record.outline.seed, DRAW.openFlow)));
}

function closeFlowOf(day: SessionPlan, schedule: Schedule): OrderFlow {
  const { listing, record } = day;
  if (listing.suspended || record.outline.halt === 'day' || record.outline.halt === 'evening')
    return packOrders([]);
  const goal = {
    reference: record.endStep,
    target: record.closeStep,
    volume: record.closeVolume,
    surplus: record.closeSurplus,
    from: schedule.end,
    until: schedule.closing - 1,
    orders: Math.round(ordersOf(day) * 0.7),
  };
  const usual = listing.usualVolume * closeShareOf(listing);
  return packOrders(auctionFlow(goal, usual, mix(record.outline.seed, DRAW.closeFlow)));
}

const same = (a: AuctionResult | null, b: AuctionResult | null): boolean =>
  a?.price === b?.price && a?.volume === b?.volume && a?.surplus === b?.surplus;

/** Enters orders up to `second` and runs the auction. @returns whether it changed */
function collect(live: Live, flow: OrderFlow, second: number, reference: number): boolean {
  const before = live.flowed;
  const orders = countOrders(flow);
  while (live.flowed < orders && arrivalOf(flow, live.flowed) <= second) {
    enterOrder(flow, live.flowed, live.book);
    live.flowed += 1;
  }
  if (live.flowed === before) return false;
  const match = live.book.match(reference);
  if (same(match, live.match)) return false;
  live.match = match;
  return true;
}

export function collectOpen(live: Live, day: SessionPlan, schedule: Schedule, second: number): boolean {
  live.flow ??= openFlowOf(day, schedule);
  return collect(live, live.flow, second, day.close);
}

/** Changes of the indicative opening auction, by one look per second. @param second the last of the day */
export function openingUntil(day: SessionPlan, schedule: Schedule, second: number): AuctionPoint[] {
  const live = newLive();
  const points: AuctionPoint[] = [];
  const flow = openFlowOf(day, schedule);
  live.flow = flow;
  const end = Math.min(second, schedule.open);
  for (;;) {
    const step = Math.ceil(arrivalOf(flow, live.flowed));
    if (step > end) break;
    if (!collectOpen(live, day, schedule, step)) continue;
    const { match } = live;
    points.push({
      time: schedule.midnight + step * 1000,
      price: match?.price ?? null,
      volume: match?.volume ?? null,
      surplus: match?.surplus ?? null,
    });
  }
  return points;
}

function clear(live: Live): void {
  live.flow = null;
  live.flowed = 0;
  live.match = null;
  live.book = createBook();
}

export function openMarket(live: Live, day: SessionPlan, schedule: Schedule): void {
  if (live.opened) return;
  collectOpen(live, day, schedule, Number.POSITIVE_INFINITY);
  live.opening = live.match;
  if (live.match) tradeAt(live, live.match.price, live.match.volume);
  clear(live);
  live.opened = true;
}

/** Creates the closing orders in the last hour, at a minute per listing, to spread the work. */
export function prepareClose(live: Live, day: SessionPlan, schedule: Schedule): void {
  if (live.flow === null && live.slot >= schedule.slots - 1 - (day.listing.id % 60))
    live.flow = closeFlowOf(day, schedule);
}

export function collectClose(live: Live, day: SessionPlan, schedule: Schedule, second: number): boolean {
  live.flow ??= closeFlowOf(day, schedule);
  return collect(live, live.flow, second, live.last ?? day.close);
}

export function closeMarket(live: Live, day: SessionPlan, schedule: Schedule): boolean {
  collectClose(live, day, schedule, Number.POSITIVE_INFINITY);
  const match = live.match;
  clear(live);
  live.trade = 0;
  live.closed = true;
  if (!match) return false;
  tradeAt(live, match.price, match.volume);
  return true;
}

export const nextOrderAt = ({ flow, flowed }: Live): number =>
  flow === null ? Number.NEGATIVE_INFINITY : arrivalOf(flow, flowed);

const POST_TRADES = 12;

export function nextPostTradeAt(live: Live, day: SessionPlan, schedule: Schedule): number {
  if (day.record.postVolume === 0 || live.trade >= POST_TRADES) return Number.POSITIVE_INFINITY;
  const { postClose, adjust } = schedule;
  return postClose + ((live.trade + 1) / POST_TRADES) * (adjust - postClose) - ROUNDING_S;
}

export function tradeAfterClose(live: Live, day: SessionPlan, schedule: Schedule, second: number): boolean {
  const { postVolume, closeStep } = day.record;
  if (postVolume === 0) return false;
  const passed = Math.min(1, (second - schedule.postClose) / (schedule.adjust - schedule.postClose));
  const trades = Math.floor(passed * POST_TRADES);
  if (trades <= live.trade) return false;
  const done = (count: number): number => Math.floor((postVolume * count) / POST_TRADES);
  const volume = done(trades) - done(live.trade);
  live.trade = trades;
  if (volume === 0) return false;
  tradeAt(live, aud(closeStep), volume);
  return true;
}
