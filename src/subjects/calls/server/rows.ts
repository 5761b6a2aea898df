import type { Ending } from '../rules/watch.ts';
import { countingOf, countsResult } from '../rules/correction.ts';
import { stopLevelOf, type TrackedCall, type TrackState } from '../rules/tracker.ts';
import type {
  AdminCall,
  AwaitedTrade,
  Call,
  ComingEnd,
  Correction,
  MarkValue,
  OwnCall,
  Reached,
  VerifiedResult,
} from '../rules/types.ts';
import { daysBetween, stopClosing, verifiedExit, verifiedResult } from '../rules/verifiedResult.ts';
import type { CallRow, SubmittedCall, TrackedColumns } from './store.ts';

export const toTracked = (row: CallRow): TrackedCall => ({
  callType: row.callType,
  isShort: row.isShort,
  entryPrice: row.entryPrice,
  targetPrice: row.targetPrice,
  stopLossType: row.stopLossType,
  stopLoss: row.stopLoss,
  submittedAt: row.submittedAt,
  priceAtSubmission: row.priceAtSubmission,
});

export const toState = (row: CallRow): TrackState => ({
  filledAt: row.filledAt,
  fillPrice: row.fillPrice,
  entryTradeAt: row.entryTradeAt,
  entryTradePrice: row.entryTradePrice,
  highest: row.highest,
  best: row.best,
  worst: row.worst,
  targetAt: row.targetReachedAt,
  targetPrice: row.targetReachedPrice,
  stopAt: row.stopReachedAt,
  stopPrice: row.stopReachedPrice,
  stopLevel: row.stopReachedLevel,
});

export const fromState = (state: TrackState): Omit<TrackedColumns, 'id' | 'watch'> => ({
  filledAt: state.filledAt,
  fillPrice: state.fillPrice,
  entryTradeAt: state.entryTradeAt,
  entryTradePrice: state.entryTradePrice,
  highest: state.highest,
  best: state.best,
  worst: state.worst,
  targetReachedAt: state.targetAt,
  targetReachedPrice: state.targetPrice,
  stopReachedAt: state.stopAt,
  stopReachedPrice: state.stopPrice,
  stopReachedLevel: state.stopLevel,
});

export const toEnding = (row: CallRow): Ending | null =>
  row.closedAt === null
    ? null
    : { time: row.closedAt, price: row.priceAtClose, isCancelled: row.status === 'cancelled' };

const iso = (time: number): string => new Date(time).toISOString();
export const toReached = (time: number | null, price: number | null): Reached | null =>
  time === null || price === null ? null : { at: iso(time), price };

/**
 * The verified result of an ended call or a reached stop. Null while the call waits for a trade, and if it was never
 * filled, was cancelled before any trade or was not followed to its end.
 */
export function verifiedOf(row: CallRow): VerifiedResult | null {
  const [call, state] = [toTracked(row), toState(row)];
  const stopped = stopClosing(state);
  if (stopped !== null) return verifiedResult(call, state, stopped);
  if (row.closedAt === null || row.isAwaitingExit || row.trackingPaused !== null) return null;
  const price = verifiedExit(row, row.priceAtClose, row.exitTradePrice);
  return verifiedResult(call, state, { time: row.closedAt, price });
}

/** The trade that a result waits for; null for none. */
function awaitedTrade(row: CallRow, source: string): AwaitedTrade | null {
  if (row.source !== source || row.trackingPaused !== null || row.stopReachedAt !== null) return null;
  if (row.isAwaitingExit) return row.callType === 'bought' || row.filledAt !== null ? 'exit' : null;
  return row.status === 'open' && row.entryTradePrice === null ? 'entry' : null;
}

export type CallContext = {
  source: string;
  /** Corrections by call id. */
  corrections: ReadonlyMap<number, Correction[]>;
  /** Converts a wall time to the time of a market's clock, by the market's name; both epoch ms. */
  marketTime(source: string, wall: number): number;
  /** The market's own move in percent between two wall times, epoch ms; `until` is null for now. Null if unknown. */
  marketMove(source: string, from: number, until: number | null): number | null;
  /** The pending end by call id; null if there is none. */
  endingOf(callId: number): ComingEnd | null;
};

/** A correction with times by the market's clock. @param at formats a wall time as ISO 8601 */
function shownCorrection(correction: Correction, at: (wall: number) => string): Correction {
  const shownValue = (value: MarkValue): MarkValue =>
    value !== null && typeof value === 'object' ? { ...value, at: at(Date.parse(value.at)) } : value;
  return {
    ...correction,
    at: at(Date.parse(correction.at)),
    changes: correction.changes.map(({ mark, before, after }) => ({
      mark,
      before: shownValue(before),
      after: shownValue(after),
    })),
  };
}

/** The verified result, with days counted by the market's clock. */
function shownResult(row: CallRow, timeOf: (wall: number) => number): VerifiedResult | null {
  const verified = verifiedOf(row);
  const endedAt = row.stopReachedAt ?? row.closedAt;
  if (verified === null || endedAt === null || row.filledAt === null) return verified;
  return { ...verified, daysOpen: daysBetween(timeOf(row.filledAt), timeOf(endedAt)) };
}

const exitTime = (row: CallRow): number | null => row.stopReachedAt ?? row.exitTradeAt ?? row.closedAt;

/** A call with everything that its owner and administrators may see. */
export function toWholeCall(row: SubmittedCall, context: CallContext): Call {
  const { source, corrections, marketTime, marketMove } = context;
  const timeOf = (wall: number): number => marketTime(row.source, wall);
  const at = (wall: number): string => iso(timeOf(wall));
  const atOrNull = (wall: number | null): string | null => (wall === null ? null : at(wall));
  const reached = (wall: number | null, price: number | null): Reached | null =>
    toReached(wall === null ? null : timeOf(wall), price);
  return {
    publicId: row.publicId,
    symbol: row.symbol,
    source: row.source,
    callType: row.callType,
    isShort: row.isShort,
    status: row.status,
    entryPrice: row.entryPrice,
    targetPrice: row.targetPrice,
    stopLoss: row.stopLoss,
    stopLossType: row.stopLossType,
    stopLevel: stopLevelOf(toTracked(row), row.highest),
    rationale: row.rationale,
    pocketedValue: row.pocketedValue,
    submittedAt: at(row.submittedAt),
    closedAt: atOrNull(row.closedAt),
    submittedBy: { display: row.username },
    priceAtSubmission: row.priceAtSubmission,
    priceAtClose: row.priceAtClose,
    filledAt: atOrNull(row.filledAt),
    fillPrice: row.fillPrice,
    entryTrade: reached(row.entryTradeAt, row.entryTradePrice),
    exitTrade: reached(row.exitTradeAt, row.exitTradePrice),
    targetReached: reached(row.targetReachedAt, row.targetReachedPrice),
    stopReached: reached(row.stopReachedAt, row.stopReachedPrice),
    verified: shownResult(row, timeOf),
    marketPercent: row.entryTradeAt === null ? null : marketMove(row.source, row.entryTradeAt, exitTime(row)),
    isInReview: row.adminStatus === 'review',
    trackingPaused: row.trackingPaused,
    awaitingTrade: awaitedTrade(row, source),
    corrections: (corrections.get(row.id) ?? []).map((correction) => shownCorrection(correction, at)),
  };
}

/** The public form of a call, without claims that do not count. */
export function toCall(row: SubmittedCall, context: CallContext): Call {
  const call = toWholeCall(row, context);
  const counting = countingOf(row);
  if (counting === 'all') return call;
  const isShown = call.verified !== null && countsResult(counting, call.verified.percent);
  return { ...call, pocketedValue: null, verified: isShown ? call.verified : null };
}

export const toOwnCall = (row: SubmittedCall, context: CallContext): OwnCall => ({
  ...toWholeCall(row, context),
  highestSinceFill: row.highest,
  best: row.best,
  worst: row.worst,
  adminStatus: row.adminStatus,
  reviewReason: row.reviewReason,
  ending: context.endingOf(row.id),
});

export const toAdminCall = (row: SubmittedCall, context: CallContext): AdminCall => ({
  ...toWholeCall(row, context),
  adminStatus: row.adminStatus,
  reviewReason: row.reviewReason,
  highestSinceFill: row.highest,
  best: row.best,
  worst: row.worst,
});

export const auditName = ({ symbol, username, publicId }: SubmittedCall): string =>
  `${symbol} by ${username} (${publicId})`;
