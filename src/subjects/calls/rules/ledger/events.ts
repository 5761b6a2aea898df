import type { Side } from '../side.ts';
import type { TrackState } from '../tracker.ts';
import type { AdminStatus, CallStatus, CallType, MarkChange, StopLossType } from '../types.ts';
import { asciiJson, type LedgerEvent } from './entry.ts';

/** An administrator, or the automatic rules on prices and pocketed values. */
export type DecidedBy = 'administrator' | 'rules';

/** The tracker's marks that the ledger records. Times are epoch ms by the wall clock, prices AUD per share. */
export type Marks = Omit<TrackState, 'highest' | 'best' | 'worst'>;

type Turns = {
  status: CallStatus;
  adminStatus: AdminStatus;
  trackingPaused: string | null;
  closedAt: number | null;
  priceAtClose: number | null;
  /** Amount that the owner claims, AUD. */
  pocketedValue: number | null;
  isAwaitingExit: boolean;
  exitTradeAt: number | null;
  exitTradePrice: number | null;
  /** Percent; null without a verified result. */
  verifiedPercent: number | null;
};

type PostedCall = Side & {
  publicId: string;
  symbol: string;
  source: string;
  callType: CallType;
  entryPrice: number;
  targetPrice: number;
  stopLossType: StopLossType;
  stopLoss: number | null;
  priceAtSubmission: number | null;
};

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

/** @param who the submitter's reference, and salted hashes of name and rationale */
export const postedEvent = (
  call: PostedCall,
  who: { submitter: string; name: string; rationale: string | null },
): LedgerEvent => ({
  kind: 'posted',
  call: call.publicId,
  symbol: call.symbol,
  source: call.source,
  type: call.callType,
  entry: call.entryPrice,
  target: call.targetPrice,
  stopType: call.stopLossType,
  stop: call.stopLoss,
  priceThen: call.priceAtSubmission,
  ...(call.isShort ? { short: true } : {}),
  ...who,
});

export function marksBetween(call: string, before: Marks, after: Marks): LedgerEvent[] {
  const marks: { time: number; event: LedgerEvent }[] = [];
  const add = (kind: LedgerEvent['kind'], was: number | null, time: number | null, members: object): void => {
    if (was === null && time !== null) marks.push({ time, event: { kind, call, at: iso(time), ...members } });
  };
  const isFill = before.filledAt === null && after.filledAt !== null;
  add('filled', before.filledAt, after.filledAt, { price: after.fillPrice });
  if (!isFill) add('entered', before.entryTradeAt, after.entryTradeAt, { price: after.entryTradePrice });
  add('target', before.targetAt, after.targetAt, { price: after.targetPrice });
  add('stop', before.stopAt, after.stopAt, { price: after.stopPrice, level: after.stopLevel });
  return marks.sort((a, b) => a.time - b.time).map(({ event }) => event);
}

export function turnsBetween(call: string, before: Turns, after: Turns, by: DecidedBy): LedgerEvent[] {
  const events: LedgerEvent[] = [];
  const isEnd = before.status !== after.status && (after.status === 'closed' || after.status === 'cancelled');
  if (isEnd) {
    events.push({
      kind: after.status === 'closed' ? 'closed' : 'cancelled',
      call,
      at: iso(after.closedAt),
      price: after.priceAtClose,
      pocketed: after.pocketedValue,
      result: after.verifiedPercent,
      awaitsExit: after.isAwaitingExit,
    });
  }
  if (before.exitTradeAt === null && after.exitTradeAt !== null) {
    const [at, price, result] = [iso(after.exitTradeAt), after.exitTradePrice, after.verifiedPercent];
    events.push({ kind: 'settled', call, at, price, result });
  }
  if (before.trackingPaused === null && after.trackingPaused !== null) events.push({ kind: 'paused', call });
  return [...events, ...moderationBetween(call, before, after, by)];
}

const moderationBetween = (
  call: string,
  { adminStatus: from }: Turns,
  { adminStatus: to }: Turns,
  by: DecidedBy,
): LedgerEvent[] => (from === to ? [] : [{ kind: 'moderated', call, from, to, by }]);

/** One entry per corrected mark; the last entry also has the results. @param reason the salted hash of the reason */
export function correctedEvents(
  call: string,
  { changes, reason }: { changes: readonly MarkChange[]; reason: string },
  before: Turns,
  after: Turns,
): LedgerEvent[] {
  const follows = {
    ...(after.status === before.status ? {} : { status: after.status }),
    ...(after.verifiedPercent === before.verifiedPercent ? {} : { result: after.verifiedPercent }),
  };
  const events = changes.map(({ mark, before: was, after: is }, index): LedgerEvent => {
    const isLast = index === changes.length - 1;
    return { kind: 'corrected', call, mark, before: was, after: is, reason, ...(isLast ? follows : {}) };
  });
  return [...events, ...moderationBetween(call, before, after, 'administrator')];
}

/**
 * The hashed state of a call that is older than the ledger. It is a JSON list, so that the order is fixed, and it names
 * no person. Times are epoch ms.
 */
export const importedText = (
  call: PostedCall & { submittedAt: number },
  marks: Marks,
  turns: Turns,
): string =>
  asciiJson([
    call.publicId,
    call.symbol,
    call.source,
    call.callType,
    call.submittedAt,
    call.priceAtSubmission,
    call.entryPrice,
    call.targetPrice,
    call.stopLossType,
    call.stopLoss,
    turns.status,
    turns.adminStatus,
    turns.trackingPaused !== null,
    marks.filledAt,
    marks.fillPrice,
    marks.entryTradeAt,
    marks.entryTradePrice,
    marks.targetAt,
    marks.targetPrice,
    marks.stopAt,
    marks.stopPrice,
    marks.stopLevel,
    turns.closedAt,
    turns.priceAtClose,
    turns.pocketedValue,
    turns.isAwaitingExit,
    turns.exitTradeAt,
    turns.exitTradePrice,
    turns.verifiedPercent,
    ...(call.isShort ? ['short'] : []),
  ]);
