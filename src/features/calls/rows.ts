import type { Quote } from '../../domain/calls/pricePath.ts';
import { stopLevelOf, type TrackedCall, type TrackState } from '../../domain/calls/tracker.ts';
import type { AdminCall, Call, OwnCall, Reached, VerifiedResult } from '../../domain/calls/types.ts';
import { verifiedResult } from '../../domain/calls/verifiedResult.ts';
import type { Stock } from '../../domain/market/stock.ts';
import type { CallRow, SubmittedCall, TrackedColumns } from './store.ts';

/** The part of a stored call that the tracker follows. */
export const toTracked = (row: CallRow): TrackedCall => ({
  callType: row.callType,
  entryPrice: row.entryPrice,
  targetPrice: row.targetPrice,
  stopLossType: row.stopLossType,
  stopLoss: row.stopLoss,
  submittedAt: row.submittedAt,
  priceAtSubmission: row.priceAtSubmission,
});

/** The tracker's state of a stored call; `fromState` is the way back. */
export const toState = (row: CallRow): TrackState => ({
  filledAt: row.filledAt,
  fillPrice: row.fillPrice,
  highest: row.highest,
  best: row.best,
  worst: row.worst,
  targetAt: row.targetReachedAt,
  targetPrice: row.targetReachedPrice,
  stopAt: row.stopReachedAt,
  stopPrice: row.stopReachedPrice,
  stopLevel: row.stopReachedLevel,
});

/** The columns that hold a tracker's state. */
export const fromState = (state: TrackState): Omit<TrackedColumns, 'id' | 'lastQuote'> => ({
  filledAt: state.filledAt,
  fillPrice: state.fillPrice,
  highest: state.highest,
  best: state.best,
  worst: state.worst,
  targetReachedAt: state.targetAt,
  targetReachedPrice: state.targetPrice,
  stopReachedAt: state.stopAt,
  stopReachedPrice: state.stopPrice,
  stopReachedLevel: state.stopLevel,
});

/** What a stock shows now, to be compared with what it shows later. */
export const toQuote = (stock: Stock, date: string): Quote => ({
  date,
  open: stock.open,
  high: stock.high,
  low: stock.low,
  last: stock.last,
  volume: stock.volume,
  close: stock.close,
});

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Reads a stored quote back; null when there is none. */
export const storedQuote = (stored: CallRow['lastQuote']): Quote | null =>
  stored === null || typeof stored['date'] !== 'string'
    ? null
    : {
        date: stored['date'],
        open: numberOrNull(stored['open']),
        high: numberOrNull(stored['high']),
        low: numberOrNull(stored['low']),
        last: numberOrNull(stored['last']),
        volume: numberOrNull(stored['volume']),
        close: numberOrNull(stored['close']),
      };

const iso = (time: number): string => new Date(time).toISOString();
const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));
const reached = (time: number | null, price: number | null): Reached | null =>
  time === null || price === null ? null : { at: iso(time), price };

// The percent was fixed when the call ended; the rest of the result follows from what is stored with it.
const verifiedOf = (row: CallRow): VerifiedResult | null =>
  row.verifiedPercent === null || row.closedAt === null
    ? null
    : verifiedResult(toTracked(row), toState(row), { time: row.closedAt, price: row.priceAtClose });

/** A stored call as everybody may see it. */
export const toCall = (row: SubmittedCall): Call => ({
  publicId: row.publicId,
  symbol: row.symbol,
  callType: row.callType,
  status: row.status,
  entryPrice: row.entryPrice,
  targetPrice: row.targetPrice,
  stopLoss: row.stopLoss,
  stopLossType: row.stopLossType,
  pocketedValue: row.pocketedValue,
  submittedAt: iso(row.submittedAt),
  closedAt: isoOrNull(row.closedAt),
  submittedBy: { display: row.username },
  priceAtSubmission: row.priceAtSubmission,
  priceAtClose: row.priceAtClose,
  filledAt: isoOrNull(row.filledAt),
  fillPrice: row.fillPrice,
  targetReached: reached(row.targetReachedAt, row.targetReachedPrice),
  stopReached: reached(row.stopReachedAt, row.stopReachedPrice),
  verified: verifiedOf(row),
  trackingPaused: row.trackingPaused,
});

/** A stored call as its owner sees it. */
export const toOwnCall = (row: SubmittedCall): OwnCall => ({
  ...toCall(row),
  highestSinceFill: row.highest,
  stopLevel: stopLevelOf(toTracked(row), row.highest),
});

/** A stored call as administrators see it. */
export const toAdminCall = (row: SubmittedCall): AdminCall => ({
  ...toCall(row),
  adminStatus: row.adminStatus,
  reviewReason: row.reviewReason,
});
