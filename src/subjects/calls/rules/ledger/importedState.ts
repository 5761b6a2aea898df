import type { Marks, PostedCall, Turns } from './deeds.ts';
import { asciiJson } from './line.ts';

/**
 * The text of a call's state that is hashed where calls come to the ledger that were made without it: as a JSON list, so
 * that the order is certain. Nothing in it names a person. Times are epoch ms.
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
  ]);
