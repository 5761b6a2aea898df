import { type CorrectedMarks, type CorrectedTrade, timeOfTrade } from '../rules/correction.ts';
import { startTracking } from '../rules/tracker.ts';
import type { Mark, MarkValue, Reached } from '../rules/types.ts';
import { fromState, toReached, toTracked } from './rows.ts';
import type { CallChange, CallRow } from './store.ts';

type Marks = Record<Mark, MarkValue> &
  Record<'entryTrade' | 'exitTrade' | 'targetReached' | 'stopReached', Reached | null>;

/** The marks of a call as they are recorded. */
export const marksOf = (row: CallRow): Marks => ({
  entryTrade: toReached(row.entryTradeAt, row.entryTradePrice),
  exitTrade: toReached(row.exitTradeAt, row.exitTradePrice),
  targetReached: toReached(row.targetReachedAt, row.targetReachedPrice),
  stopReached: toReached(row.stopReachedAt, row.stopReachedPrice),
  priceAtClose: row.priceAtClose,
  highestSinceFill: row.highest,
  best: row.best,
  worst: row.worst,
  isFollowed: row.trackingPaused === null,
});

type Trade = { time: number | null; price: number | null };

/** The entry: for `buy` it is the fill, and without it the call is as it was submitted. */
function entryChange(row: CallRow, { time, price }: Trade): CallChange {
  const entry = { entryTradeAt: time, entryTradePrice: price };
  if (row.callType === 'bought') return entry;
  if (price !== null) {
    return {
      ...entry,
      filledAt: time,
      fillPrice: price,
      ...(row.status === 'pending' ? { status: 'open' } : {}),
    };
  }
  return {
    ...fromState(startTracking(toTracked(row))),
    ...(row.status === 'open' ? { status: 'pending' } : {}),
  };
}

/** Followed again, it no longer waits for review because of the pause. */
function followChange(row: CallRow, isFollowed: boolean, reason: string): CallChange {
  if (!isFollowed) return { trackingPaused: `An administrator stopped following its prices: ${reason}` };
  const isPause = row.adminStatus === 'review' && row.reviewReason === row.trackingPaused;
  return { trackingPaused: null, ...(isPause ? { adminStatus: 'normal', reviewReason: null } : {}) };
}

/**
 * The columns of a call with its marks put right.
 *
 * @param now epoch ms, the time of a trade that had none
 */
export function correctedColumns(
  row: CallRow,
  marks: CorrectedMarks,
  reason: string,
  now: number,
): CallChange {
  const recorded = marksOf(row);
  const tradeOf = (trade: CorrectedTrade | null, before: Reached | null): Trade =>
    trade === null
      ? { time: null, price: null }
      : { time: timeOfTrade(trade, before, now), price: trade.price };
  const change: CallChange = {};
  if (marks.entryTrade !== undefined) {
    Object.assign(change, entryChange(row, tradeOf(marks.entryTrade, recorded.entryTrade)));
  }
  if (marks.exitTrade !== undefined) {
    const { time, price } = tradeOf(marks.exitTrade, recorded.exitTrade);
    Object.assign(change, { exitTradeAt: time, exitTradePrice: price });
  }
  if (marks.targetReached !== undefined) {
    const { time, price } = tradeOf(marks.targetReached, recorded.targetReached);
    Object.assign(change, { targetReachedAt: time, targetReachedPrice: price });
  }
  if (marks.stopReached !== undefined) {
    const { time, price } = tradeOf(marks.stopReached, recorded.stopReached);
    Object.assign(change, { stopReachedAt: time, stopReachedPrice: price, stopReachedLevel: null });
  }
  if (marks.priceAtClose !== undefined) change.priceAtClose = marks.priceAtClose;
  if (marks.highestSinceFill !== undefined) change.highest = marks.highestSinceFill;
  if (marks.best !== undefined) change.best = marks.best;
  if (marks.worst !== undefined) change.worst = marks.worst;
  if (marks.isFollowed !== undefined) Object.assign(change, followChange(row, marks.isFollowed, reason));
  return change;
}
