import { auctionFlow } from './auctionFlow.ts';
import { DRAW } from './draws.ts';
import type { Schedule } from './phases.ts';
import { type OrderFlow, packOrders } from './orderFlow.ts';
import { mix } from './random.ts';
import { closeShareOf, openShareOf } from './record.ts';
import type { StockDay } from './stockDay.ts';

/** How many orders an auction gets: more for listings that trade often, and with news. */
const ordersOf = (day: StockDay): number =>
  Math.round(Math.min(140, 14 + 2.6 * day.listing.tradesPerMinute) * (day.record.outline.news ? 1.6 : 1));

/** The orders of the pre-open; none for a listing that is halted at the open. */
export function openFlowOf(day: StockDay, schedule: Schedule): OrderFlow {
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

/** The orders before the closing auction; none for a listing that is halted at the close. */
export function closeFlowOf(day: StockDay, schedule: Schedule): OrderFlow {
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
