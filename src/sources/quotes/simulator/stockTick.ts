import { statusFor, type SessionPhase } from '#market/rules/sessionClock.ts';
import type { StockStatus, StockUpdate } from '#market/rules/stock.ts';
import {
  closeMarket,
  collectClose,
  collectOpen,
  nextOrderAt,
  nextPostTradeAt,
  prepareClose,
  openMarket,
  tradeAfterClose,
} from './auctions.ts';
import { nextTradeAt, type TradingPlan, tradeUntil } from './continuous.ts';
import { type Live, matchFields, tradedFields } from './live.ts';
import type { Schedule } from './phases.ts';
import { relativeVolume } from './relativeVolume.ts';
import type { StockDay } from './stockDay.ts';

/** Whether trading or the indicative match changed. */
type Changes = { traded: boolean; match: boolean };

function statusAt(day: StockDay, second: number, phase: SessionPhase): StockStatus {
  if (day.listing.suspended) return 'Suspended';
  const { halt } = day;
  return halt && second >= halt.from && second < halt.until ? 'Halted' : statusFor(phase);
}

/** Brings the listing through the open and continuous trading, up to a moment. */
function session(live: Live, day: StockDay, plan: TradingPlan, schedule: Schedule, second: number): Changes {
  const opens = !live.opened;
  const matched = live.match !== null;
  if (opens) openMarket(live, day, schedule);
  const traded = tradeUntil(live, day, plan, schedule, second);
  prepareClose(live, day, schedule);
  return { traded: traded || opens, match: matched };
}

/** The same from the end of continuous trading on: closing auction and post close. */
function afterSession(
  live: Live,
  day: StockDay,
  plan: TradingPlan,
  schedule: Schedule,
  second: number,
): Changes {
  const changes: Changes = { traded: false, match: false };
  if (!live.opened || live.slot < schedule.slots) {
    const before = session(live, day, plan, schedule, schedule.end);
    changes.traded = before.traded;
    changes.match = before.match;
  }
  if (second < schedule.closing) {
    if (collectClose(live, day, schedule, second)) changes.match = true;
    return changes;
  }
  if (!live.closed) {
    changes.match = true;
    if (closeMarket(live, day, schedule)) changes.traded = true;
  }
  if (second >= schedule.postClose && tradeAfterClose(live, day, schedule, second)) changes.traded = true;
  return changes;
}

function advance(live: Live, day: StockDay, plan: TradingPlan, schedule: Schedule, second: number): Changes {
  if (second < schedule.open) return { traded: false, match: collectOpen(live, day, schedule, second) };
  if (second < schedule.end) return session(live, day, plan, schedule, second);
  return afterSession(live, day, plan, schedule, second);
}

/** The earliest second after this one at which anything of a listing may change while the market's phase stays. */
function nextChangeAt(
  live: Live,
  day: StockDay,
  plan: TradingPlan,
  schedule: Schedule,
  second: number,
): number {
  const { halt } = day;
  const bounds = halt ? [halt.from, halt.until].filter((bound) => bound > second) : [];
  if (second < schedule.open) return Math.min(nextOrderAt(live), ...bounds);
  if (second < schedule.end) return Math.min(nextTradeAt(live, day, plan, schedule), ...bounds);
  if (second < schedule.closing) return Math.min(nextOrderAt(live), schedule.closing, ...bounds);
  return Math.min(nextPostTradeAt(live, day, schedule), ...bounds);
}

/**
 * Brings one listing to a moment of its day.
 * @param second of the day, never before that of the last call; @param now the same moment, epoch ms
 * @returns an update with what changed; null when nothing did
 */
export function tickStock(
  live: Live,
  day: StockDay,
  plan: TradingPlan,
  schedule: Schedule,
  second: number,
  now: number,
  phase: SessionPhase,
): StockUpdate | null {
  const changes = advance(live, day, plan, schedule, second);
  live.due = nextChangeAt(live, day, plan, schedule, second);
  const status = statusAt(day, second, phase);
  const moved = status !== live.status;
  if (!changes.traded && !changes.match && !moved) return null;
  live.status = status;
  const update: StockUpdate = { code: day.listing.code, quoteTime: now };
  if (moved) update.status = status;
  if (changes.match) Object.assign(update, matchFields(live.match));
  if (changes.traded) Object.assign(update, tradedFields(live));
  if (changes.traded || (changes.match && second < schedule.open))
    update.relativeVolume = relativeVolume(live, day, schedule, second);
  return update;
}

/** The result of the opening auction; null for a listing that took no part in it. */
function preOpenOf(live: Live, day: StockDay, schedule: Schedule): StockUpdate['preOpen'] | null {
  if (!live.opened || !live.opening || statusAt(day, schedule.open, 'open') !== 'Open') return null;
  const { match_price = null, match_vol = null, buy_surplus = null } = matchFields(live.opening);
  const capturedAt = new Date(schedule.midnight + schedule.open * 1000).toISOString();
  return { capturedAt, match_price, match_vol, buy_surplus };
}

/** A complete update of a listing: the first one of a day. */
export function wholeStock(
  live: Live,
  day: StockDay,
  schedule: Schedule,
  second: number,
  now: number,
): StockUpdate {
  const { listing } = day;
  const update: StockUpdate = {
    code: listing.code,
    name: listing.name,
    sector: listing.sector,
    securityType: listing.securityType,
    status: live.status ?? 'Post Trading',
    close: day.close,
    marketCap: day.marketCap,
    trend: day.trend,
    relativeVolume: relativeVolume(live, day, schedule, second),
    ...tradedFields(live),
    ...matchFields(live.match),
    quoteTime: now,
  };
  const preOpen = preOpenOf(live, day, schedule);
  if (preOpen) update.preOpen = preOpen;
  return update;
}
